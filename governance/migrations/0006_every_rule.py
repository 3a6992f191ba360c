from django.db import migrations, models

# A change of type is no UPDATE: the trigger that keeps used versions lets it pass, and their
# meaning stays the same.
SECONDS = """
ALTER TABLE governance_ruleset ALTER COLUMN needs_second TYPE smallint USING needs_second::int;
ALTER TABLE governance_ruleset RENAME COLUMN needs_second TO seconds_needed;
ALTER TABLE governance_ruleset ADD CONSTRAINT governance_ruleset_seconds_needed_check
    CHECK (seconds_needed >= 0);
"""
ONE_SECOND = """
ALTER TABLE governance_ruleset DROP CONSTRAINT governance_ruleset_seconds_needed_check;
ALTER TABLE governance_ruleset RENAME COLUMN seconds_needed TO needs_second;
ALTER TABLE governance_ruleset ALTER COLUMN needs_second TYPE boolean USING needs_second > 0;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0005_comments_on_motions'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(SECONDS, ONE_SECOND)],
            state_operations=[
                migrations.RenameField('ruleset', 'needs_second', 'seconds_needed'),
                migrations.AlterField(
                    model_name='ruleset',
                    name='seconds_needed',
                    field=models.PositiveSmallIntegerField(default=1, help_text='0: none.', verbose_name='seconds needed'),
                ),
            ],
        ),
        migrations.AddField(
            model_name='ruleset',
            name='activity',
            field=models.CharField(choices=[('none', 'every member votes'), ('affirmed', 'who affirmed that they want to vote'), ('voted', 'who voted last time'), ('either', 'who affirmed it, or voted last time')], default='none', max_length=10, verbose_name='on the roll'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='affirmation_months',
            field=models.PositiveSmallIntegerField(default=12, verbose_name='months for which an affirmation counts'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='cap_clause',
            field=models.CharField(blank=True, max_length=40, verbose_name='clause of the limit per employer'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='cap_seats',
            field=models.PositiveSmallIntegerField(default=0, help_text='0: no such limit.', verbose_name='one employer holds at most so many seats'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='cap_share',
            field=models.CharField(blank=True, choices=[('quarter', 'a quarter of the voting seats'), ('third', 'a third of the voting seats'), ('half', 'half of the voting seats'), ('minority', 'less than half of the voting seats')], max_length=10, verbose_name='one employer holds at most'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='change_clause',
            field=models.CharField(blank=True, max_length=40, verbose_name='clause of notice and taking effect'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='consent',
            field=models.CharField(choices=[('none', 'this body does not decide in writing'), ('unanimous', 'everybody in office signs'), ('as_if_present', 'as many sign as would carry it if all were present')], default='none', max_length=16, verbose_name='written consent'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='consent_clause',
            field=models.CharField(blank=True, max_length=40, verbose_name='clause of the written consent'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='consent_days',
            field=models.PositiveSmallIntegerField(default=60, help_text='0: no limit.', verbose_name='days from the first signature to the last'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='consent_notice',
            field=models.BooleanField(default=True, verbose_name='those who did not sign get a notice'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='discussion_clause',
            field=models.CharField(blank=True, max_length=40, verbose_name='clause of the discussion'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='discussion_days',
            field=models.PositiveSmallIntegerField(default=0, help_text='Before the vote may open.', verbose_name='days of discussion at least'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='discussion_restarts',
            field=models.BooleanField(default=False, verbose_name='an accepted amendment begins these days anew'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='disinterested_majority',
            field=models.BooleanField(default=False, help_text='Once somebody recused: more than half of the others in office say yes.', verbose_name='valid only with a majority of the disinterested'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='effective_after_days',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='days from adoption until it is in force'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='lapses_after_weeks',
            field=models.PositiveSmallIntegerField(default=0, help_text='0: it never lapses.', verbose_name='lapses after idle weeks'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='member_vote',
            field=models.CharField(choices=[('none', 'nobody else'), ('contributors', 'the contributors'), ('members', 'the corporate members'), ('both', 'contributors and corporate members, each by itself')], default='none', help_text='They vote by the rules of their own class for the same subject.', max_length=14, verbose_name='must agree too'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='membership_clause',
            field=models.CharField(blank=True, max_length=40, verbose_name='clause of voting membership'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='note',
            field=models.CharField(blank=True, help_text='Shown in the list of versions; name the resolution it follows.', max_length=300, verbose_name='what changed, and why'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='notice_days',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='days of notice before the vote'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='per_class',
            field=models.BooleanField(default=False, help_text='Of those who hold the seats of each, besides the majority of the whole.', verbose_name='the same majority in every constituency'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='public_discussion_days',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='days of public discussion'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='quorum_by',
            field=models.CharField(choices=[('present', 'those present'), ('ballots', 'ballots cast, abstentions too'), ('yes', 'yes votes; without it the motion fails')], default='present', max_length=10, verbose_name='counted towards the quorum'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='record_days',
            field=models.PositiveSmallIntegerField(default=0, help_text='The roll of a vote of members is that of the record date.', verbose_name='days from the record date to the opening'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='vacancy_clause',
            field=models.CharField(blank=True, max_length=40, verbose_name='clause of vacancies'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='vacancy_days',
            field=models.PositiveSmallIntegerField(default=0, help_text='0: no limit.', verbose_name='within so many days'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='vacancy_filled_by',
            field=models.CharField(choices=[('body', 'the remaining members appoint somebody'), ('same_class', 'the remaining members of the same constituency appoint somebody'), ('special_election', 'a special election'), ('countback', 'the ballots of the last election are counted again without the one who left'), ('nobody', 'nobody until the next election')], default='body', max_length=16, verbose_name='a vacancy is filled by'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='vacancy_term',
            field=models.CharField(choices=[('rest_of_term', 'the rest of the term'), ('next_election', 'until the next election'), ('full_term', 'a full term')], default='rest_of_term', max_length=14, verbose_name='for'),
        ),
        migrations.AlterField(
            model_name='ruleset',
            name='pass_base',
            field=models.CharField(choices=[('present', 'those present; an abstention counts against'), ('cast', 'votes cast, without abstentions'), ('filled', 'the seats that are filled, or the whole roll'), ('fixed', 'all voting seats, vacant ones too')], default='present', max_length=10, verbose_name='yes votes are measured against'),
        ),
        migrations.AlterField(
            model_name='ruleset',
            name='quorum',
            field=models.CharField(choices=[('none', 'none'), ('tenth', 'a tenth'), ('quarter', 'a quarter'), ('third', 'a third'), ('half', 'half'), ('majority', 'more than half'), ('two_thirds', 'two thirds'), ('square_root', '3 × √ of it ÷ 2, as in Debian')], default='majority', max_length=12, verbose_name='quorum'),
        ),
        migrations.AlterField(
            model_name='ruleset',
            name='quorum_base',
            field=models.CharField(choices=[('fixed', 'all voting seats, vacant ones too'), ('filled', 'the seats that are filled'), ('eligible', 'the members on the roll')], default='fixed', max_length=10, verbose_name='quorum is measured against'),
        ),
        migrations.AlterField(
            model_name='ruleset',
            name='ratio',
            field=models.PositiveSmallIntegerField(default=1, help_text='For “N times as many yes as no” alone.', verbose_name='ratio N : 1'),
        ),
        migrations.AlterField(
            model_name='ruleset',
            name='threshold',
            field=models.CharField(choices=[('simple', 'more yes than no'), ('strict', 'more than half of the base'), ('two_thirds', 'two thirds of the base'), ('three_quarters', 'three quarters of the base'), ('unanimous', 'all of the base'), ('ratio', 'N times as many yes as no')], default='strict', max_length=16, verbose_name='needed'),
        ),
        migrations.AlterField(
            model_name='ruleset',
            name='tie',
            field=models.CharField(choices=[('status_quo', 'nothing changes'), ('casting_vote', 'the chair has a casting vote'), ('lot', 'a lot is drawn that everybody can check')], default='status_quo', max_length=16, verbose_name='tie'),
        ),
        migrations.AddConstraint(
            model_name='ruleset',
            constraint=models.CheckConstraint(condition=models.Q(('affirmation_months__gte', 1)), name='rule_set_affirmation_lasts', violation_error_message='An affirmation counts for a month or more.'),
        ),
    ]
