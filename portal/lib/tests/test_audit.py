from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.models import AuditEntry
from portal.lib.money import Money


def test_an_act_is_recorded_with_its_actor_and_subject(frank: User, charlie: User) -> None:
    audit.record(actor=frank, verb="person.praise", subject=charlie, words=3)
    entry = AuditEntry.objects.first()
    assert entry is not None
    assert (entry.actor, entry.verb, entry.subject_id) == (frank, "person.praise", str(charlie.pk))
    assert entry.detail == {"words": 3}


def test_the_log_is_in_the_language_of_the_foundation_whoever_acts(frank: User) -> None:
    with translation.override("de"):
        audit.record(
            actor=frank,
            verb="money.see",
            subject=frank,
            amount=Money(1_250_050, "EUR"),
            a=_("March"),
        )
    entry = AuditEntry.objects.get(verb="money.see")
    assert entry.detail == {"amount": "12,500.50\N{NO-BREAK SPACE}€", "a": "March"}


@pytest.mark.parametrize(
    "statement", ["UPDATE lib_auditentry SET verb='x'", "DELETE FROM lib_auditentry"]
)
def test_the_database_refuses_to_change_the_audit_log(statement: str, frank: User) -> None:
    from django.db import connection

    audit.record(actor=None, verb="system.start", subject=frank)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditEntry.objects.filter(verb="system.start").exists()


def test_entries_are_found_by_who_what_and_when(frank: User, charlie: User) -> None:
    audit.record(actor=frank, verb="person.praise", subject=charlie)
    audit.record(actor=None, verb="system.start", subject=frank)
    entries = AuditEntry.objects.filter(verb__in=["person.praise", "system.start"])
    today = timezone.now().date()
    tomorrow = today + timedelta(days=1)
    found = [
        entries.matching(actor="frank").count(),
        entries.matching(verb="system.start").count(),
        entries.matching(subject="Charlie").count(),
        entries.matching(subject=str(charlie.pk), verb="person.praise").count(),
        entries.matching(since=today, until=today).count(),
        entries.matching(since=tomorrow).count(),
        entries.matching(until=today - timedelta(days=1)).count(),
    ]
    assert found == [1, 1, 1, 1, 2, 0, 0]
    assert "person.praise Charlie" in str(entries.get(verb="person.praise"))
