from itertools import pairwise

from telemetry.charts import waterfall
from telemetry.charts.palette import INKS
from telemetry.domain.waterfall import STEPS, Step

HOUR = 3_600_000
STEPS_OF_A_DAY = (
    Step("ec2_unused", 20 * HOUR),
    Step("not_joined", -4 * HOUR),
    Step("unknown", 4 * HOUR),
    Step("idle_free", 30 * HOUR),
    Step("idle_held", None),
    Step("owner_busy", 50 * HOUR),
)


def bars() -> list[dict]:
    return waterfall.figure(100 * HOUR, STEPS_OF_A_DAY)["data"]


def test_every_step_has_a_colour_and_a_label() -> None:
    assert set(STEPS) == set(INKS)


def test_bars_hang_from_each_other_down_to_nothing() -> None:
    reserved, *steps = bars()
    level = reserved["base"][0] + reserved["y"][0]
    assert level == 100
    for bar in steps:
        assert bar["base"][0] + bar["y"][0] == level
        level = bar["base"][0]
    assert level == 0


def test_a_negative_step_climbs() -> None:
    not_joined = bars()[2]
    assert (not_joined["base"], not_joined["y"]) == ([84.0], [-4.0])


def test_an_unknown_step_has_no_height() -> None:
    assert bars()[5]["y"] == [0]


def test_colours_are_tokens_of_the_stylesheet_and_reserved_is_an_outline() -> None:
    reserved, unused, *_, busy = bars()
    assert busy["marker"]["color"] == "var(--busy-owner)"
    assert reserved["marker"]["color"] == unused["marker"]["color"] == "rgba(0,0,0,0)"
    assert unused["marker"]["line"]["color"] == "var(--not-launched)"


def test_the_axis_says_its_unit_and_includes_zero() -> None:
    axis = waterfall.figure(100 * HOUR, STEPS_OF_A_DAY)["layout"]["yaxis"]
    assert axis["title"]["text"] == "GPU-hours"
    assert axis["rangemode"] == "tozero"


def test_a_line_leads_from_each_bar_to_the_next_without_a_gap() -> None:
    lines = waterfall.figure(100 * HOUR, STEPS_OF_A_DAY)["layout"]["shapes"]
    ends = [(line["x0"], line["x1"]) for line in lines]
    assert all(after[0] - before[1] < 0.001 for before, after in pairwise(ends))


def test_hover_says_one_sentence_with_the_share() -> None:
    said = bars()[1]["hovertemplate"].replace("\u202f", " ")
    assert said == "not launched: 20.0 GPU-hours, 20.0 % of reserved<extra></extra>"


def test_hover_says_the_figures_that_the_page_writes() -> None:
    written = [("100", "100 %"), ("21", "20.5 %")]
    drawn = waterfall.figure(100 * HOUR, STEPS_OF_A_DAY, written=written)["data"]
    assert drawn[1]["hovertemplate"] == "not launched: 21 GPU-hours, 20.5 % of reserved<extra></extra>"


def test_a_bar_leads_to_the_hours_behind_it_and_one_without_any_leads_nowhere() -> None:
    drawn = waterfall.figure(100 * HOUR, STEPS_OF_A_DAY, leads="/here/?step={}#hours")["data"]
    assert (drawn[1]["customdata"], drawn[1]["meta"]) == (["ec2_unused"], {"leads": "/here/?step={}#hours"})
    assert "meta" not in drawn[0]
    assert "meta" not in drawn[5]


def test_a_pool_that_reserved_nothing_can_be_drawn() -> None:
    assert waterfall.figure(0, ())["data"][0]["y"] == [0]
