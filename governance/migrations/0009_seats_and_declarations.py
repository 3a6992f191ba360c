"""Kinds of bodies, limits of terms, and what people declare about themselves."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


# Terms that stand were meant to last as long as they do.
MEANT = "UPDATE governance_seatterm SET meant_until = until"


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0008_bundle'),
        ('members', '0011_term_lines'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Affiliation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateField(verbose_name='since')),
                ('until', models.DateField(blank=True, help_text='The first day on which it is over.', null=True, verbose_name='until')),
                ('declared_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='declared')),
                ('retracted_at', models.DateTimeField(editable=False, null=True, verbose_name='taken back')),
                ('retracted_because', models.CharField(blank=True, editable=False, max_length=200, verbose_name='why it was taken back')),
                ('relation', models.CharField(choices=[('employee', 'employed by'), ('contractor', 'works on contract for'), ('owner', 'owns a part of'), ('board', 'sits on a body of'), ('independent', 'independent')], default='employee', max_length=12, verbose_name='relation')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name of the organisation')),
            ],
            options={
                'verbose_name': 'affiliation',
                'verbose_name_plural': 'affiliations',
                'ordering': ['-since', '-pk'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Interest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateField(verbose_name='since')),
                ('until', models.DateField(blank=True, help_text='The first day on which it is over.', null=True, verbose_name='until')),
                ('declared_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='declared')),
                ('retracted_at', models.DateTimeField(editable=False, null=True, verbose_name='taken back')),
                ('retracted_because', models.CharField(blank=True, editable=False, max_length=200, verbose_name='why it was taken back')),
                ('kind', models.CharField(choices=[('shares', 'shares or ownership'), ('contract', 'contract or payment'), ('position', 'position elsewhere'), ('family', 'family or close friends'), ('other', 'other')], default='other', max_length=12, verbose_name='kind')),
                ('what', models.CharField(help_text='In a sentence: whose interest, and what it could touch.', max_length=300, verbose_name='what it is')),
                ('audience', models.CharField(choices=[('public', 'everybody'), ('body', 'the bodies I sit in, and staff')], default='public', max_length=10, verbose_name='shown to')),
            ],
            options={
                'verbose_name': 'interest',
                'verbose_name_plural': 'interests',
                'ordering': ['-since', '-pk'],
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='body',
            name='constituency',
            field=models.CharField(blank=True, choices=[('contributors', 'Contributors'), ('members', 'Corporate members')], help_text='Of a membership class: whose register it is.', max_length=20, verbose_name='who belongs to it'),
        ),
        migrations.AddField(
            model_name='body',
            name='parent',
            field=models.ForeignKey(blank=True, help_text='The body that a committee reports to.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='parts', to='governance.body', verbose_name='part of'),
        ),
        migrations.AddField(
            model_name='seat',
            name='break_months',
            field=models.PositiveSmallIntegerField(default=12, help_text='After a break of this length the terms of a person are counted anew.', verbose_name='months of a break'),
        ),
        migrations.AddField(
            model_name='seat',
            name='maximum_terms',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Empty: no limit.', null=True, verbose_name='terms in a row at most'),
        ),
        migrations.AddField(
            model_name='seat',
            name='term_months',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Empty: a term lasts until it is ended.', null=True, verbose_name='months of a full term'),
        ),
        migrations.AddField(
            model_name='seatterm',
            name='ending',
            field=models.CharField(blank=True, choices=[('resigned', 'resigned'), ('removed', 'removed'), ('unqualified', 'no longer qualifies'), ('died', 'died'), ('reorganised', 'seats were reorganised')], max_length=12, verbose_name='why it ended early'),
        ),
        migrations.AddField(
            model_name='seatterm',
            name='entry',
            field=models.CharField(choices=[('elected', 'elected'), ('appointed', 'appointed'), ('rest', 'for the rest of the term'), ('countback', 'next in the count of the last election'), ('interim', 'interim, until the first election'), ('ex_officio', 'by another office')], default='appointed', max_length=12, verbose_name='how the seat was filled'),
        ),
        migrations.AddField(
            model_name='seatterm',
            name='exception',
            field=models.CharField(blank=True, help_text='Why this term was given although it exceeds a limit. Public.', max_length=300, verbose_name='exception'),
        ),
        migrations.AddField(
            model_name='seatterm',
            name='meant_until',
            field=models.DateField(blank=True, editable=False, null=True, verbose_name='meant until'),
        ),
        migrations.AlterField(
            model_name='body',
            name='kind',
            field=models.CharField(choices=[('board', 'Board'), ('council', 'Council'), ('committee', 'Committee'), ('advisory', 'Advisory list'), ('membership', 'Membership class'), ('staff', 'Staff')], max_length=20, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='seat',
            name='office',
            field=models.CharField(blank=True, choices=[('chair', 'Chair'), ('vice_chair', 'Vice chair'), ('secretary', 'Secretary'), ('treasurer', 'Treasurer'), ('counsel', 'Counsel'), ('executive', 'Executive director'), ('employee', 'Employee'), ('adviser', 'Adviser'), ('observer', 'Observer')], help_text='Of a seat without a vote. A director who is also chair holds two seats.', max_length=20, verbose_name='office'),
        ),
        migrations.AddConstraint(
            model_name='body',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'membership'), models.Q(('constituency', ''), _negated=True)), models.Q(models.Q(('kind', 'membership'), _negated=True), ('constituency', '')), _connector='OR'), name='body_membership_class_has_members', violation_error_message='A membership class says who belongs to it; other bodies have seats instead.'),
        ),
        migrations.AddConstraint(
            model_name='body',
            constraint=models.CheckConstraint(condition=models.Q(('parent__isnull', True), models.Q(('parent', models.F('id')), _negated=True), _connector='OR'), name='body_is_no_part_of_itself', violation_error_message='A body is no part of itself.'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('term_months__isnull', True), ('term_months__gte', 1), _connector='OR'), models.Q(('maximum_terms__isnull', True), ('maximum_terms__gte', 1), _connector='OR')), name='seat_allows_a_term', violation_error_message='A term lasts a month or more, and one is allowed.'),
        ),
        migrations.AddField(
            model_name='affiliation',
            name='declared_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='declared by'),
        ),
        migrations.AddField(
            model_name='affiliation',
            name='organisation',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='affiliations', to='members.organisation', verbose_name='organisation'),
        ),
        migrations.AddField(
            model_name='affiliation',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AddField(
            model_name='interest',
            name='declared_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='declared by'),
        ),
        migrations.AddField(
            model_name='interest',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AddConstraint(
            model_name='affiliation',
            constraint=models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gt', models.F('since')), _connector='OR'), name='affiliation_ends_after_it_begins', violation_error_message='It ends after it begins.'),
        ),
        migrations.AddConstraint(
            model_name='affiliation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('retracted_at__isnull', True), ('retracted_because', '')), models.Q(('retracted_at__isnull', False), models.Q(('retracted_because', ''), _negated=True)), _connector='OR'), name='affiliation_taken_back_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='affiliation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('organisation__isnull', True), ('relation', 'independent')), models.Q(models.Q(('relation', 'independent'), _negated=True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='affiliation_names_an_organisation', violation_error_message='Name the organisation, or choose “independent”.'),
        ),
        migrations.AddConstraint(
            model_name='interest',
            constraint=models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gt', models.F('since')), _connector='OR'), name='interest_ends_after_it_begins', violation_error_message='It ends after it begins.'),
        ),
        migrations.AddConstraint(
            model_name='interest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('retracted_at__isnull', True), ('retracted_because', '')), models.Q(('retracted_at__isnull', False), models.Q(('retracted_because', ''), _negated=True)), _connector='OR'), name='interest_taken_back_with_a_reason'),
        ),
        migrations.RunSQL(MEANT, migrations.RunSQL.noop),
    ]
