# Indices in buckets: their rows, the slot of a name, components, full publications.

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


SLOTS = """
CREATE FUNCTION releases_membership_slot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT slot INTO STRICT NEW.slot FROM releases_package WHERE id = NEW.package_id;
    RETURN NEW;
END $$;
CREATE TRIGGER releases_membership_slot BEFORE INSERT ON releases_membership
    FOR EACH ROW EXECUTE FUNCTION releases_membership_slot();
UPDATE releases_membership m SET slot = p.slot FROM releases_package p WHERE p.id = m.package_id;
"""
NO_SLOTS = """
DROP TRIGGER releases_membership_slot ON releases_membership;
DROP FUNCTION releases_membership_slot();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0010_distribution_choices'),
    ]

    operations = [
        migrations.CreateModel(
            name='Index',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('component', models.CharField(blank=True, max_length=20, verbose_name='component')),
                ('name', models.CharField(max_length=30, verbose_name='architecture or kind')),
                ('buckets', models.PositiveIntegerField(default=32, verbose_name='buckets')),
            ],
            options={
                'verbose_name': 'index',
                'verbose_name_plural': 'indices',
                'ordering': ['repository', 'component', 'name'],
            },
        ),
        migrations.CreateModel(
            name='IndexBuild',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('serial', models.PositiveIntegerField(verbose_name='since serial')),
                ('counts', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None, verbose_name='packages by bucket')),
                ('written', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None, verbose_name='buckets written anew')),
                ('gz_sizes', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ('zst_sizes', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ('text_size', models.BigIntegerField(verbose_name='size of the text')),
                ('text_sha256', models.CharField(max_length=64)),
            ],
            options={
                'verbose_name': 'build of an index',
                'verbose_name_plural': 'builds of indices',
                'ordering': ['index', '-serial'],
            },
        ),
        migrations.AddField(
            model_name='membership',
            name='slot',
            field=models.BigIntegerField(default=0, editable=False, help_text="That of the package's name, set by the database."),
        ),
        migrations.AddField(
            model_name='package',
            name='component',
            field=models.CharField(choices=[('main', 'main'), ('main/debug', 'main/debug')], default='main', help_text='main/debug: symbols for debuggers.', max_length=20, verbose_name='component'),
        ),
        migrations.AddField(
            model_name='package',
            name='slot',
            field=models.GeneratedField(db_persist=True, expression=models.Func(models.F('name'), output_field=models.BigIntegerField(), template="(('x' || substr(md5(%(expressions)s), 1, 8))::bit(32)::bigint)"), output_field=models.BigIntegerField()),
        ),
        migrations.AddField(
            model_name='publication',
            name='full',
            field=models.BooleanField(default=False, help_text='Every bucket is made from the database, none is copied.', verbose_name='written anew'),
        ),
        migrations.AlterField(
            model_name='blob',
            name='md5',
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.AlterField(
            model_name='blob',
            name='sha1',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AlterField(
            model_name='blob',
            name='sha512',
            field=models.CharField(blank=True, max_length=128),
        ),
        migrations.AddIndex(
            model_name='membership',
            index=models.Index(fields=['repository', 'slot'], name='membership_by_slot'),
        ),
        migrations.AddIndex(
            model_name='membership',
            index=models.Index(fields=['repository', 'since_serial', 'until_serial'], name='membership_by_serial'),
        ),
        migrations.AddIndex(
            model_name='membership',
            index=models.Index(condition=models.Q(('until_serial__isnull', False)), fields=['repository', 'until_serial'], name='membership_ended'),
        ),
        migrations.AddIndex(
            model_name='package',
            index=models.Index(condition=models.Q(('format', 'rpm'), ('signed_at__isnull', True)), fields=['product'], name='package_to_sign'),
        ),
        migrations.AddField(
            model_name='index',
            name='repository',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='indices', to='releases.repository'),
        ),
        migrations.AddField(
            model_name='indexbuild',
            name='gz',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='releases.blob'),
        ),
        migrations.AddField(
            model_name='indexbuild',
            name='index',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='builds', to='releases.index'),
        ),
        migrations.AddField(
            model_name='indexbuild',
            name='zst',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='releases.blob'),
        ),
        migrations.AddConstraint(
            model_name='index',
            constraint=models.UniqueConstraint(fields=('repository', 'component', 'name'), name='index_once'),
        ),
        migrations.AddConstraint(
            model_name='index',
            constraint=models.CheckConstraint(condition=models.Q(('buckets__gte', 1), ('buckets__lte', 65536)), name='index_has_buckets'),
        ),
        migrations.AddConstraint(
            model_name='indexbuild',
            constraint=models.UniqueConstraint(fields=('index', 'serial'), name='index_build_once'),
        ),
        migrations.RunSQL(SLOTS, NO_SLOTS),
    ]
