"""What teams lent each other: busy time beyond the nominal quota, in pools that another team owns."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from telemetry.domain.split import QueueUse


@dataclass(frozen=True, slots=True)
class Balance:
    """One team in GPU-milliseconds: lent from its own pools, borrowed in others', and beyond its quota in its own."""

    team: str
    lent: int
    borrowed: int
    own_beyond: int


@dataclass(frozen=True, slots=True)
class Lending:
    """``pairs``: (lender, borrower) → GPU-milliseconds; Σ lent = Σ borrowed. A blank team is one nobody knows."""

    pairs: Mapping[tuple[str, str], int]
    balances: tuple[Balance, ...]

    @property
    def lent(self) -> int:
        """All that was lent, which is all that was borrowed."""
        return sum(self.pairs.values())

    def of(self, team: str) -> "Lending":
        """What one team lent, borrowed and used beyond its own quota; all of it where no team is named."""
        if not team:
            return self
        pairs = {pair: amount for pair, amount in self.pairs.items() if team in pair}
        return Lending(pairs, tuple(one for one in self.balances if one.team == team))


def lending(rows: Iterable[QueueUse], owners: Mapping[int, str]) -> Lending:
    """Who lent to whom, of queue sums and the team that owns each pool; teams by name, the unknown one last."""
    pairs: defaultdict[tuple[str, str], int] = defaultdict(int)
    own: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        lender, beyond = owners[row.pool_id], row.borrower_busy or 0
        if not beyond:
            continue
        if row.team == lender:
            own[lender] += beyond
        else:
            pairs[lender, row.team] += beyond
    teams = sorted({*own, *(team for pair in pairs for team in pair)}, key=lambda team: (not team, team))
    balances = tuple(
        Balance(
            team,
            lent=sum(amount for (lender, _), amount in pairs.items() if lender == team),
            borrowed=sum(amount for (_, borrower), amount in pairs.items() if borrower == team),
            own_beyond=own.get(team, 0),
        )
        for team in teams
    )
    return Lending(dict(sorted(pairs.items(), key=lambda pair: [(not team, team) for team in pair[0]])), balances)
