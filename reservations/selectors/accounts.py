"""The cloud accounts that are asked for their reservations."""

from dataclasses import dataclass

from reservations.models import Account


@dataclass(frozen=True, slots=True)
class AccountToAsk:
    """One account as configured; blank ``role_arn``: the credentials of the environment are its own."""

    name: str
    provider: str
    account_id: str
    regions: tuple[str, ...]
    role_arn: str
    external_id: str
    endpoint_url: str


def accounts_to_ask() -> list[AccountToAsk]:
    """Every configured account, by name."""
    return [
        AccountToAsk(
            name=account.name,
            provider=account.provider,
            account_id=account.account_id,
            regions=tuple(account.regions),
            role_arn=account.role_arn,
            external_id=account.external_id,
            endpoint_url=account.endpoint_url,
        )
        for account in Account.objects.order_by("name")
    ]
