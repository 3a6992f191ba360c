from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lib", "0005_outbox_about")]

    operations = [
        migrations.AddField(
            model_name="outboxmail",
            name="calendar",
            field=models.TextField(
                blank=True,
                help_text="An event in the form of calendar programs.",
                verbose_name="calendar",
            ),
        ),
    ]
