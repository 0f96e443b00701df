"""What a provider reported of commitments, stored by the day; a call that failed leaves what was known before."""

from collections.abc import Iterable

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.domain.commitment_money import CommitmentDay
from reservations.domain.commitment_report import CommitmentAnswer, Report
from reservations.models import Account, Commitment, CommitmentFetch, CommitmentReport

_FIGURES = ("cost", "used", "unused", "on_demand_equivalent", "hours", "covered", "coverable", "on_demand")


@transaction.atomic
def record_answer(*, answer: CommitmentAnswer) -> int:
    """Store every day of an answer in place of what was known of it, and that it was asked; how many days there were.

    A later figure of a day wins, since providers mend theirs. Safe to repeat. Reports of a commitment that is no longer
    recorded are dropped.
    """
    account = Account.objects.select_for_update().get(name=answer.account)
    commitments = dict(Commitment.objects.filter(account=account).values_list("provider_id", "pk"))
    rows = [
        row
        for report in answer.reports
        if not report.provider_id or report.provider_id in commitments
        for row in _replaced(account, commitments.get(report.provider_id), report, answer)
    ]
    CommitmentReport.objects.bulk_create(rows)
    CommitmentFetch.objects.update_or_create(
        account=account,
        fetched_at=answer.asked_at,
        defaults={
            "period": DateRange(answer.start, answer.end),
            "requests": answer.requests,
            "failures": dict(answer.failures),
        },
    )
    return len(rows)


def _replaced(
    account: Account, commitment_id: int | None, report: Report, answer: CommitmentAnswer
) -> Iterable[CommitmentReport]:
    days: dict[object, CommitmentDay] = {
        one.day: one for one in report.days if answer.start <= one.day < answer.end
    }  # one day twice: the last
    key = {
        "account": account,
        "commitment_id": commitment_id,
        "family": report.family.value,
        "measure": report.measure.value,
    }
    CommitmentReport.objects.filter(**key, day__in=list(days)).delete()
    for one in days.values():
        figures = {name: getattr(one, name) for name in _FIGURES}
        yield CommitmentReport(**key, day=one.day, currency=one.currency, fetched_at=answer.asked_at, **figures)
