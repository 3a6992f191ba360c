import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("logo", "a place of the logo"),
    ("seats", "seats on the advisory list"),
    ("votes", "votes"),
    ("tickets", "tickets"),
    ("text", "something else"),
]
# Rows are checked as they are written: a table with checks in waiting cannot be altered.
AT_ONCE = "SET CONSTRAINTS ALL IMMEDIATE"
COUNTED = ["seats", "votes", "tickets"]


def promise():
    return [
        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
        ("kind", models.CharField(choices=KINDS, default="text", max_length=10, verbose_name="what")),
        ("text", models.CharField(blank=True, max_length=120, verbose_name="in words")),
        ("quantity", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="how many")),
    ]


def promise_constraints(name):
    some = models.Q(("quantity__isnull", True), ("quantity__gt", 0), _connector="OR")
    counted = models.Q(("kind__in", COUNTED), ("quantity__isnull", False))
    return [
        models.CheckConstraint(condition=some, name=f"{name}_gives_something"),
        models.CheckConstraint(
            condition=models.Q(models.Q(("text", ""), _negated=True), counted, _connector="OR"),
            name=f"{name}_has_words",
        ),
    ]


def lines_to_rows(apps, schema_editor):
    Tier, Benefit = apps.get_model("members", "Tier"), apps.get_model("members", "Benefit")
    Term, Entitlement = apps.get_model("members", "Term"), apps.get_model("members", "Entitlement")
    for tier in Tier.objects.all():
        lines = [("text", text, None, True) for text in tier.benefits]
        lines = _name_seats(lines, tier.advisory_seats)
        lines += [("text", text, None, False) for text in tier.withheld]
        for position, (kind, text, quantity, included) in enumerate(lines):
            Benefit.objects.create(
                tier=tier, kind=kind, text=text[:120], quantity=quantity,
                is_included=included, position=position,
            )
    for term in Term.objects.all():
        for text in term.benefits:
            Entitlement.objects.create(term=term, kind="text", text=text[:120], use_by=term.ends_at)


def _name_seats(lines, seats):
    """The line that speaks of the seats becomes the one that gives them."""
    if not seats:
        return lines
    place = next((n for n, line in enumerate(lines) if "advisory" in line[1].lower()), None)
    if place is None:
        return [*lines, ("seats", "", seats, True)]
    lines[place] = ("seats", lines[place][1], seats, True)
    return lines


def words(row):
    return row.text or f"{row.quantity} {row.kind}"


def rows_to_lines(apps, schema_editor):
    Tier, Term = apps.get_model("members", "Tier"), apps.get_model("members", "Term")
    for tier in Tier.objects.all():
        rows = list(tier.benefits_rows.order_by("position", "pk"))
        tier.benefits = [words(row) for row in rows if row.is_included]
        tier.withheld = [words(row) for row in rows if not row.is_included]
        tier.advisory_seats = sum(r.quantity or 0 for r in rows if r.kind == "seats" and r.is_included)
        tier.save()
    for term in Term.objects.all():
        term.benefits = [words(row) for row in term.entitlements.order_by("pk")]
        term.save()


class Migration(migrations.Migration):
    dependencies = [
        ("members", "0005_transfers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Benefit",
            fields=[
                *promise(),
                ("is_included", models.BooleanField(default=True, verbose_name="included")),
                ("months_to_use", models.PositiveSmallIntegerField(blank=True, help_text="From the start of the term. Empty: as long as the term lasts.", null=True, verbose_name="months to use it")),
                ("position", models.PositiveSmallIntegerField(default=0, verbose_name="position")),
                ("tier", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="benefits_rows", to="members.tier", verbose_name="tier")),
            ],
            options={
                "verbose_name": "benefit",
                "verbose_name_plural": "benefits",
                "ordering": ["-is_included", "position", "pk"],
                "abstract": False,
                "constraints": promise_constraints("benefit"),
            },
        ),
        migrations.CreateModel(
            name="Entitlement",
            fields=[
                *promise(),
                ("use_by", models.DateTimeField(verbose_name="to be used until")),
                ("term", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="entitlements", to="members.term", verbose_name="term")),
            ],
            options={
                "verbose_name": "benefit as bought",
                "verbose_name_plural": "benefits as bought",
                "ordering": ["pk"],
                "abstract": False,
                "constraints": promise_constraints("entitlement"),
            },
        ),
        migrations.CreateModel(
            name="BenefitUse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("quantity", models.PositiveSmallIntegerField(verbose_name="how many")),
                ("note", models.CharField(blank=True, max_length=200, verbose_name="for what")),
                ("used_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="used")),
                ("entitlement", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="uses", to="members.entitlement", verbose_name="benefit")),
                ("recorded_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="recorded by")),
            ],
            options={
                "verbose_name": "use of a benefit",
                "verbose_name_plural": "uses of benefits",
                "ordering": ["-used_at", "-pk"],
                "constraints": [models.CheckConstraint(condition=models.Q(("quantity__gt", 0)), name="benefit_use_uses_some")],
            },
        ),
        migrations.AddField(
            model_name="tier",
            name="conflicts",
            field=models.ManyToManyField(blank=True, to="members.tier", verbose_name="cannot be held together with"),
        ),
        migrations.RunSQL(AT_ONCE, migrations.RunSQL.noop),
        migrations.RunPython(lines_to_rows, rows_to_lines),
        migrations.RunSQL(migrations.RunSQL.noop, AT_ONCE),
        migrations.RemoveField(model_name="tier", name="benefits"),
        migrations.RemoveField(model_name="tier", name="withheld"),
        migrations.RemoveField(model_name="tier", name="advisory_seats"),
        migrations.RemoveField(model_name="term", name="benefits"),
        migrations.AlterField(
            model_name="benefit",
            name="tier",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="benefits", to="members.tier", verbose_name="tier"),
        ),
    ]
