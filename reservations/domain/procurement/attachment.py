"""Files beside a request: which kinds are taken, told by their content, and under which name they are kept."""

import re
import unicodedata

LARGEST = 5 * 1024 * 1024
MOST = 10
LONGEST_NAME = 120

_SIGNATURES = (
    (b"%PDF-", "application/pdf", "pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
)
_TEXTS = {"txt": "text/plain", "csv": "text/csv", "md": "text/plain"}
_OFFICE = {
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", b"word/"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", b"xl/"),
}
TAKEN = "PDF, PNG, JPEG, plain text, CSV, DOCX and XLSX"


class UnableToAttach(ValueError):
    """A file is not taken; the message is one sentence."""


def media_type(content: bytes, name: str) -> str:
    """The media type by the file's first bytes, which its ending must fit; UnableToAttach for all else."""
    if not content:
        raise UnableToAttach("The file is empty.")
    if len(content) > LARGEST:
        raise UnableToAttach(f"The file is larger than {LARGEST // 1024 // 1024} MiB.")
    ending = name.rpartition(".")[2].lower()
    for begins, kind, fits in _SIGNATURES:
        if content.startswith(begins):
            return _fitting(kind, ending in (fits, "jpeg" if fits == "jpg" else fits))
    if content.startswith(b"PK\x03\x04") and ending in _OFFICE:
        kind, holds = _OFFICE[ending]
        return _fitting(kind, holds in content and b"[Content_Types].xml" in content and b"vbaProject" not in content)
    if ending in _TEXTS and _is_text(content):
        return _TEXTS[ending]
    raise UnableToAttach(f"This kind of file is not taken: {TAKEN} are.")


def clean_name(name: str) -> str:
    """A file's name without folders, controls and what a header or a page could trip over; never blank."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    kept = "".join(one if one.isalnum() or one in " ._-()" else "_" for one in last).strip(" .")
    stem, dot, ending = kept.rpartition(".")
    if not dot:
        return kept[:LONGEST_NAME] or "file"
    return f"{stem[: LONGEST_NAME - len(ending) - 1] or 'file'}.{ending[:10]}"


def _fitting(kind: str, fits: bool) -> str:
    if not fits:
        raise UnableToAttach(f"The file's content is not what its name says: {TAKEN} are taken.")
    return kind


def _is_text(content: bytes) -> bool:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not any(unicodedata.category(one) == "Cc" and one not in "\t\n\r" for one in text)
