"""Files that commands read and write: an object of JSON in, a text out, whole or not at all."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

from scheduler.domain.allocation.scenario_text import UnableToReadScenario, json_object

STANDARD = "-"
"""The name that stands for standard input or output."""


class UnableToUseFile(Exception):
    """A file that can't be read or written; the message is one sentence."""


def object_in(name: str, *, what: str, most_bytes: int) -> dict[str, object]:
    """The object of JSON in a file, or on standard input where the name is ``-``; ``what`` begins what is said of it.

    UnableToUseFile when it can't be read, is too large, or is no such object.
    """
    try:
        text = _read(name, most_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnableToUseFile(f"{what} {name} can't be read: {why}") from error
    if len(text) > most_bytes:
        raise UnableToUseFile(f"{what} {name} is larger than {most_bytes:,} bytes")
    try:
        return json_object(text, what=what)
    except UnableToReadScenario as unable:
        raise UnableToUseFile(str(unable)) from unable


def written_whole(name: str) -> Callable[[str], None]:
    """What writes a text to a file at once or not at all; asked for before the work, it says what would fail after it.

    UnableToUseFile when there is no such folder, it takes no files, or the name is that of a folder.
    """
    target = Path(name)
    try:
        if target.is_dir():
            raise UnableToUseFile(f"--output {name} is a folder: name a file")
        if not target.parent.is_dir():
            raise UnableToUseFile(f"--output {name}: there is no folder {target.parent}")
    except ValueError as error:
        raise UnableToUseFile(f"--output can't be written: {error}") from error
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UnableToUseFile(f"--output {name}: the folder {target.parent} takes no files of yours")
    return lambda text: _write(target, text)


def _read(name: str, most: int) -> bytes:
    if name == STANDARD:
        return sys.stdin.buffer.read(most)
    with Path(name).open("rb") as file:
        return file.read(most)


def _write(target: Path, text: str) -> None:
    place = target.resolve()  # through a link, the file it leads to
    beside = None
    try:
        with NamedTemporaryFile("w", dir=place.parent, prefix=f".{place.name[:100]}-", delete=False) as file:
            beside = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~_umask())
        beside.replace(place)
    except OSError as error:
        raise UnableToUseFile(f"--output {target} can't be written: {error.strerror}") from error
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
