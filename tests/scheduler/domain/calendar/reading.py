"""A second reader of iCalendar, which shares no code with the library that writes it: unfold, split, unescape."""

import re

LINE = re.compile(rb"^([A-Z-]+)((?:;[A-Z-]+=[^;:]*)*):(.*)$", re.DOTALL)


def unfolded(data: bytes) -> list[bytes]:
    """The content lines; every line must end in CRLF and hold at most 75 octets, none of them a control."""
    assert data.endswith(b"\r\n")
    lines = data[:-2].split(b"\r\n")
    for line in lines:
        assert len(line) <= 75
        assert not re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", line)
        line.decode()  # no fold within a character
    return data[:-2].replace(b"\r\n ", b"").split(b"\r\n")


def events(data: bytes) -> list[dict[str, str]]:
    """The properties of each VEVENT, texts unescaped; parameters stand behind a semicolon in the name."""
    found: list[dict[str, str]] = []
    inside = False
    for line in unfolded(data):
        matched = LINE.match(line)
        assert matched, line
        name, parameters, value = (part.decode() for part in matched.groups())
        if (name, value) == ("BEGIN", "VEVENT"):
            found.append({})
            inside = True
        elif (name, value) == ("END", "VEVENT"):
            inside = False
        elif inside:
            assert name + parameters not in found[-1]
            found[-1][name + parameters] = unescaped(value)
    return found


def unescaped(text: str) -> str:
    """A text value as it was before ``\\n``, ``\\,``, ``\\;`` and ``\\\\``."""
    return re.sub(r"\\(.)", lambda one: "\n" if one[1] in "nN" else one[1], text)
