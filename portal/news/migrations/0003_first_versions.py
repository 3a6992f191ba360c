"""What was written before versions were kept is version 1, signed as pages showed it."""

from django.db import migrations


def keep(apps, schema_editor):
    Announcement = apps.get_model('news', 'Announcement')
    Version = apps.get_model('news', 'Version')
    for found in Announcement.objects.filter(versions__isnull=True).select_related('author'):
        found.byline = found.author.name[:120] if found.author else ''
        found.created_at = found.changed_at
        found.told_at = found.published_at
        found.save(update_fields=['byline', 'created_at', 'told_at'])
        Version.objects.create(
            announcement=found, number=1, kind=found.kind, slug=found.slug, title=found.title,
            summary=found.summary, body=found.body, byline=found.byline,
            saved_at=found.changed_at, saved_by=found.author,
        )


class Migration(migrations.Migration):

    dependencies = [
        ('news', '0002_editing_and_reports'),
    ]

    operations = [
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
