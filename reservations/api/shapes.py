"""What is said in the same way in every answer: exact numbers, and one page of a longer list."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field, WithJsonSchema

MOST_ROWS = 1000
FARTHEST = 10_000_000

Number = Annotated[Decimal, WithJsonSchema({"type": "number"})]
"""A decimal with all its digits, as a JSON number."""

NAME = r"^[^\x00-\x1f\x7f]*$"
"""Names hold no control characters."""


class PageAsked(Schema):
    """Which rows of a list: those past its end are an empty page, not an error."""

    limit: int = Field(100, ge=1, le=MOST_ROWS, description="at most so many rows")
    offset: int = Field(0, ge=0, le=FARTHEST, description="rows to pass over first")


class PageTold(Schema):
    """Where in the list these rows stand."""

    total: int = Field(description="rows there are in all", examples=[1])
    limit: int = Field(examples=[100])
    offset: int = Field(examples=[0])


def page_of(rows: Sequence[Any], total: int, asked: PageAsked) -> dict[str, Any]:
    """Rows that were cut out already, with where they stand."""
    return {"rows": rows, "total": total, "limit": asked.limit, "offset": asked.offset}
