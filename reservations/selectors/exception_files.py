"""The files of a draft, without their bytes."""

from django.db.models import F

from reservations.models import ExceptionAttachment
from reservations.selectors.exception_told import FileTold


def files_of_draft(request_id: int) -> list[FileTold]:
    """The files of the newest version of a request, as they were added."""
    newest = ExceptionAttachment.objects.filter(
        version__request_id=request_id, version__number=F("version__request__version")
    )
    rows = newest.order_by("pk").values_list("pk", "name", "media_type", "size", "sha256", "added_by_name", "added_at")
    return [FileTold(*row) for row in rows]
