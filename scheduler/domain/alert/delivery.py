"""Which message is owed to whom and when: once for each step of an episode and each recipient."""

from enum import StrEnum


class ChannelName(StrEnum):
    """The ways out."""

    EMAIL = "email"
    APPRISE = "apprise"
    WEBHOOK = "webhook"


class Mode(StrEnum):
    """``at_once``, or in the day's ``digest``."""

    AT_ONCE = "at_once"
    DIGEST = "digest"


class DeliveryState(StrEnum):
    """``due`` until it is out; ``failed``: given up; ``dropped``: its episode ended or its address went before it was
    out."""

    DUE = "due"
    SENT = "sent"
    FAILED = "failed"
    DROPPED = "dropped"
