"""What a person takes home: files with the very numbers of the page and of the API, pictures with their title."""

import csv
import json
import re
import struct
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest
from playwright.sync_api import Page

from tests.browser.lived_in import LivedIn
from tests.browser.looking import drawn, whole
from tests.reservations.api.calling import token_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MONTH = "/pools/serve-h100/2026-03/"
BY_HAND = re.compile(r"[\u202f\u2009\u00a0 ]")


def taken(page: Page, name: str, into: Path) -> Path:
    """The file behind a link or button of this name."""
    with page.expect_download() as download:
        page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).click()
    place = into / download.value.suggested_filename
    download.value.save_as(place)
    return place


def number(text: str) -> Decimal | None:
    plain = BY_HAND.sub("", text).replace("−", "-").removesuffix("%")
    return None if plain in ("", "–") else Decimal(plain)


def shown_steps(page: Page) -> dict[str, dict[str, Decimal | None]]:
    """The waterfall as the page writes it: hours and money by the label of the step."""
    rows = page.locator(".waterfall tbody tr").all()
    return {
        row.locator("th").inner_text().strip(): {
            "gpu_hours": number(row.locator("td.hours").inner_text()),
            "cost": number(row.locator("td.money").inner_text()),
        }
        for row in rows
    }


def told_steps(page: Page, secret: str) -> dict[str, dict[str, Decimal | None]]:
    """The same from the API, asked with a person's token alone."""
    answer = page.request.get(
        re.sub(r"/pools/.*", "/api/v1/pools/serve-h100/months/2026-03", page.url),
        headers={"Authorization": f"Bearer {secret}", "Cookie": ""},
    )
    assert answer.status == 200
    steps = json.loads(answer.text(), parse_float=Decimal)["waterfall"]
    return {step["step"]: {"gpu_hours": step["gpu_hours"], "cost": step["cost"]} for step in steps}


def csv_rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8-sig") as lines:
        return list(csv.DictReader(lines))


def workbook_rows(file: Path) -> list[dict[str, object]]:
    """The first sheet under the names which the second gives its columns."""
    figures, about = openpyxl.load_workbook(file).worksheets
    lines = list(about.iter_rows(values_only=True))
    start = next(place for place, line in enumerate(lines) if line[0] == "Column")
    names = [str(line[1]) for line in lines[start + 1 :]]
    return [dict(zip(names, row, strict=True)) for row in figures.iter_rows(min_row=2, values_only=True)]


def test_page_csv_workbook_and_api_tell_the_same_waterfall(lived_in: LivedIn, open_page, tmp_path: Path) -> None:
    page = open_page(MONTH, lived_in.operator)
    shown = shown_steps(page)
    told = told_steps(page, token_of(lived_in.operator))
    title = "serve-h100, March 2026: where the reserved hours went"
    lines = csv_rows(taken(page, f"CSV of {title}", tmp_path))
    cells = {row["step"]: row for row in workbook_rows(taken(page, f"XLSX of {title}", tmp_path))}
    assert {line["step"] for line in lines} == set(cells)
    assert set(told) <= set(cells)
    for line in lines:
        step, cell = line["step"], cells[line["step"]]
        hours, cost = number(line["gpu_hours"]), number(line["cost_usd"])
        assert isinstance(cell["gpu_hours"], (int, float)) is (hours is not None)
        if hours is not None:
            assert Decimal(repr(cell["gpu_hours"])) == Decimal(repr(float(hours)))
        if step in told:
            assert (told[step]["gpu_hours"], told[step]["cost"]) == (hours, cost)
        if line["label"] in shown and hours is not None:
            assert abs(shown[line["label"]]["gpu_hours"] - hours) < 1
            assert abs(shown[line["label"]]["cost"] - cost) < 1
    assert len(set(shown) & {line["label"] for line in lines}) == len(shown)


