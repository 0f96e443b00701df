"""Who has a second factor: one of their own here, or their provider's where the settings trust it."""

from collections.abc import Callable
from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, Value
from django.db.models.expressions import Combinable

from reservations.models import User

OF_ONE_S_OWN = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
SEVERAL_FACTORS = "mfa"
"""What a provider says under ``amr`` when it asked for more than one factor (RFC 8176)."""


@dataclass(frozen=True, slots=True)
class FactorPolicy:
    """Whether anybody is asked for a second factor, and when a provider's counts: never, amr (it says so) or always."""

    asked: bool = True
    provider: str = "never"


_policy: Callable[[], FactorPolicy] = FactorPolicy


def follow_factor_policy(read: Callable[[], FactorPolicy]) -> None:
    """Ask ``read`` from now on, each time: the wiring hands the settings in, which this floor does not read."""
    global _policy
    _policy = read


def has_second_factor(user_id: int) -> bool:
    """Whether a log-in has a second factor; always true where the settings ask nobody for one."""
    found = User.objects.filter(pk=user_id).annotate(shown=second_factor_shown())
    return bool(found.values_list("shown", flat=True).first())


def second_factor_shown(user: str = "") -> Combinable:
    """The same as a column of a query over users, or over rows that lead to one by ``user`` (``user__``).

    A provider's factor counts only where the provider is the one way in: no password stands beside it.
    """
    policy = _policy()
    if not policy.asked:
        return Value(True, output_field=BooleanField())
    who = OuterRef(f"{user}pk")
    shown = Q(Exists(Authenticator.objects.filter(user_id=who, type__in=OF_ONE_S_OWN)))
    if policy.provider != "never":
        told = SocialAccount.objects.filter(user_id=who)
        if policy.provider == "amr":
            told = told.filter(extra_data__id_token__amr__contains=[SEVERAL_FACTORS])
        shown |= Q(Exists(told)) & Q(**{f"{user}password__startswith": UNUSABLE_PASSWORD_PREFIX})
    return ExpressionWrapper(shown, output_field=BooleanField())
