import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("members", "0009_logo_history"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="benefituse",
            name="taken_back_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="taken back"),
        ),
        migrations.AddField(
            model_name="benefituse",
            name="taken_back_by",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="taken back by"),
        ),
        migrations.AddConstraint(
            model_name="benefituse",
            constraint=models.CheckConstraint(condition=models.Q(("taken_back_at__isnull", True), ("taken_back_by__isnull", False), _connector="OR"), name="benefit_use_taken_back_by_somebody"),
        ),
    ]
