"""What a page needs to show one figure: its sentence, its chart, its sheet and where that is downloaded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Narrowed:
    """One team and the address of its page alone; ``current``: it is what is shown, and the address leads back."""

    name: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; ``chart`` None: there is nothing to draw, and ``why_empty`` and ``what_next`` say why and what to do.

    ``sheet`` is what is downloaded; ``twin`` the table on the page, where that is another one. ``key`` explains
    swatches by name and label, ``narrowed`` leads to one team alone; ``shape`` is the chart's class; ``term`` is
    explained at the end of the summary.
    """

    name: str
    title: str
    summary: str
    sheet: Sheet
    label: str = ""
    chart: Mapping[str, object] | None = None
    key: tuple[tuple[str, str], ...] = ()
    shape: str = ""
    why_empty: str = ""
    what_next: str = ""
    twin: Sheet | None = None
    term: str = ""
    term_label: str = ""
    template: str = "telemetry/figures/figure.html"
    csv: str = ""
    xlsx: str = ""
    about: str = ""
    file: str = ""
    narrowed: tuple["Narrowed", ...] = ()
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def table(self) -> Sheet:
        """The table on the page."""
        return self.twin or self.sheet

    @property
    def chart_id(self) -> str:
        """The id of the drawing."""
        return f"{self.name}-chart"

    @property
    def json_id(self) -> str:
        """The id of the drawing's JSON."""
        return f"{self.name}-figure"

    @property
    def picture_title(self) -> str:
        """What a saved picture says it shows."""
        return f"{self.about}: {self.title.lower()}"


def even_key(break_even: Decimal | None, adjusted: Decimal | None = None) -> tuple[tuple[str, str], ...]:
    """The lines of the break-even, where there are any."""
    by_price = () if break_even is None else (("even", f"break-even {notation.percent(break_even)}"),)
    failing = () if adjusted is None else (("adjusted", f"with launches that fail {notation.percent(adjusted)}"),)
    return (*by_price, *failing)
