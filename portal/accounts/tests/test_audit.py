import csv
import io

import pytest

from portal.accounts.models import User
from portal.lib import audit
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


def test_staff_ask_the_log(frank: User, charlie: User) -> None:
    audit.record(actor=frank, verb="person.praise", subject=charlie, words=3)
    audit.record(actor=None, verb="system.start", subject=frank)
    client = sign_in(frank)
    everything = client.get("/staff/audit/").content.decode()
    assert "person.praise" in everything
    assert "the system" in everything
    assert "words: 3" in everything
    found = client.get("/staff/audit/?actor=frank&verb=person.praise&subject=charlie")
    assert [entry.verb for entry in found.context["page"]] == ["person.praise"]
    nothing = client.get("/staff/audit/?since=2125-01-01").content.decode()
    assert "No line for these questions" in nothing
    assert client.get("/staff/audit/?since=nonsense&verb=person.praise").status_code == 200


def test_the_log_comes_in_pages(frank: User) -> None:
    for _ in range(60):
        audit.record(actor=frank, verb="clock.tick", subject=frank)
    client = sign_in(frank)
    assert len(client.get("/staff/audit/").context["page"]) == 50
    second = client.get("/staff/audit/?verb=clock.tick&page=2")
    assert len(second.context["page"]) == 10
    assert "verb=clock.tick" in second.content.decode()


def test_the_table_for_a_spreadsheet_holds_no_formula(frank: User, charlie: User) -> None:
    charlie.name = '=HYPERLINK("https://evil.example")'
    charlie.save()
    audit.record(actor=frank, verb="person.praise", subject=charlie)
    answer = sign_in(frank).get("/staff/audit.csv?verb=person.praise")
    assert answer["Content-Disposition"] == 'attachment; filename="audit.csv"'
    text = answer.getvalue().decode()
    header, row = csv.reader(io.StringIO(text, newline=""))
    assert header[:3] == ["at", "actor", "verb"]
    assert row[1:3] == ["frank@example.org", "person.praise"]
    assert row[5] == '\'=HYPERLINK("https://evil.example")'


def test_the_table_names_the_system_by_nothing(frank: User) -> None:
    audit.record(actor=None, verb="system.start", subject=frank)
    answer = sign_in(frank).get("/staff/audit.csv?verb=system.start")
    [_, row] = csv.reader(answer.getvalue().decode().splitlines())
    assert row[1] == ""
