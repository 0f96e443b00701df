"""The documents of one object's evidence pack."""

from collections.abc import Sequence

from reservations.domain.audit_chain import Event
from reservations.tables.evidence_pack import Document, json_document, trail_documents


def pack_documents(given: Sequence[tuple[str, str, object]], events: Sequence[Event]) -> list[Document]:
    """What the object's kind gave, then its trail."""
    told = [
        Document(name, says, content) if isinstance(content, bytes) else json_document(name, says, content)
        for name, says, content in given
    ]
    return [*told, *trail_documents(events)]
