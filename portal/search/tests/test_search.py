"""What is found, how it is told, and what is never found: each domain's own question decides."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmarks.models import Suite
from governance.actions.redaction import redact
from governance.models import Body
from governance.tests.bylaws import make_bylaws, make_version
from governance.tests.conftest import START, board, directors, make_decided, make_draft, make_vote
from portal.accounts.models import User
from portal.members.models import Organisation
from portal.news.tests.rows import in_state
from portal.search import marks
from portal.search.arms import indexed
from portal.search.asked import Asked
from portal.search.kinds import ARMS
from portal.search.results import KINDS, Hit, search
from releases.models import Release
from releases.tests import factory

__all__ = ["board", "directors"]  # fixtures
pytestmark = pytest.mark.django_db
NOW = dt.datetime.now(dt.UTC)


def found(text: str, kind: str = "") -> list[Hit]:
    results = search(Asked(text, timezone.now()), kind=kind)
    return [hit for group in results.shown for hit in group.hits]


def titles(text: str, kind: str = "") -> list[str]:
    return [hit.title for hit in found(text, kind)]


@pytest.mark.parametrize("state", ["draft", "scheduled", "withdrawn", "dropped"])
def test_news_is_found_when_it_is_published_and_in_no_other_state(state: str) -> None:
    in_state("published", title="Kestrels return", summary="To the north.")
    in_state(state, title="Kestrels in secret")

    assert titles("kestrel") == ["Kestrels return"]


def test_a_word_finds_its_other_forms_and_is_marked() -> None:
    in_state("published", title="Budget", summary="Members voted on <b>it</b> & more.")

    [hit] = found("voting", "news")

    assert hit.excerpt.startswith("Members <mark>voted</mark> on it &amp; more.")
    assert hit.text.startswith("Members voted on it & more.")


def test_words_of_the_title_weigh_more_than_those_of_the_text() -> None:
    in_state("published", title="Something else", body="The quorum was met.")
    in_state("published", title="A quorum at last", body="Words.")

    assert titles("quorum") == ["A quorum at last", "Something else"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("red fish", {"A red fish"}),
        ("red or blue", {"A red fish", "A blue fish"}),
        ("fish -red", {"A blue fish"}),
        ('"blue fish"', {"A blue fish"}),
        ('"fish blue"', set()),
        ("& | ! ( ) : * \\ ' %", set()),
        ("the", set()),
        ("", set()),
    ],
)
def test_questions_are_read_as_search_engines_read_them(text: str, expected: set[str]) -> None:
    in_state("published", title="A red fish")
    in_state("published", title="A blue fish")

    assert set(titles(text, "news")) == expected


def test_a_release_is_found_by_product_and_the_beginning_of_its_version() -> None:
    draft = factory.make_draft("12.3.1", "stable")
    assert titles("exampledb 12.3") == []

    Release.objects.filter(pk=draft.pk).update(published_at=NOW, notes="Faster *joins*.")

    [by_name], [by_notes] = found("exampledb 12.3", "releases"), found("join", "releases")
    assert by_name.url == by_notes.url == "/releases/exampledb/12.3.1/"
    assert by_notes.excerpt == "Faster <mark>joins</mark>"
    assert found("2.3", "releases") == []


def test_drafts_of_motions_stay_inside_their_body(board: Body, directors: list[User]) -> None:
    make_draft(board, directors[0], "Otters in the pond")
    assert titles("otter") == []

    motion = make_vote(board, directors, "Herons in the pond")

    assert [(hit.title, hit.url) for hit in found("heron")] == [
        (motion.title, motion.get_absolute_url())
    ]


def test_a_resolution_is_found_by_its_number(board: Body, directors: list[User]) -> None:
    motion = make_decided(board, directors, "Ponds", dict.fromkeys(range(5), "yes"))

    [hit] = found(motion.resolution, "decisions")

    assert hit.title == f"{motion.resolution} {motion.title}"


def test_words_out_of_public_sight_find_nothing_and_are_not_shown(
    board: Body, directors: list[User], frank: User
) -> None:
    motion = make_decided(board, directors, "Ponds", dict.fromkeys(range(5), "yes"))
    word = motion.text.split()[-1].strip(".")
    assert titles(word, "decisions") != []

    redact(actor=frank, motion=motion, passage=word, because="Names a firm.", at=START)

    assert titles(word, "decisions") == []
    [hit] = found("ponds", "decisions")
    assert hit.excerpt == ""


def test_a_clause_in_force_is_found_with_its_place(board: Body) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)

    [hit] = found("director", "bylaws")
    assert (hit.title, hit.url) == ("Bylaw 4.1 · Board", f"{bylaws.get_absolute_url()}#c4.1")
    assert "<mark>directors</mark>" in hit.excerpt
    assert len(found("Board", "bylaws")) == 3


def test_a_text_that_binds_later_is_not_found_today(board: Body) -> None:
    version = make_version(make_bylaws(board), day=timezone.localdate() + dt.timedelta(days=9))

    assert version.text
    assert found("director", "bylaws") == []


def test_who_did_not_agree_to_be_named_is_not_found() -> None:
    Organisation.objects.create(slug="hidden", name="Hidden Ltd", country="DE")

    assert titles("hidden") == []


def test_pages_of_the_site_are_found_by_their_names() -> None:
    assert [(hit.title, hit.url) for hit in found("mirrors", "pages")] == [("Mirrors", "/mirrors/")]


def test_a_kind_has_pages_and_behind_the_last_stands_the_first() -> None:
    for number in range(23):
        Suite.objects.create(slug=f"s{number}", name=f"Suite {number:02} of joins", summary="x")
    asked = Asked("joins", NOW)

    second = search(asked, kind="benchmarks", page=2)
    behind = search(asked, kind="benchmarks", page=9)

    assert [group.total for group in second.groups] == [23]
    assert [len(group.hits) for group in second.shown] == [3]
    assert behind.page
    assert behind.page.number == 1
    assert len(search(asked).shown[0].hits) == 3


def test_marks_escape_everything_else() -> None:
    text = f"# A {marks.BEGIN}b{marks.END} <img src=x> & [c](http://x) {marks.BEGIN}left open"

    assert marks.html(text) == "A <mark>b</mark> &amp; c left open"
    assert marks.html('1 < 2 "') == "1 &lt; 2 &quot;"
    assert marks.plain(text) == "A b & c left open"


@pytest.mark.parametrize("kind", [kind for kind, arm in ARMS.items() if arm.full])
def test_long_texts_are_found_by_an_index(kind: str) -> None:
    arm = ARMS[kind]
    table = arm.visible(NOW).model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            f"EXPLAIN SELECT FROM {table} AS it"
            f" WHERE {indexed(arm.full)} @@ websearch_to_tsquery('english', 'word')"
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "Bitmap Index Scan" in plan
    assert "_words" in plan


@pytest.mark.parametrize("address", ["/search/?q=fish", "/api/v1/search?q=fish"])
def test_an_answer_takes_few_queries(client: Client, address: str) -> None:
    in_state("published", title="A red fish")
    client.get(address)

    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200

    assert len(asked) <= 5


@pytest.mark.parametrize(
    "question", ["", "?q=", "?q=fish&kind=nonsense&page=x", "?q=fish&kind=news&page=99999999999"]
)
def test_the_page_answers_whatever_is_asked(client: Client, question: str) -> None:
    assert client.get(f"/search/{question}").status_code == 200


def test_the_page_helps_who_found_nothing(client: Client) -> None:
    text = client.get("/search/?q=zzzz<b>").content.decode()

    assert "Nothing found for “zzzz&lt;b&gt;”" in text
    assert "Fewer words find more" in text
    assert 'name="robots" content="noindex"' in text


def test_json_tells_the_same(client: Client) -> None:
    in_state("published", slug="fish", title="A red fish", summary="It *swims*.")

    answer = client.get("/api/v1/search", {"q": "swim", "kind": "news"}).json()

    [group] = answer["groups"]
    assert (answer["total"], answer["page"], answer["pages"], group["kind"]) == (1, 1, 1, "news")
    [hit] = group["hits"]
    assert hit["title"] == "A red fish"
    assert hit["url"].endswith("/news/fish/")
    assert hit["text"].startswith("swims. Part")
    assert client.get("/api/v1/search?q=a&page=0").status_code == 422


def test_every_kind_has_a_name_and_an_address() -> None:
    assert ARMS.keys() | {"pages", "bylaws"} == KINDS.keys()
