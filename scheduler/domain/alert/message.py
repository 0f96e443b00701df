"""One message as a channel takes it, and why it could not be delivered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


class UnableToDeliver(Exception):
    """A message that is not out; ``permanent``: trying again can't help. The sentence holds nothing secret."""

    def __init__(self, sentence: str, *, permanent: bool) -> None:
        super().__init__(sentence)
        self.permanent = permanent


@dataclass(frozen=True, slots=True)
class Message:
    """What is told; ``id`` is the same on each try, so that a receiver can tell a repeat.

    ``data`` is what a program gets: JSON values alone. ``sent_at`` is when this try is made.
    """

    id: str
    subject: str
    text: str
    html: str
    data: Mapping[str, object]
    sent_at: datetime
