"""The CSV file to fill in for an import."""

from reservations.domain.manual_entry import FIELDS
from reservations.tables.writing import csv_text

EXAMPLE = {
    "provider": "gcp",
    "id": "h100-train-1",
    "instance_type": "a3-megagpu-8g",
    "instances": "16",
    "gpus_per_instance": "8",
    "zone": "us-central1-a",
    "start": "2026-05-01",
    "end": "2027-05-01",
    "usable_until": "",
    "upfront_fee": "120000",
    "currency": "USD",
    "owner": "",
    "pool": "",
    "resizes": "2026-09-01 12; 2026-11-01 20",
}


def import_template() -> str:
    """The header and one line as an example."""
    return csv_text([EXAMPLE], FIELDS)
