"""What recommendations are asked with and answer, as the description of the API says it."""

from datetime import date

from ninja import Schema
from pydantic import Field

from reservations.api.shapes import NAME, Number
from reservations.domain.glossary import GLOSSARY


class RecommendationsAsked(Schema):
    """Of one pool, or of all that may be seen."""

    pool: str = Field("", max_length=200, pattern=f"^$|{NAME}", examples=["serve-h100"])


class SavingTold(Schema):
    """Money of a month of 730 hours, and nine of ten draws of whole weeks."""

    amount: Number
    low: Number | None
    high: Number | None
    currency: str | None


class RecommendationTold(Schema):
    pool: str
    action: str = Field(examples=["shrink"], description="keep, grow, shrink, lapse or none")
    current_nodes: int
    rule_nodes: int | None = Field(description=GLOSSARY["rule_size"])
    adjusted_rule_nodes: int | None = Field(description=GLOSSARY["adjusted_size"])
    packed_nodes: int | None = Field(description=GLOSSARY["packed_size"])
    proposed_nodes: int | None = Field(description="null where nothing is recommended")
    decides: str = Field(examples=["rule"])
    reasons: list[str]
    saving: SavingTold | None
    regret: Number | None = Field(description="what staying costs more than the cheapest choice, a month")
    confidence: str = Field(examples=["medium"])
    decision_date: date | None = Field(description=GLOSSARY["decision_date"])
    evidence_hash: str = Field(description="SHA-256 of the frozen evidence")


class RecommendationsTold(Schema):
    recommendations: list[RecommendationTold]