def test_the_table_of_a_figure_is_what_its_files_hold(lived_in: LivedIn, open_page, tmp_path: Path) -> None:
    page = open_page(MONTH, lived_in.operator)
    whole(page)
    figure = page.locator("section.figure", has=page.locator("#by-team"))
    figure.locator("summary", has_text="Table").click()
    shown = [
        [cell.inner_text().strip() for cell in row.locator("th, td").all()] for row in figure.locator("tbody tr").all()
    ]
    with page.expect_download() as download:
        figure.get_by_role("link", name=re.compile("^CSV")).click()
    download.value.save_as(tmp_path / "teams.csv")
    with page.expect_download() as download:
        figure.get_by_role("link", name=re.compile("^XLSX")).click()
    download.value.save_as(tmp_path / "teams.xlsx")
    lines, cells = csv_rows(tmp_path / "teams.csv"), workbook_rows(tmp_path / "teams.xlsx")
    assert len(shown) == len(lines) == len(cells)
    assert len(lines) >= 2
    for row, line, cell in zip(shown, lines, cells, strict=True):
        assert row[0] in line.values()
        assert set(line) == set(cell)
        for name in (name for name in line if name.endswith("_gpu_hours") and line[name]):
            assert Decimal(repr(cell[name])) == Decimal(repr(float(line[name])))
            assert any(told is not None and abs(told - Decimal(line[name])) < 1 for told in map(_or_none, row[1:])), (
                name
            )


def _or_none(text: str) -> Decimal | None:
    return number(text) if re.fullmatch(r"[−\d.\u202f\u2009]+ ?%?", text) else None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_is_taken_as_a_picture_with_its_title(theme: str, lived_in: LivedIn, open_page, tmp_path: Path) -> None:
    page = open_page(MONTH, lived_in.operator, theme=theme)
    drawn(page, "waterfall-chart")
    title = page.locator("[data-save-picture=waterfall-chart]").first.get_attribute("data-title")
    drawing = taken(page, f"SVG of {title}", tmp_path)
    assert drawing.name == "moorage-serve-h100-2026-03-waterfall.svg"
    markup = drawing.read_text()
    assert markup.startswith("<svg")
    assert title in re.sub(r"<[^>]+>", "", markup).replace("&amp;", "&")
    picture = taken(page, f"PNG of {title}", tmp_path)
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", head[16:])
    assert width >= 1600
    assert height >= 2 * 260


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_a_page_draws_itself_is_a_picture_that_stands_alone(
    theme: str, lived_in: LivedIn, open_page, tmp_path: Path
) -> None:
    page = open_page("/reservations/timeline/?range=all", lived_in.operator, theme=theme)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    drawing = taken(page, "SVG of Terms of the reservations, all", tmp_path)
    assert drawing.name.startswith("reservations-terms-all-")
    root = ElementTree.fromstring(drawing.read_text())
    words = " ".join(text.strip() for text in root.itertext() if text.strip())
    assert "Terms of the reservations, all" in words
    assert all(name in words for name in ("cr-0bbb", "cr-block-0123456789abcdef", "serve-h100", "today"))
    shapes = list(root.iter("{http://www.w3.org/2000/svg}rect"))
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert shapes[0].get("fill") == ground
    assert len({shape.get("fill") for shape in shapes} - {ground, "none"}) >= 3
    assert not re.search(r"class=|color\(|url\((?!#)", drawing.read_text())
    used = set(re.findall(r"url\(#([^)]+)\)", drawing.read_text()))
    assert used
    assert used <= {pattern.get("id") for pattern in root.iter("{http://www.w3.org/2000/svg}pattern")}
    picture = taken(page, "PNG of Terms of the reservations, all", tmp_path)
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (width, height) == (2 * int(root.get("width")), 2 * int(root.get("height")))


def test_the_pictures_of_a_reservation_have_what_its_page_draws(lived_in: LivedIn, open_page, tmp_path: Path) -> None:
    page = open_page(f"/reservations/{lived_in.block.pk}/", lived_in.operator)
    name = lived_in.block.external_id
    for title, shape in ((f"{name}: its term", "rect"), (f"{name}: instances held and in use", "path")):
        root = ElementTree.fromstring(taken(page, f"SVG of {title}", tmp_path).read_text())
        drawn_shapes = [it for it in root.iter(f"{{http://www.w3.org/2000/svg}}{shape}") if it.get("fill")]
        assert len(drawn_shapes) >= 2
        assert title in "".join(root.itertext())
        assert taken(page, f"PNG of {title}", tmp_path).read_bytes().startswith(b"\x89PNG")
