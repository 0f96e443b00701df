"""The key that one shown form carries, so that sending it twice does its work once."""

from uuid import UUID


class UnableToReadKey(ValueError):
    """A text that is no key; the message is one sentence."""


def form_key(said: UUID | str | None) -> UUID | None:
    """A form's key; None where it carries none, UnableToReadKey for a text that is none."""
    try:
        return said if said is None or isinstance(said, UUID) else UUID(said)
    except ValueError:
        raise UnableToReadKey("The form is not whole: open it again.") from None
