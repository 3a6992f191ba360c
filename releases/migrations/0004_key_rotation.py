"""Several keys: what each is for, its state and dates; packages that the portal makes itself."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("releases", "0003_key_of_files"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="package",
            name="key",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="packages",
                to="releases.signingkey",
            ),
        ),
        migrations.AddField(
            model_name="publication",
            name="keys",
            field=models.ManyToManyField(
                editable=False, related_name="publications", to="releases.signingkey"
            ),
        ),
        migrations.AddField(
            model_name="signingkey",
            name="algorithm",
            field=models.CharField(default="rsa4096", max_length=20, verbose_name="algorithm"),
        ),
        migrations.AddField(
            model_name="signingkey",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now, verbose_name="made"),
        ),
        migrations.AddField(
            model_name="signingkey",
            name="expires_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="expires"),
        ),
        migrations.AddField(
            model_name="signingkey",
            name="scope",
            field=models.CharField(
                blank=True,
                help_text="A product, or a repository of it; empty: all that have no key of their own.",
                max_length=200,
                verbose_name="signs for",
            ),
        ),
        migrations.AddField(
            model_name="signingkey",
            name="state",
            field=models.CharField(
                choices=[("next", "announced"), ("active", "signs"), ("retired", "retired")],
                default="active",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="file",
            name="release",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="files",
                to="releases.release",
            ),
        ),
        migrations.AlterField(
            model_name="file",
            name="uploaded_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="file",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("release__isnull", True), ("uploaded_by__isnull", True)),
                    models.Q(("release__isnull", False), ("uploaded_by__isnull", False)),
                    _connector="OR",
                ),
                name="file_of_a_release_has_an_uploader",
            ),
        ),
        migrations.AddConstraint(
            model_name="signingkey",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("expires_at__isnull", True),
                    ("expires_at__gt", models.F("created_at")),
                    _connector="OR",
                ),
                name="key_expires_after_it_was_made",
            ),
        ),
    ]
