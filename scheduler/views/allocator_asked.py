"""What the allocator's page is asked: a scenario, what is changed of it, what is shown, all of it in the address."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from reservations.views.answers import UnableToAnswer, quoted
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.scenario import IllegalScenario, instance_of
from scheduler.selectors.scenarios import DEMOS, KeptRow, demo_scenario, kept_scenario, kept_scenarios

NAMES = ("scenario", "penalty", "half_life", "realtime", "blocks", "seed")
MODES = ("fifo", "fast", "full")
NO_DECAY = "none"
MOST_SEED = 2**31 - 1
LONGEST = 64


@dataclass(frozen=True)
class Asked:
    """``scenario`` and ``instance`` with every change made; ``given`` is what the address says, blank where nothing.

    ``full``: the run of full mode to show beside; ``plan``: whose jobs are listed, blank for the best.
    """

    key: str
    title: str
    about: str
    own: tuple[KeptRow, ...]
    scenario: Mapping[str, Any]
    instance: Instance
    seed: int
    given: Mapping[str, str]
    full: int | None
    plan: str

    def address(self, **changed: str | int) -> str:
        """``?…`` of the same question with some parts changed."""
        shown = {"full": self.full or "", "plan": self.plan}
        parts: dict[str, str | int] = {**self.given, **shown, **changed}
        return "?" + urlencode({name: value for name, value in parts.items() if value != ""})

    @property
    def page(self) -> str:
        """The page's own address."""
        return reverse("scheduler:allocator") + self.address()

    @property
    def is_own(self) -> bool:
        """Whether the reader brought this scenario along."""
        return any(row.key == self.key for row in self.own)


def asked_for(request: HttpRequest, sent: QueryDict | None = None) -> Asked:
    """The question of an address, or of a form's fields; UnableToAnswer for what can't be meant."""
    fields = request.GET if sent is None else sent
    given = {name: _text(fields, name) for name in NAMES}
    own = tuple(kept_scenarios(user_id=request.user.pk))
    given["scenario"] = key = given["scenario"] or DEMOS[0].key
    found = demo_scenario(key) or kept_scenario(user_id=request.user.pk, key=key)
    if found is None:
        sentence = f"There is no scenario {quoted(key)}, or it was somebody else's, or too old to be kept."
        raise UnableToAnswer(404, "No such scenario", sentence)
    title, about = _named(key, own)
    scenario = _changed(found, given)
    return Asked(
        key=key,
        title=title,
        about=about,
        own=own,
        scenario=scenario,
        instance=_instance(scenario),
        seed=_whole(given["seed"], "seed", MOST_SEED) or 0,
        given=given,
        full=_whole(_text(fields, "full"), "full", 2**63 - 1),
        plan=_choice(_text(fields, "plan"), "plan", MODES),
    )


def _named(key: str, own: tuple[KeptRow, ...]) -> tuple[str, str]:
    demos = {demo.key: (demo.title, demo.about) for demo in DEMOS}
    return demos.get(key) or next((row.name, "Your own scenario.") for row in own if row.key == key)


def _changed(scenario: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """The scenario with its objective and its blocks as the address wants them."""
    objective = dict(scenario.get("objective") or {})
    if given["penalty"]:
        objective["realtime_penalty"] = _number(given["penalty"], "penalty")
    if given["half_life"]:
        none = given["half_life"] == NO_DECAY
        objective["half_life_steps"] = None if none else _number(given["half_life"], "half-life")
    if given["realtime"]:
        objective["realtime"] = given["realtime"]
    blocks = {"blocks": given["blocks"]} if given["blocks"] else {}
    return {**scenario, **blocks, **({"objective": objective} if objective else {})}


def _instance(scenario: Mapping[str, Any]) -> Instance:
    try:
        return instance_of(scenario)
    except IllegalScenario as illegal:
        raise UnableToAnswer(422, "That cannot be planned", str(illegal)) from illegal


def _text(fields: QueryDict, name: str) -> str:
    text = fields.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise UnableToAnswer(400, "That cannot be asked", f"“{name}” holds a text that nothing here is called by.")
    return text


def _number(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1e12 < value < 1e12:  # NaN is in no range
        raise UnableToAnswer(422, "That cannot be planned", f"The {name} {quoted(text)} is no number.")
    return int(value) if value == int(value) else value


def _whole(text: str, name: str, most: int) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or int(text) > most:
        raise UnableToAnswer(
            422, "That cannot be asked", f"“{name}” is {quoted(text)}, no whole number up to {most:,}."
        )
    return int(text)


def _choice(text: str, name: str, choices: tuple[str, ...]) -> str:
    if text and text not in choices:
        raise UnableToAnswer(400, "No such plan", f"{quoted(text)} is no {name}: use one of {', '.join(choices)}.")
    return text
