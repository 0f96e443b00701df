"""Which alerts a page is asked for, read from its address; the whole state of the page stands there."""

from dataclasses import dataclass

from django.http import HttpRequest, QueryDict
from django.utils.http import urlencode

from reservations.domain.access import Action, Person, reach
from reservations.views.answers import UnableToAnswer, quoted
from reservations.views.asking import person_on
from reservations.views.paging import Paged, page_asked, paged
from scheduler.domain.alert.episode import EpisodeState
from scheduler.domain.alert.severity import Severity
from scheduler.selectors.alerts import EpisodeFilter
from scheduler.tables.alerts.rules import rules

LONGEST = 200
A_PAGE = 40

AT_HAND = frozenset({EpisodeState.OPEN, EpisodeState.ACKNOWLEDGED})
"""What is shown where no state is named: what was put off comes back by itself."""

STATES: dict[str, frozenset[EpisodeState]] = {
    "": AT_HAND,
    **{state.value: frozenset({state}) for state in EpisodeState},
    "any": frozenset(EpisodeState),
}
SORTS = {
    "": "severity",
    "money": "money",
    "newest": "-since",
    "oldest": "since",
    "subject": "subject",
}
NAMES = ("state", "severity", "rule", "owner", "pool", "assigned", "reservation", "q", "sort")


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for which alerts in which order; blank is any, ``state`` blank what is open or acknowledged."""

    person: Person
    texts: dict[str, str]
    page: int

    @property
    def teams(self) -> frozenset[str] | None:
        """Whose alerts this person may see; None: everybody's."""
        return seen_teams(self.person)

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered."""
        return any(text for name, text in self.texts.items() if name != "sort")

    @property
    def mine(self) -> bool:
        """Whether only those are asked for that were assigned to whoever asks."""
        return bool(self.texts["assigned"])

    def wanted(self, *, by_money: bool) -> EpisodeFilter:
        """The same as the selector has it; without ``by_money`` no order tells what costs more."""
        texts = self.texts
        order = SORTS[texts["sort"]]
        if not by_money and order in ("severity", "money"):
            order = "pressing"
        return EpisodeFilter(
            states=STATES[texts["state"]],
            severities=frozenset({Severity(texts["severity"])} if texts["severity"] else ()),
            rules=frozenset({texts["rule"]} if texts["rule"] else ()),
            owner=texts["owner"],
            pool=texts["pool"],
            reservation_id=int(texts["reservation"]) if texts["reservation"] else None,
            assigned_to=self.person.name if self.mine else "",
            text=texts["q"],
            order=order,
        )

    def address(self, **changed: str | int) -> str:
        """``?…`` of the same question with some parts changed; a page is kept only where it is named."""
        parts: dict[str, str | int] = {**self.texts, **changed}
        kept = {name: value for name, value in parts.items() if value}
        return f"?{urlencode(kept)}" if kept else ""

    def paged(self, count: int) -> Paged:
        """The page asked for of so many rows."""
        return paged(self.page, count=count, a_page=A_PAGE, address=lambda page: self.address(page=page))


def asked_for(request: HttpRequest) -> Asked:
    """The filter, order and page of an address; UnableToAnswer for words that mean nothing."""
    texts = {name: _text(request.GET, name) for name in NAMES}
    known: dict[str, tuple[str, ...]] = {
        "state": tuple(STATES),
        "severity": tuple(one.value for one in Severity),
        "rule": tuple(rules()),
        "assigned": ("me",),
        "sort": tuple(SORTS),
    }
    for name, words in known.items():
        if texts[name] and texts[name] not in words:
            said = f"{quoted(texts[name])} is no {name}: use one of {', '.join(filter(None, words))}."
            raise UnableToAnswer(400, f"No such {name}", said)
    if texts["reservation"] and not (texts["reservation"].isascii() and texts["reservation"].isdigit()):
        raise UnableToAnswer(400, "No such reservation", f"{quoted(texts['reservation'])} is no reservation's number.")
    return Asked(person_on(request), texts, page_asked(request))


def seen_teams(person: Person) -> frozenset[str] | None:
    """The teams whose alerts somebody may see; None: everybody's, and those that are nobody's."""
    return reach(person, Action.SEE_RESERVATION)


def _text(given: QueryDict, name: str) -> str:
    text = given.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise UnableToAnswer(400, "That cannot be looked for", f"“{name}” holds a text nothing here is called by.")
    return text
