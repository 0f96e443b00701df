"""An evidence pack: documents about one object in one file, with a manifest by which each of them can be checked."""

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from reservations.domain.audit_chain import Event, Head
from reservations.domain.audit_state import state_text
from reservations.tables.audit import audit_sheet, event_lines
from reservations.tables.sheet import sheet_csv

MANIFEST = "manifest.json"

READ_ME = """How to check this pack

manifest.json names every file with its size and its SHA-256: compute them anew and compare.

trail.jsonl holds the events of the audit trail, one a line. Take "hash" out of a line, write the rest as JSON with the
keys in order, no blanks and everything beyond ASCII escaped: the SHA-256 of that text is the hash. "previous_hash" is
the hash of the event numbered one less, which may be about another object and is then not in this pack.

"head" in the manifest is how far the whole trail had come: the number of its events and the hash of the last. Compare
it with a head that was noted elsewhere: manage.py verify_audit --expect COUNT:HASH.
"""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of a pack; ``says`` is what an auditor finds in it."""

    name: str
    says: str
    body: bytes


def json_document(name: str, says: str, value: object) -> Document:
    """A document of JSON, written so that the same content gives the same bytes."""
    text = json.dumps(json.loads(state_text({"": value}))[""], sort_keys=True, indent=2, ensure_ascii=False)
    return Document(name, says, f"{text}\n".encode())


def trail_documents(events: Sequence[Event]) -> list[Document]:
    """The trail as text to check and as a table to read."""
    return [
        Document("trail.jsonl", "every event about it, as it is hashed", "".join(event_lines(events)).encode()),
        Document("trail.csv", "the same as a table", sheet_csv(audit_sheet(events)).encode()),
    ]


def evidence_pack(
    documents: Iterable[Document], *, about: str, ident: str, head: Head | None, made_at: datetime, made_by: str
) -> bytes:
    """A ZIP file of these documents, a manifest of them and how to check it; the same documents give the same files."""
    files = [*documents, Document("READ-ME.txt", "how to check this pack", READ_ME.encode())]
    names = [one.name for one in files]
    if len(set(names)) != len(names) or MANIFEST in names:
        raise ValueError(f"two documents of a pack have one name: {', '.join(sorted(names))}")
    manifest = {
        "about": about,
        "ident": ident,
        "made_at": made_at.astimezone(UTC).isoformat(),
        "made_by": made_by,
        "head": str(head) if head else None,
        "files": [
            {"name": one.name, "says": one.says, "bytes": len(one.body), "sha256": sha256(one.body).hexdigest()}
            for one in files
        ],
    }
    written = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    held = io.BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as archive:
        for one in [*files, Document(MANIFEST, "", written.encode())]:
            at = made_at.astimezone(UTC).timetuple()[:6]
            archive.writestr(ZipInfo(one.name, date_time=at), one.body, ZIP_DEFLATED)
    return held.getvalue()
