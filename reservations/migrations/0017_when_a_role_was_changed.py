"""A role that is changed in place counts as granted then: it must not look as if it had been held for long."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION reservations_date_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.granted_at := clock_timestamp();
    RETURN NEW;
END $$;

CREATE TRIGGER role_grant_is_dated BEFORE UPDATE ON reservations_rolegrant FOR EACH ROW
    WHEN ((OLD.role, OLD.team_id, OLD.user_id) IS DISTINCT FROM (NEW.role, NEW.team_id, NEW.user_id))
    EXECUTE FUNCTION reservations_date_grant();
"""

BACK = """
DROP TRIGGER role_grant_is_dated ON reservations_rolegrant;
DROP FUNCTION reservations_date_grant;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0016_frozen_requests"),
    ]

    operations = [migrations.RunSQL(FORWARD, BACK)]
