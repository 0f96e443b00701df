import pytest

from reservations.models import Owner


@pytest.mark.django_db
def test_the_database_is_real() -> None:
    Owner.objects.create(name="serving")
    assert Owner.objects.count() == 1
