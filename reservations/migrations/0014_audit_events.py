from django.db import migrations, models

# Refused to every role, the owner's too, and in every replication role: whoever wants to change the trail has to take a
# trigger away first, and verify_audit finds what was changed behind it.
PROTECT = """
CREATE FUNCTION moorage_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only ever added to: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION moorage_audit_continue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE reservations_audithead SET count = NEW.sequence, hash = NEW.hash
        WHERE id = 1 AND count = NEW.sequence - 1 AND hash = NEW.previous_hash;
    IF NOT FOUND THEN
        IF NEW.sequence <> 1 OR EXISTS (SELECT FROM reservations_audithead) THEN
            RAISE EXCEPTION 'event % does not continue the audit trail', NEW.sequence
                USING ERRCODE = 'restrict_violation';
        END IF;
        INSERT INTO reservations_audithead (id, count, hash) VALUES (1, 1, NEW.hash);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION moorage_audit_head_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id = 1 AND EXISTS (
        SELECT FROM reservations_auditevent WHERE sequence = NEW.count AND hash = NEW.hash
            AND CASE WHEN TG_OP = 'INSERT' THEN sequence = 1
                     ELSE NEW.count = OLD.count + 1 AND previous_hash = OLD.hash END
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of the audit trail follows its events and nothing else'
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER audit_event_stays BEFORE UPDATE OR DELETE ON reservations_auditevent
    FOR EACH ROW EXECUTE FUNCTION moorage_audit_refuse();
CREATE TRIGGER audit_events_stay BEFORE TRUNCATE ON reservations_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION moorage_audit_refuse();
CREATE TRIGGER audit_event_continues AFTER INSERT ON reservations_auditevent
    FOR EACH ROW EXECUTE FUNCTION moorage_audit_continue();
CREATE TRIGGER audit_head_follows BEFORE INSERT OR UPDATE ON reservations_audithead
    FOR EACH ROW EXECUTE FUNCTION moorage_audit_head_follows();
CREATE TRIGGER audit_head_stays BEFORE DELETE ON reservations_audithead
    FOR EACH ROW EXECUTE FUNCTION moorage_audit_refuse();
CREATE TRIGGER audit_heads_stay BEFORE TRUNCATE ON reservations_audithead
    FOR EACH STATEMENT EXECUTE FUNCTION moorage_audit_refuse();

ALTER TABLE reservations_auditevent ENABLE ALWAYS TRIGGER audit_event_stays;
ALTER TABLE reservations_auditevent ENABLE ALWAYS TRIGGER audit_events_stay;
ALTER TABLE reservations_auditevent ENABLE ALWAYS TRIGGER audit_event_continues;
ALTER TABLE reservations_audithead ENABLE ALWAYS TRIGGER audit_head_follows;
ALTER TABLE reservations_audithead ENABLE ALWAYS TRIGGER audit_head_stays;
ALTER TABLE reservations_audithead ENABLE ALWAYS TRIGGER audit_heads_stay;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0013_alert_scopes"),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "sequence",
                    models.PositiveBigIntegerField(
                        help_text="without a gap, from 1", primary_key=True, serialize=False
                    ),
                ),
                ("at", models.DateTimeField(help_text="by the database's clock")),
                ("act", models.CharField(max_length=64)),
                ("about", models.CharField(help_text="the kind of thing that was acted on", max_length=64)),
                ("ident", models.CharField(blank=True, max_length=200)),
                ("by_name", models.CharField(blank=True, help_text="blank: nobody who was logged in", max_length=150)),
                ("by_id", models.CharField(blank=True, max_length=32)),
                (
                    "acting_for",
                    models.CharField(blank=True, help_text="whose authority was used, if another's", max_length=150),
                ),
                (
                    "via",
                    models.CharField(
                        choices=[("page", "page"), ("api", "api"), ("command", "command"), ("task", "task")],
                        max_length=16,
                    ),
                ),
                ("address", models.CharField(blank=True, help_text="the network address it came from", max_length=64)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("before", models.TextField(blank=True, help_text="JSON as it was hashed; blank: nothing stood there")),
                (
                    "after",
                    models.TextField(
                        blank=True, help_text="JSON as it was hashed; blank: nothing stands there any more"
                    ),
                ),
                ("why", models.TextField(blank=True)),
                ("previous_hash", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64, unique=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["at"], name="audit_by_time"),
                    models.Index(fields=["about", "ident", "sequence"], name="audit_by_object"),
                    models.Index(fields=["by_name", "sequence"], name="audit_by_person"),
                    models.Index(fields=["act", "sequence"], name="audit_by_act"),
                ],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("sequence__gt", 0)), name="audit_counts_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("act", ""), _negated=True), models.Q(("about", ""), _negated=True)
                        ),
                        name="audit_says_what_of_what",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("via__in", ["page", "api", "command", "task"])), name="audit_via_is_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("hash__regex", "^[0-9a-f]{64}$"),
                            ("previous_hash__regex", "^[0-9a-f]{64}$"),
                            models.Q(("hash", models.F("previous_hash")), _negated=True),
                        ),
                        name="audit_hashes_are_hashes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("previous_hash", "0000000000000000000000000000000000000000000000000000000000000000"),
                                ("sequence", 1),
                            ),
                            models.Q(
                                ("sequence__gt", 1),
                                models.Q(
                                    (
                                        "previous_hash",
                                        "0000000000000000000000000000000000000000000000000000000000000000",
                                    ),
                                    _negated=True,
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="audit_begins_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditHead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("count", models.PositiveBigIntegerField()),
                ("hash", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="audit_head_is_one_row")],
            },
        ),
        migrations.RunSQL(PROTECT, migrations.RunSQL.noop),
    ]
