import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reservations", "0014_audit_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="BreakGlass",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField(max_length=2000)),
                ("opened_by_name", models.CharField(max_length=150)),
                ("opened_at", models.DateTimeField()),
                ("sign_off_due_at", models.DateTimeField()),
                ("signed_by_name", models.CharField(blank=True, max_length=150)),
                ("signed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "verdict",
                    models.CharField(blank=True, choices=[("agreed", "Agreed"), ("refused", "Refused")], max_length=8),
                ),
                ("note", models.TextField(blank=True, max_length=2000)),
            ],
        ),
        migrations.CreateModel(
            name="Delegation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "period",
                    django.contrib.postgres.fields.ranges.DateTimeRangeField(
                        help_text="half-open; shorter once it was ended early"
                    ),
                ),
                ("up_to", models.DecimalField(decimal_places=2, max_digits=18)),
                ("currency", models.CharField(max_length=3)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=24), blank=True, default=list, size=None
                    ),
                ),
                ("reason", models.TextField(max_length=2000)),
                ("key", models.UUIDField(blank=True, null=True, unique=True)),
                ("made_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("ended_by_name", models.CharField(blank=True, max_length=150)),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="ExceptionApproval",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("step", models.CharField(max_length=24)),
                ("person_name", models.CharField(max_length=150)),
                ("acting_for_name", models.CharField(blank=True, max_length=150)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "viewer"),
                            ("owner", "owner"),
                            ("operator", "operator"),
                            ("analyst", "analyst"),
                            ("approver", "approver"),
                            ("auditor", "auditor"),
                            ("admin", "admin"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "authority",
                    models.CharField(help_text="the rule's version and the clause, in words", max_length=300),
                ),
                ("content_hash", models.CharField(max_length=64)),
                (
                    "role_is_recent",
                    models.BooleanField(default=False, help_text="granted within the rule's days before"),
                ),
                ("note", models.TextField(blank=True, max_length=2000)),
                ("approved_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("approved_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="ExceptionAttachment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("media_type", models.CharField(max_length=100)),
                ("size", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("content", models.BinaryField()),
                ("added_by_name", models.CharField(max_length=150)),
                ("added_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="ExceptionCondition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=2000)),
                ("due_on", models.DateField()),
                ("met_at", models.DateTimeField(blank=True, null=True)),
                ("met_by_name", models.CharField(blank=True, max_length=150)),
                ("met_note", models.TextField(blank=True, max_length=2000)),
            ],
            options={
                "ordering": ("due_on", "id"),
            },
        ),
        migrations.CreateModel(
            name="ExceptionMove",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("version", models.PositiveIntegerField()),
                (
                    "move",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("submit", "submit"),
                            ("keep", "keep"),
                            ("withdraw", "withdraw"),
                            ("revise", "revise"),
                            ("approve_step", "approve_step"),
                            ("approve", "approve"),
                            ("return", "return"),
                            ("reject", "reject"),
                            ("lapse", "lapse"),
                            ("execute", "execute"),
                            ("break_glass", "break_glass"),
                            ("sign_off", "sign_off"),
                            ("refuse_sign_off", "refuse_sign_off"),
                            ("meet_condition", "meet_condition"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("submitted", "submitted"),
                            ("returned", "returned"),
                            ("withdrawn", "withdrawn"),
                            ("approved", "approved"),
                            ("rejected", "rejected"),
                            ("lapsed", "lapsed"),
                            ("executed", "executed"),
                        ],
                        help_text="after it",
                        max_length=16,
                    ),
                ),
                ("reason", models.TextField(blank=True, max_length=2000)),
                ("told", models.TextField(blank=True, help_text="what it did, in one sentence")),
                ("key", models.UUIDField(blank=True, null=True, unique=True)),
                (
                    "by_name",
                    models.CharField(blank=True, help_text="the log-in at that time; blank: no person", max_length=150),
                ),
                ("acting_for_name", models.CharField(blank=True, max_length=150)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="ExceptionPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "part",
                    models.CharField(
                        choices=[
                            ("requester", "requester"),
                            ("approver", "approver"),
                            ("represented", "represented"),
                            ("executor", "executor"),
                            ("second", "second"),
                        ],
                        max_length=16,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ExceptionRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("requester_name", models.CharField(help_text="the log-in at that time", max_length=150)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("submitted", "submitted"),
                            ("returned", "returned"),
                            ("withdrawn", "withdrawn"),
                            ("approved", "approved"),
                            ("rejected", "rejected"),
                            ("lapsed", "lapsed"),
                            ("executed", "executed"),
                        ],
                        default="draft",
                        max_length=16,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("moves", models.PositiveIntegerField(default=1, help_text="the number of the last move")),
                (
                    "recommendation",
                    models.PositiveBigIntegerField(blank=True, help_text="the one it was asked from", null=True),
                ),
                ("created_at", models.DateTimeField()),
                ("moved_at", models.DateTimeField(help_text="of the last move")),
                ("decide_by", models.DateField(blank=True, null=True)),
                ("approved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "valid_until",
                    models.DateTimeField(blank=True, help_text="until when an approval may be executed", null=True),
                ),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="ExceptionVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("typed", models.JSONField(default=dict, help_text="the form's fields as they were typed")),
                (
                    "saves",
                    models.PositiveIntegerField(
                        default=1, help_text="counts up, so that no save overwrites another unseen"
                    ),
                ),
                ("saved_at", models.DateTimeField()),
                ("author_name", models.CharField(max_length=150)),
                ("required", models.JSONField(default=list, help_text="the steps it needs, as the rule in force said")),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("over_rule", "over_rule"),
                            ("under_rule", "under_rule"),
                            ("below_break_even", "below_break_even"),
                            ("short_history", "short_history"),
                            ("late", "late"),
                            ("other_shape", "other_shape"),
                            ("long_term", "long_term"),
                            ("upfront", "upfront"),
                            ("over_budget", "over_budget"),
                            ("emergency", "emergency"),
                            ("block_extension", "block_extension"),
                            ("idle_hold", "idle_hold"),
                            ("early_release", "early_release"),
                            ("borrow_override", "borrow_override"),
                            ("checkpoint_override", "checkpoint_override"),
                        ],
                        max_length=24,
                    ),
                ),
                ("shape", models.CharField(blank=True, max_length=64)),
                ("nodes", models.PositiveIntegerField(blank=True, null=True)),
                ("term_start", models.DateField(blank=True, null=True)),
                ("term_end", models.DateField(blank=True, null=True)),
                ("amount", models.DecimalField(blank=True, decimal_places=2, max_digits=18, null=True)),
                (
                    "authority_amount",
                    models.DecimalField(
                        blank=True,
                        decimal_places=2,
                        help_text="that its steps were chosen by",
                        max_digits=18,
                        null=True,
                    ),
                ),
                ("node_hour_price", models.DecimalField(blank=True, decimal_places=6, max_digits=16, null=True)),
                ("currency", models.CharField(blank=True, max_length=3)),
                ("content", models.TextField(blank=True)),
                ("content_hash", models.CharField(blank=True, max_length=64)),
                ("evidence", models.TextField(blank=True)),
                ("evidence_hash", models.CharField(blank=True, max_length=64)),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-number",),
            },
        ),
        migrations.RemoveConstraint(
            model_name="accesstoken",
            name="token_scopes_are_known",
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="author",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="author_name",
            field=models.CharField(blank=True, editable=False, help_text="blank: a configuration file", max_length=150),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="drafted_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="effective_from",
            field=models.DateField(blank=True, help_text="blank: from its publication on", null=True),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="effective_to",
            field=models.DateField(blank=True, help_text="the first day it no longer holds; blank: open", null=True),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="note",
            field=models.CharField(blank=True, help_text="what changed and why", max_length=500),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="published_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="published_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="procurementrule",
            name="published_by_name",
            field=models.CharField(blank=True, editable=False, max_length=150),
        ),
        # Without the default first, so that roles of before do not all look as if they had been granted now.
        migrations.AddField(
            model_name="rolegrant",
            name="granted_at",
            field=models.DateTimeField(null=True, blank=True, editable=False, help_text="blank: before this was kept"),
        ),
        migrations.AlterField(
            model_name="rolegrant",
            name="granted_at",
            field=models.DateTimeField(
                blank=True,
                db_default=django.db.models.functions.datetime.Now(),
                editable=False,
                help_text="blank: before this was kept",
                null=True,
            ),
        ),
        migrations.AddConstraint(
            model_name="accesstoken",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "scopes__contained_by",
                        [
                            "read:usage",
                            "read:reservations",
                            "read:pools",
                            "read:health",
                            "allocate",
                            "jobs",
                            "read:alerts",
                            "alerts",
                            "read:exceptions",
                            "exceptions",
                            "approve:exceptions",
                        ],
                    ),
                    ("scopes__len__gt", 0),
                ),
                name="token_scopes_are_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="procurementrule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("published_by__isnull", True),
                    ("author__isnull", True),
                    models.Q(("published_by", models.F("author")), _negated=True),
                    _connector="OR",
                ),
                name="procurement_rule_published_by_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="procurementrule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("effective_to__isnull", True),
                    ("effective_from__isnull", True),
                    ("effective_to__gt", models.F("effective_from")),
                    _connector="OR",
                ),
                name="procurement_rule_effective_forward",
            ),
        ),
        migrations.AddField(
            model_name="breakglass",
            name="opened_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="breakglass",
            name="signed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="delegation",
            name="delegate",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="delegation",
            name="delegator",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptionapproval",
            name="acting_for",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="exceptionapproval",
            name="carried_from",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="reservations.exceptionapproval",
            ),
        ),
        migrations.AddField(
            model_name="exceptionapproval",
            name="delegation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="reservations.delegation",
            ),
        ),
        migrations.AddField(
            model_name="exceptionapproval",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptionapproval",
            name="requester",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptioncondition",
            name="approval",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="conditions",
                to="reservations.exceptionapproval",
            ),
        ),
        migrations.AddField(
            model_name="exceptionmove",
            name="by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptionpart",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptionrequest",
            name="executed_with",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="reservations.reservation",
            ),
        ),
        migrations.AddField(
            model_name="exceptionrequest",
            name="pool",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="reservations.pool"
            ),
        ),
        migrations.AddField(
            model_name="exceptionrequest",
            name="requester",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptionmove",
            name="request",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="trail", to="reservations.exceptionrequest"
            ),
        ),
        migrations.AddField(
            model_name="exceptioncondition",
            name="request",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="conditions",
                to="reservations.exceptionrequest",
            ),
        ),
        migrations.AddField(
            model_name="exceptionversion",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="exceptionversion",
            name="request",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="reservations.exceptionrequest"
            ),
        ),
        migrations.AddField(
            model_name="exceptionversion",
            name="rule",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="reservations.procurementrule",
            ),
        ),
        migrations.AddField(
            model_name="exceptionpart",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="parts", to="reservations.exceptionversion"
            ),
        ),
        migrations.AddField(
            model_name="exceptionattachment",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="attachments",
                to="reservations.exceptionversion",
            ),
        ),
        migrations.AddField(
            model_name="exceptionapproval",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="approvals",
                to="reservations.exceptionversion",
            ),
        ),
        migrations.AddField(
            model_name="breakglass",
            name="version",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="glass", to="reservations.exceptionversion"
            ),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(
                condition=models.Q(("delegator", models.F("delegate")), _negated=True),
                name="delegation_to_somebody_else",
            ),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("period__endswith__isnull", False),
                        ("period__isempty", False),
                        ("period__startswith__isnull", False),
                    ),
                    ("ended_at__isnull", False),
                    _connector="OR",
                ),
                name="delegation_starts_and_ends",
            ),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(condition=models.Q(("up_to__gt", 0)), name="delegation_up_to_an_amount"),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="delegation_has_its_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "types__contained_by",
                        [
                            "over_rule",
                            "under_rule",
                            "below_break_even",
                            "short_history",
                            "late",
                            "other_shape",
                            "long_term",
                            "upfront",
                            "over_budget",
                            "emergency",
                            "block_extension",
                            "idle_hold",
                            "early_release",
                            "borrow_override",
                            "checkpoint_override",
                        ],
                    )
                ),
                name="delegation_types_are_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[
                    (
                        models.Func(
                            models.F("delegator_id"), models.F("delegator_id"), models.Value("[]"), function="int8range"
                        ),
                        "&&",
                    ),
                    (
                        models.Func(
                            models.F("delegate_id"), models.F("delegate_id"), models.Value("[]"), function="int8range"
                        ),
                        "&&",
                    ),
                    ("period", "&&"),
                ],
                name="delegation_once_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="exceptionrequest",
            index=models.Index(fields=["state", "moved_at"], name="exception_by_state"),
        ),
        migrations.AddConstraint(
            model_name="exceptionrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "state__in",
                        ["draft", "submitted", "returned", "withdrawn", "approved", "rejected", "lapsed", "executed"],
                    )
                ),
                name="exception_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["approved", "executed"]), _negated=True),
                    ("approved_at__isnull", False),
                    _connector="OR",
                ),
                name="exception_approved_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("approved_at__isnull", True), ("valid_until__isnull", True)),
                    ("valid_until__gte", models.F("approved_at")),
                    _connector="OR",
                ),
                name="exception_valid_after_approval",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("executed_with__isnull", True), ("state", "executed"), _connector="OR"),
                name="exception_bought_once_executed",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionmove",
            constraint=models.UniqueConstraint(fields=("request", "number"), name="exception_move_numbered_once"),
        ),
        migrations.AddConstraint(
            model_name="exceptionmove",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "move__in",
                        [
                            "draft",
                            "submit",
                            "keep",
                            "withdraw",
                            "revise",
                            "approve_step",
                            "approve",
                            "return",
                            "reject",
                            "lapse",
                            "execute",
                            "break_glass",
                            "sign_off",
                            "refuse_sign_off",
                            "meet_condition",
                        ],
                    )
                ),
                name="exception_move_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionmove",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "state__in",
                        ["draft", "submitted", "returned", "withdrawn", "approved", "rejected", "lapsed", "executed"],
                    )
                ),
                name="exception_move_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionmove",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("move__in", ["break_glass", "lapse", "refuse_sign_off", "reject", "return"]), _negated=True
                    ),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="exception_move_has_its_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptioncondition",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="exception_condition_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptioncondition",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("met_at__isnull", True), ("met_by_name", ""), ("met_note", "")),
                    models.Q(
                        ("met_at__isnull", False),
                        models.Q(("met_by_name", ""), _negated=True),
                        models.Q(("met_note", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="exception_condition_met_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionversion",
            constraint=models.UniqueConstraint(fields=("request", "number"), name="exception_version_numbered_once"),
        ),
        migrations.AddConstraint(
            model_name="exceptionversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "",
                            "over_rule",
                            "under_rule",
                            "below_break_even",
                            "short_history",
                            "late",
                            "other_shape",
                            "long_term",
                            "upfront",
                            "over_budget",
                            "emergency",
                            "block_extension",
                            "idle_hold",
                            "early_release",
                            "borrow_override",
                            "checkpoint_override",
                        ],
                    )
                ),
                name="exception_type_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("content", ""),
                        ("content_hash", ""),
                        ("evidence", ""),
                        ("evidence_hash", ""),
                        ("submitted_at__isnull", True),
                    ),
                    models.Q(
                        ("amount__gte", 0),
                        ("authority_amount__gte", models.F("amount")),
                        ("content_hash__regex", "^[0-9a-f]{64}$"),
                        ("evidence_hash__regex", "^[0-9a-f]{64}$"),
                        (
                            "kind__in",
                            [
                                "over_rule",
                                "under_rule",
                                "below_break_even",
                                "short_history",
                                "late",
                                "other_shape",
                                "long_term",
                                "upfront",
                                "over_budget",
                                "emergency",
                                "block_extension",
                                "idle_hold",
                                "early_release",
                                "borrow_override",
                                "checkpoint_override",
                            ],
                        ),
                        ("nodes__isnull", False),
                        ("rule__isnull", False),
                        ("submitted_at__isnull", False),
                        ("term_end__gt", models.F("term_start")),
                    ),
                    _connector="OR",
                ),
                name="exception_version_frozen_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionpart",
            constraint=models.UniqueConstraint(fields=("version", "user"), name="exception_one_part_each"),
        ),
        migrations.AddConstraint(
            model_name="exceptionpart",
            constraint=models.CheckConstraint(
                condition=models.Q(("part__in", ["requester", "approver", "represented", "executor", "second"])),
                name="exception_part_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionpart",
            constraint=models.UniqueConstraint(
                condition=models.Q(("part", "executor")), fields=("version",), name="exception_one_executor"
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionpart",
            constraint=models.UniqueConstraint(
                condition=models.Q(("part", "second")), fields=("version",), name="exception_one_second"
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionattachment",
            constraint=models.UniqueConstraint(fields=("version", "sha256"), name="exception_file_once"),
        ),
        migrations.AddConstraint(
            model_name="exceptionattachment",
            constraint=models.CheckConstraint(
                condition=models.Q(("size__gt", 0), ("size__lte", 5242880)), name="exception_file_size_is_bounded"
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionattachment",
            constraint=models.CheckConstraint(
                condition=models.Q(("sha256__regex", "^[0-9a-f]{64}$")), name="exception_file_hash_is_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionapproval",
            constraint=models.UniqueConstraint(fields=("version", "person"), name="exception_approved_once_by_each"),
        ),
        migrations.AddConstraint(
            model_name="exceptionapproval",
            constraint=models.UniqueConstraint(
                condition=models.Q(("acting_for__isnull", False)),
                fields=("version", "acting_for"),
                name="exception_approved_once_for_each",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionapproval",
            constraint=models.CheckConstraint(
                condition=models.Q(("person", models.F("requester")), _negated=True),
                name="exception_requester_approves_not",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionapproval",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("acting_for__isnull", True), ("delegation__isnull", True)),
                    models.Q(
                        ("acting_for__isnull", False),
                        ("delegation__isnull", False),
                        models.Q(("acting_for", models.F("requester")), _negated=True),
                        models.Q(("acting_for", models.F("person")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="exception_delegate_is_neither",
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionapproval",
            constraint=models.CheckConstraint(
                condition=models.Q(("content_hash__regex", "^[0-9a-f]{64}$")), name="exception_approval_hash_is_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="exceptionapproval",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("role__in", ["viewer", "owner", "operator", "analyst", "approver", "auditor", "admin"])
                ),
                name="exception_approval_role_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="break_glass_has_its_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("signed_at__isnull", True), ("signed_by__isnull", True), ("verdict", "")),
                    models.Q(
                        ("signed_at__isnull", False),
                        ("signed_by__isnull", False),
                        ("verdict__in", ["agreed", "refused"]),
                        models.Q(("signed_by", models.F("opened_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="break_glass_signed_by_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(("sign_off_due_at__gt", models.F("opened_at"))), name="break_glass_is_due_afterwards"
            ),
        ),
    ]
