"""Staff and the names of variables."""

import csv
import io
from collections.abc import Callable

import pytest
from django.test import Client

from feedback.actions.known_key import note_keys
from feedback.models import KnownKey
from feedback.tests.fleets import NOON
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
LIST = "/staff/feedback/names/"


@pytest.fixture
def staff(frank: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(frank)


@pytest.fixture
def names() -> None:
    counted = {"FEATURE_VECTOR": 40, "HNSW USED": 7, "=CMD|X": 1, "<B>": 2}
    note_keys(counted=counted, first=NOON.date(), last=NOON.date())


def listed(client: Client, **query: str) -> list[str]:
    lines = csv.reader(
        io.StringIO(b"".join(client.get("/staff/feedback/names.csv", query)).decode())
    )
    return [line[0] for line in lines][1:]


def test_without_names_the_page_says_what_will_be_there(staff: Client) -> None:
    assert "No unknown name yet" in staff.get(LIST).content.decode()
    assert "No name found" in staff.get(LIST, {"text": "x"}).content.decode()


def test_names_are_searched_sorted_and_written_as_csv(staff: Client, names: None) -> None:
    page = staff.get(LIST).content.decode()
    assert "4 names wait for a decision" in page
    assert "&lt;B&gt;" in page
    assert "<B>" not in page
    assert page.index("FEATURE_VECTOR") < page.index("HNSW USED")
    assert listed(staff) == ["FEATURE_VECTOR", "HNSW USED", "<B>", "'=CMD|X"]
    assert listed(staff, order="name")[0] == "<B>"
    assert listed(staff, text="hnsw") == ["HNSW USED"]
    assert listed(staff, state="approved") == []
    assert listed(staff, order="nonsense", text="vector") == ["FEATURE_VECTOR"]


def test_marked_names_are_approved_or_refused_and_the_filter_stays(
    staff: Client, frank: User, names: None
) -> None:
    keys = {key.name: key for key in KnownKey.objects.all()}
    good = [keys["FEATURE_VECTOR"].pk, keys["HNSW USED"].pk]
    sent = {"decision": "approve", "key": good, "query": "order=name&state=new"}
    answer = staff.post(f"{LIST}decide/", sent)
    assert answer["Location"] == f"{LIST}?order=name&state=new"
    assert "2 names are decided on" in staff.get(answer["Location"]).content.decode()
    staff.post(f"{LIST}decide/", {"decision": "refuse", "key": keys["<B>"].pk})
    states = dict(KnownKey.objects.values_list("name", "state"))
    assert states == {
        "FEATURE_VECTOR": "approved",
        "HNSW USED": "approved",
        "<B>": "refused",
        "=CMD|X": "new",
    }
    assert set(KnownKey.objects.approved().values_list("decided_by", flat=True)) == {frank.pk}
    page = staff.get(LIST, {"state": "approved"}).content.decode()
    assert "Frank" in page


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"decision": "approve"},
        {"decision": "burn", "key": "1"},
        {"decision": "approve", "key": "x"},
        {"decision": "approve", "key": "9" * 30},
    ],
)
def test_what_decides_nothing_changes_nothing(
    staff: Client, names: None, sent: dict[str, str]
) -> None:
    page = staff.post(f"{LIST}decide/", sent, follow=True).content.decode()
    assert "Mark at least one name" in page
    assert KnownKey.objects.waiting().count() == 4


def test_a_query_cannot_lead_elsewhere(staff: Client, names: None) -> None:
    sent = {"decision": "approve", "key": "0", "query": "x\r\nLocation: //evil.example"}
    answer = staff.post(f"{LIST}decide/", sent)
    assert answer["Location"].startswith(f"{LIST}?x%0D%0ALocation")
