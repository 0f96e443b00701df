"""What decisions were taken with stands as it was, one reservation answers one request, and a rule keeps its writers."""

import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models import Q

FORWARD = """
CREATE OR REPLACE FUNCTION reservations_keep_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM reservations_exceptionversion
        WHERE (id = NEW.version_id OR id = OLD.version_id) AND submitted_at IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'files of a submitted version are never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION reservations_keep_delegation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.delegator_id, NEW.delegate_id, NEW.up_to, NEW.currency, NEW.types, NEW.reason, NEW.made_at)
        IS DISTINCT FROM
       (OLD.delegator_id, OLD.delegate_id, OLD.up_to, OLD.currency, OLD.types, OLD.reason, OLD.made_at)
       OR OLD.ended_at IS NOT NULL
       OR NOT (NEW.period <@ OLD.period)
    THEN
        RAISE EXCEPTION 'a delegation is ended and never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION reservations_keep_glass() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.verdict <> ''
       OR (NEW.version_id, NEW.reason, NEW.opened_by_id, NEW.opened_at, NEW.sign_off_due_at)
          IS DISTINCT FROM (OLD.version_id, OLD.reason, OLD.opened_by_id, OLD.opened_at, OLD.sign_off_due_at)
    THEN
        RAISE EXCEPTION 'an emergency is signed off once and never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER delegation_stands BEFORE UPDATE ON reservations_delegation
    FOR EACH ROW EXECUTE FUNCTION reservations_keep_delegation();
CREATE TRIGGER delegation_stays BEFORE DELETE ON reservations_delegation
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
CREATE TRIGGER break_glass_stands BEFORE UPDATE ON reservations_breakglass
    FOR EACH ROW EXECUTE FUNCTION reservations_keep_glass();
CREATE TRIGGER break_glass_stays BEFORE DELETE ON reservations_breakglass
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
CREATE TRIGGER exception_request_stays BEFORE DELETE ON reservations_exceptionrequest
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
"""

BACK = """
DROP TRIGGER exception_request_stays ON reservations_exceptionrequest;
DROP TRIGGER break_glass_stays ON reservations_breakglass;
DROP TRIGGER break_glass_stands ON reservations_breakglass;
DROP TRIGGER delegation_stays ON reservations_delegation;
DROP TRIGGER delegation_stands ON reservations_delegation;
DROP FUNCTION reservations_keep_glass, reservations_keep_delegation;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0017_when_a_role_was_changed"),
    ]

    operations = [
        migrations.AddField(
            "procurementrule",
            "writers",
            django.contrib.postgres.fields.ArrayField(
                models.BigIntegerField(), default=list, editable=False, blank=True
            ),
        ),
        migrations.AddConstraint(
            "exceptionrequest",
            models.UniqueConstraint(
                fields=["executed_with"],
                condition=Q(executed_with__isnull=False),
                name="exception_reservation_bought_once",
            ),
        ),
        migrations.RunSQL(FORWARD, BACK),
    ]
