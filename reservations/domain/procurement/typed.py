"""A draft as it is typed: texts by field, kept as they are, and read into a request's content when it is submitted."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.currency import CURRENCIES
from reservations.domain.free_text import why_not_kept
from reservations.domain.procurement.content import RequestContent
from reservations.domain.procurement.exception_type import TYPES, ExceptionType

SHORT = ("kind", "pool", "reservation", "shape", "nodes", "term_start", "term_end", "amount", "currency")
OTHER_SHORT = ("expected_busy_share", "review_on", "latest_useful_on", "risk_owner", "confidential")
LONG = ("reason", "alternatives", "consequence", "metric", "controls")
FIELDS = (*SHORT, *OTHER_SHORT, *LONG)
"""The keys of a draft, beside ``answer_<key>`` for each question of a type."""

ANSWER = "answer_"
LONGEST_SHORT = 200
LONGEST_REASON = 5_000
LONGEST_OTHER = 2_000
LEAST_REASON = 20
MOST_NODES = 100_000

_AMOUNT = re.compile(r"\d{1,14}(\.\d{1,2})?", re.ASCII)


class UnableToReadRequest(ValueError):
    """What was typed can't be submitted; ``problems`` has one sentence for each field at fault."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = dict(problems)


def typed_fields(said: Mapping[str, object]) -> dict[str, str]:
    """The known fields of what came in, trimmed; UnableToReadRequest for what is too long even for a draft."""
    questions = {ANSWER + one.key for words in TYPES.values() for one in words.questions}
    kept = {key: str(value).strip() for key, value in said.items() if key in FIELDS or key in questions}
    problems = {key: why for key, text in kept.items() if (why := _why_not_typed(key, text))}
    if problems:
        raise UnableToReadRequest(problems)
    return kept


def request_content(typed: Mapping[str, str]) -> RequestContent:
    """The content of a draft that is complete; UnableToReadRequest with a sentence for each field that is not."""
    return _Reading(typed_fields(typed)).content()


def read_amount(text: str) -> Decimal:
    """An amount in digits with a point, ``1250000.50``; ValueError with one sentence for commas and currencies."""
    if not _AMOUNT.fullmatch(text):
        said = f"“{text[:40]}” is not an amount" if text else "The amount is missing"
        raise ValueError(f"{said}: write digits and a point, without commas or a currency, as 1250000.50.")
    return Decimal(text)


def _why_not_typed(key: str, text: str) -> str:
    most = (
        LONGEST_REASON if key == "reason" else LONGEST_OTHER if key in LONG or key.startswith(ANSWER) else LONGEST_SHORT
    )
    if len(text) > most:
        longer = f"This is {notation.grouped(len(text))} characters long, and {notation.grouped(most)} are kept"
        return f"{longer}: attach what is longer as a file."
    return why_not_kept(text)


class _Reading:
    def __init__(self, typed: Mapping[str, str]) -> None:
        self.typed = typed
        self.problems: dict[str, str] = {}

    def content(self) -> RequestContent:
        kind = self._kind()
        start, end = self._day("term_start"), self._day("term_end")
        if start and end and end <= start:
            self.problems["term_end"] = f"The end must lie after the start, {notation.day(start)}."
        reason = self._text("reason", "Say why it is needed.")
        if 0 < len(reason) < LEAST_REASON:
            self.problems["reason"] = f"Say in at least {LEAST_REASON} characters why it is needed."
        nodes, amount, currency = self._nodes(), self._amount(), self._currency()
        content = RequestContent(
            kind=kind or ExceptionType.OVER_RULE,
            pool=self._text("pool", "Choose the pool it is for."),
            reservation=self.typed.get("reservation", ""),
            shape=self._text("shape", "Say which instance type it is."),
            nodes=nodes,
            term_start=start or date.min,
            term_end=end or date.max,
            amount=amount,
            currency=currency,
            reason=reason,
            alternatives=self.typed.get("alternatives", ""),
            consequence=self._text("consequence", "Say what happens if it is refused."),
            expected_busy_share=self._share(),
            metric=self.typed.get("metric", ""),
            review_on=self._day("review_on", needed=False),
            latest_useful_on=self._day("latest_useful_on", needed=False),
            risk_owner=self.typed.get("risk_owner", ""),
            controls=self.typed.get("controls", ""),
            confidential=self.typed.get("confidential", "") in ("1", "on", "true", "True", "yes"),
            answers=self._answers(kind),
        )
        if self.problems:
            raise UnableToReadRequest(self.problems)
        return content

    def _kind(self) -> ExceptionType | None:
        try:
            return ExceptionType(self.typed.get("kind", ""))
        except ValueError:
            self.problems["kind"] = "Choose in what it departs from the rule."
            return None

    def _text(self, key: str, missing: str) -> str:
        text = self.typed.get(key, "")
        if not text:
            self.problems[key] = missing
        return text

    def _day(self, key: str, *, needed: bool = True) -> date | None:
        text = self.typed.get(key, "")
        try:
            if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII) and 1970 <= int(text[:4]) < 2200:
                return date.fromisoformat(text)
        except ValueError:
            pass
        if text or needed:
            said = f"“{text[:40]}” is not a day" if text else "The day is missing"
            self.problems[key] = f"{said}: write it as 2026-01-31."
        return None

    def _nodes(self) -> int:
        text = self.typed.get("nodes", "")
        if re.fullmatch(r"\d{1,6}", text, re.ASCII) and int(text) <= MOST_NODES:
            return int(text)
        said = f"“{text[:40]}” is not a size" if text else "The size is missing"
        self.problems["nodes"] = f"{said}: write whole nodes, from 0 to {notation.grouped(MOST_NODES)}."
        return 0

    def _amount(self) -> Decimal:
        try:
            return read_amount(self.typed.get("amount", ""))
        except ValueError as error:
            self.problems["amount"] = str(error)
            return Decimal(0)

    def _currency(self) -> str:
        code = self.typed.get("currency", "")
        if code not in CURRENCIES:
            said = f"“{code[:40]}” is not a currency" if code else "The currency is missing"
            self.problems["currency"] = f"{said}: use its three letters, as USD or EUR."
        return code

    def _share(self) -> Decimal | None:
        text = self.typed.get("expected_busy_share", "")
        if not text:
            return None
        if re.fullmatch(r"(0(\.\d{1,4})?|1(\.0{1,4})?)", text, re.ASCII):
            return Decimal(text)
        self.problems["expected_busy_share"] = f"“{text[:40]}” is not a share: write it from 0 to 1, as 0.75."
        return None

    def _answers(self, kind: ExceptionType | None) -> dict[str, str]:
        questions = TYPES[kind].questions if kind else ()
        given = {one.key: self.typed.get(ANSWER + one.key, "") for one in questions}
        for one in questions:
            if one.needed and not given[one.key]:
                self.problems[ANSWER + one.key] = f"Answer this as well: {one.label}"
        return given


def typed_of(content: RequestContent) -> dict[str, str]:
    """The draft that reads as this content: what a revision begins with."""
    plain = {key: getattr(content, key) for key in FIELDS}
    said = {key: _written(value) for key, value in plain.items()}
    return {**said, **{ANSWER + key: text for key, text in content.answers.items()}}


def _written(value: object) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "1"
    if isinstance(value, ExceptionType):
        return value.value
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.isoformat() if isinstance(value, date) else str(value)
