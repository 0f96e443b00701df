"""What is submitted, approved or published never changes: the database itself refuses, whoever asks."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION reservations_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is never changed afterwards', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION reservations_keep_submitted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.submitted_at IS NOT NULL THEN
        RAISE EXCEPTION 'a submitted version is never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION reservations_keep_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'published' THEN
        RAISE EXCEPTION 'a published rule is never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION reservations_keep_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM reservations_exceptionversion
        WHERE id = COALESCE(NEW.version_id, OLD.version_id) AND submitted_at IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'files of a submitted version are never changed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE FUNCTION reservations_keep_conditions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.met_at IS NOT NULL OR NEW.text <> OLD.text OR NEW.due_on <> OLD.due_on THEN
        RAISE EXCEPTION 'a condition is met once and never reworded' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER exception_version_is_frozen BEFORE UPDATE OR DELETE ON reservations_exceptionversion
    FOR EACH ROW EXECUTE FUNCTION reservations_keep_submitted();
CREATE TRIGGER exception_files_are_frozen BEFORE INSERT OR UPDATE OR DELETE ON reservations_exceptionattachment
    FOR EACH ROW EXECUTE FUNCTION reservations_keep_files();
CREATE TRIGGER exception_moves_stand BEFORE UPDATE OR DELETE ON reservations_exceptionmove
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
CREATE TRIGGER exception_parts_stand BEFORE UPDATE OR DELETE ON reservations_exceptionpart
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
CREATE TRIGGER exception_approvals_stand BEFORE UPDATE OR DELETE ON reservations_exceptionapproval
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
CREATE TRIGGER exception_conditions_stand BEFORE UPDATE ON reservations_exceptioncondition
    FOR EACH ROW EXECUTE FUNCTION reservations_keep_conditions();
CREATE TRIGGER exception_conditions_stay BEFORE DELETE ON reservations_exceptioncondition
    FOR EACH ROW EXECUTE FUNCTION reservations_refuse_change();
CREATE TRIGGER procurement_rule_is_frozen BEFORE UPDATE OR DELETE ON reservations_procurementrule
    FOR EACH ROW EXECUTE FUNCTION reservations_keep_published();
"""

BACK = """
DROP TRIGGER procurement_rule_is_frozen ON reservations_procurementrule;
DROP TRIGGER exception_conditions_stay ON reservations_exceptioncondition;
DROP TRIGGER exception_conditions_stand ON reservations_exceptioncondition;
DROP TRIGGER exception_approvals_stand ON reservations_exceptionapproval;
DROP TRIGGER exception_parts_stand ON reservations_exceptionpart;
DROP TRIGGER exception_moves_stand ON reservations_exceptionmove;
DROP TRIGGER exception_files_are_frozen ON reservations_exceptionattachment;
DROP TRIGGER exception_version_is_frozen ON reservations_exceptionversion;
DROP FUNCTION reservations_keep_conditions, reservations_keep_files, reservations_keep_published,
    reservations_keep_submitted, reservations_refuse_change;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0015_exceptions_and_approvals"),
    ]

    operations = [migrations.RunSQL(FORWARD, BACK)]
