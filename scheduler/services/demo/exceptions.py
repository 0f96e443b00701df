"""The demo's procurement: a second version of the rule, and a request for an exception in each state."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import transaction

from reservations.domain.manual_entry import Entry
from reservations.domain.period import floor_hour
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.term_cost import term_cost
from reservations.domain.reservation_state import Kind, State
from reservations.selectors.draft import draft_of
from reservations.selectors.ends import ReservationEnd, reservation_ends
from reservations.selectors.exceptions import all_exception_rows
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import PoolRow, pool_named
from reservations.services import exceptions
from reservations.services.delegations import delegate_authority
from reservations.services.exceptions import Condition, UnableToMoveRequest
from reservations.services.manual_reservations import enter_reservation
from reservations.services.procurement_rules import draft_rule, publish_rule
from scheduler.selectors.exception_basis import node_price, terms_at
from scheduler.services.demo.approvers import RULE, People, people_of_demo
from scheduler.services.exceptions import begin_exception, execute_exception, submit_exception_with_evidence

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
WILD = "demo-spare-l40s"
RULED = 5 * DAY
"""So long ago the second version of the demo's rule was published: what began before needs nobody's approval."""


def load_exceptions(*, as_of: datetime) -> bool:
    """Load them the first time; False where requests stand already.

    False as well where approvers are asked for a second factor that the demo's have not: then nobody could approve.
    """
    people = people_of_demo()
    if people is None or all_exception_rows():
        return False
    try:
        with transaction.atomic():
            _Story(people, as_of).tell()
    except UnableToMoveRequest:
        return False
    return True


class _Story:
    def __init__(self, people: People, as_of: datetime) -> None:
        self.people, self.as_of, self.zone = people, as_of, accounting_zone()
        self.serving, self.training = pool_named("serving-h100"), pool_named("training-h200")

    def tell(self) -> None:
        """In the order of time, since each was decided under the rule that held then."""
        self._bought_otherwise()
        self._lapsed()
        self._second_version()
        self._bought_as_approved()
        self._with_condition()
        self._returned()
        self._waiting()
        self._emergency()
        self._unbought_draft()
        self._wild()
        self._lent()
        exceptions.lapse_exceptions(at=self.as_of, today=self._day(self.as_of))

    def _second_version(self) -> None:
        at = self.as_of - RULED
        note = "demo: both checks come before any approval"
        version = draft_rule(document=RULE, owner="platform", by=self.people.analyst, at=at - DAY, note=note)
        publish_rule(version=version, by=self.people.approver, at=at, today=self._day(at))
        later = {**RULE, "approval_valid_days": 21, "longest_term_days": 366}
        draft_rule(document=later, owner="platform", by=self.people.analyst, at=self.as_of - DAY, note="demo: shorter")

    def _bought_otherwise(self) -> None:
        """Approved until four weeks before the end that was then bought; its ninety days are over."""
        held = self._held(self.training)
        at = self.as_of - 98 * DAY
        if held is None or held.end_at is None:
            return
        fields = {
            "reservation": held.external_id,
            "term_end": self._day(held.end_at - 60 * DAY).isoformat(),
            "expected_busy_share": "0.85",
            "reason": "demo: the pretraining run needs the same nodes for another half year.",
        }
        number = self._asked(self.training, self.people.research, at, held.nodes or 1, fields)
        self._approve(number, self.people.operator, at + HOUR)
        self._approve(number, self.people.approver, at + 2 * HOUR)
        self._execute(number, at + DAY, held.id)

    def _lapsed(self) -> None:
        at = self.as_of - 45 * DAY
        fields = {"reason": "demo: a second region for the launch, should the first one fill up.", **self._term(at, 60)}
        number = self._asked(self.serving, self.people.serving, at, 12, fields)
        self._approve(number, self.people.operator, at + HOUR)
        self._approve(number, self.people.approver, at + DAY)

    def _bought_as_approved(self) -> None:
        pool = pool_named("sprint-b200")
        held = self._held(pool)
        at = self.as_of - 4 * DAY
        if held is None or held.end_at is None or held.start_at is None:
            return
        fields = {
            "reservation": held.external_id,
            "term_start": self._day(held.start_at).isoformat(),
            "term_end": self._day(held.end_at).isoformat(),
            "expected_busy_share": "0.70",
            "reason": "demo: this sprint's block, booked later than the rule foresees.",
        }
        number = self._asked(pool, self.people.research, at, held.nodes or 1, fields, kind=ExceptionType.LATE)
        self._checked(number, at)
        self._approve(number, self.people.approver, at + 2 * HOUR)
        self._execute(number, at + DAY, held.id)

    def _with_condition(self) -> None:
        at = self.as_of - 3 * DAY
        fields = {"reason": "demo: two more nodes for the launch in the spring.", **self._term(at, 180)}
        number = self._asked(self.serving, self.people.serving, at, 11, fields)
        self._checked(number, at)
        tied = Condition("Lend what is idle at night to research-batch.", self._day(self.as_of + 4 * DAY))
        self._approve(number, self.people.approver, at + 5 * HOUR, conditions=[tied])
        self._approve(number, self.people.finance, at + DAY)

    def _returned(self) -> None:
        at = self.as_of - 2 * DAY
        fields = {"reason": "demo: the evaluation queue waits too long in the evening.", **self._term(at, 90)}
        number = self._asked(self.training, self.people.platform, at, 7, fields)
        why = "demo: say which evaluations wait, and what they cost on demand."
        exceptions.return_exception(
            request_id=number, content_hash=self._hash(number), reason=why, by=self.people.operator, at=at + 6 * HOUR
        )

    def _waiting(self) -> None:
        """Two people have to look at it before an approver is asked, and one of them will be reminded."""
        at = self.as_of - 60 * HOUR
        fields = {"reason": "demo: traffic doubles by autumn, as the memo says.", **self._term(at, 365)}
        self._asked(self.serving, self.people.serving, at, 12, fields)

    def _emergency(self) -> None:
        at = self.as_of - 20 * HOUR
        fields = {
            "reason": "demo: a node was lost in the middle of the pretraining run.",
            "answer_incident": "demo: one node since last night; the run stands still.",
            **self._term(at, 30),
        }
        number = self._asked(self.training, self.people.research, at, 7, fields, kind=ExceptionType.EMERGENCY)
        exceptions.break_glass(
            request_id=number,
            content_hash=self._hash(number),
            reason="demo: the run costs more each hour than the node does in a week.",
            by=self.people.approver,
            at=at + HOUR,
            zone=self.zone,
        )

    def _unbought_draft(self) -> None:
        begin_exception(
            pool=self.training,
            by=self.people.research,
            at=self.as_of - HOUR,
            nodes=8,
            fields={"reason": "demo: the next pretraining run."},
        )

    def _wild(self) -> None:
        start = floor_hour(self.as_of) - 2 * DAY
        end = start + 60 * DAY
        enter_reservation(
            entry=Entry(
                provider="demo",
                external_id=WILD,
                shape="g6e.48xlarge",
                gpus_per_instance=Decimal(8),
                zone_id="use1-az6",
                start_at=start,
                end_at=end,
                usable_until=end,
                upfront_fee=None,
                currency="",
                owner="platform",
                pool=None,
                sizes=((start, 1),),
            ),
            as_of=self.as_of,
            reason="load_demo",
        )

    def _lent(self) -> None:
        delegate_authority(
            delegate=self.people.analyst,
            start=self.as_of - DAY,
            end=self.as_of + 9 * DAY,
            up_to=Decimal(250000),
            reason="demo: away for the conference.",
            by=self.people.finance,
            at=self.as_of - DAY,
            today=self._day(self.as_of),
        )

    def _asked(
        self,
        pool: PoolRow,
        by: int,
        at: datetime,
        nodes: int,
        fields: Mapping[str, str],
        kind: ExceptionType | None = None,
    ) -> int:
        """A submitted request; of no ``kind``: of the one that its size and the rule's make it."""
        questions = (one.key for words in TYPES.values() for one in words.questions)
        answers = {f"answer_{key}": "demo: see the memo of the team." for key in questions}
        said = {"consequence": "demo: work waits, or runs on demand.", **answers, **fields}
        if kind is not None:
            said["kind"] = kind.value
        draft = begin_exception(pool=pool, by=by, at=at, nodes=nodes, fields=said)
        self._price(draft.request_id, pool, by, at)
        submit_exception_with_evidence(request_id=draft.request_id, saves=None, by=by, at=at)
        return draft.request_id

    def _price(self, number: int, pool: PoolRow, by: int, at: datetime) -> None:
        """What the term that was written costs: a draft begins with a year's."""
        found, price = draft_of(number), node_price(pool=pool, shape="", terms=terms_at(at))
        if found is None or price is None:
            return
        typed = found.typed
        start, end = (date.fromisoformat(typed[key]) for key in ("term_start", "term_end"))
        cost = term_cost(nodes=int(typed["nodes"]), start=start, end=end, node_hour=price.per_node_hour)
        said = {**typed, "amount": f"{cost:f}", "currency": price.currency}
        exceptions.save_draft_exception(request_id=number, saves=found.saves, typed=said, by=by, at=at)

    def _checked(self, number: int, at: datetime) -> None:
        self._approve(number, self.people.operator, at + HOUR)
        self._approve(number, self.people.analyst, at + HOUR)

    def _approve(self, number: int, by: int, at: datetime, *, conditions: list[Condition] | None = None) -> None:
        exceptions.approve_exception(
            request_id=number,
            content_hash=self._hash(number),
            by=by,
            at=at,
            today=self._day(at),
            conditions=conditions or (),
        )

    def _execute(self, number: int, at: datetime, reservation_id: int) -> None:
        pool_id = next(row.pool_id for row in all_exception_rows() if row.id == number)
        execute_exception(
            request_id=number, pool_id=pool_id, by=self.people.buyer, at=at, reservation_id=reservation_id
        )

    def _hash(self, number: int) -> str:
        return next(row.content_hash for row in all_exception_rows() if row.id == number)

    def _held(self, pool: PoolRow) -> ReservationEnd | None:
        ends = reservation_ends(as_of=self.as_of)
        mine = [one for one in ends if one.pool_id == pool.id and one.state is State.ACTIVE]
        return next((one for one in mine if one.kind is not Kind.MANUAL), None)

    def _term(self, at: datetime, days: int) -> dict[str, str]:
        start = self._day(at + 14 * DAY)
        return {"term_start": start.isoformat(), "term_end": (start + timedelta(days=days)).isoformat()}

    def _day(self, at: datetime) -> date:
        return at.astimezone(self.zone).date()
