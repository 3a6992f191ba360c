"""Editors write the news."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_sign_outs'),
    ]

    operations = [
        migrations.AlterField(
            model_name='rolegrant',
            name='role',
            field=models.CharField(choices=[('owner', 'Organisation owner'), ('billing', 'Billing contact'), ('technical', 'Technical contact'), ('marketing', 'Marketing contact'), ('contributor', 'Contributor'), ('director', 'Director'), ('council', 'Council member'), ('release_manager', 'Release manager'), ('treasurer', 'Treasurer'), ('editor', 'Editor of the news'), ('election_officer', 'Election officer'), ('staff', 'Staff')], max_length=30, verbose_name='role'),
        ),
    ]
