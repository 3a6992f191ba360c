"""The register of motions and the record page of each, for everybody who may read it."""

import csv
import io

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from governance.actions.motion import withdraw_motion
from governance.actions.redaction import redact
from governance.models import Body, Motion
from governance.motions import results
from governance.tests.conftest import (
    DAY,
    HOUR,
    START,
    CastVotes,
    make_decided,
    make_rules,
    make_vote,
)
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
MIXED = {0: "yes", 1: "yes", 2: "yes", 3: "abstain", 4: "recuse"}
CARRIED = dict.fromkeys(range(4), "yes")


@shared
def resolution(board: Body, directors: list[User]) -> Motion:
    """Carried ten days ago: three yes, Dov abstained, Eve recused, two seats vacant."""
    return make_decided(board, directors, "Keep the key in a module", MIXED)


def text_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.status_code
    return answer.content.decode()


def test_the_result_page_prints_the_arithmetic(client: Client, resolution: Motion) -> None:
    text = " ".join(text_of(client, resolution.get_absolute_url()).split())
    for words in (
        f"Resolution {resolution.resolution}",
        "Three voted yes; three were needed.",
        "A recusal leaves the base but counts for the quorum.",
        "Counted by the rules “Ordinary decisions”, version 1 of 1 January 2020",
        'Voting seats<span class="sub">Bylaw 4.1</span></th><td>7</td>',
        "less vacant</th><td>− 2</td>",
        "Directors in office</th><td>5</td>",
        "Present, quorum is 4",
        "Bylaw 5.2: of all voting seats; recused count",
        "less recused",
        "more than 4 ÷ 2 = 2",
        "Eve recused from this vote",
        "My employer sells it.",
        "<strong>two</strong>",
        "Eve voted: recuse.",
        f"Vote closed. Carried as resolution {resolution.resolution}.",
    ):
        assert words in text, words


def test_the_name_of_the_draft_leads_to_the_resolution(client: Client, resolution: Motion) -> None:
    answer = client.get(f"/governance/motions/{resolution.slug}/")
    assert (answer.status_code, answer["Location"]) == (301, resolution.get_absolute_url())


def test_papers_are_never_public_and_closed_to_who_recused(
    client: Client, resolution: Motion, directors: list[User], charlie: User, frank: User
) -> None:
    page = resolution.get_absolute_url()
    for person, sees in [(directors[0], True), (charlie, False), (frank, False)]:
        assert ("offer was 400" in text_of(sign_in(person), page)) is sees
    recused = text_of(sign_in(directors[4]), page)
    assert "offer was 400" not in recused
    assert "papers are closed to you (Bylaw 5.6)" in recused
    assert "offer was 400" not in text_of(client, page)


def test_rules_may_leave_the_papers_open_to_who_recused(board: Body, directors: list[User]) -> None:
    make_rules(board, recused_see_no_papers=False)
    motion = make_decided(board, directors, "Open papers", MIXED)
    assert "offer was 400" in text_of(sign_in(directors[4]), motion.get_absolute_url())


def test_how_each_voted_is_told_when_the_vote_is_over(
    client: Client, motion: Motion, vote: CastVotes
) -> None:
    vote(START, ada="no", bea="recuse")
    vote(START, ada="abstain")
    text = text_of(client, motion.get_absolute_url())
    assert "Ada voted." in text
    assert "Ada voted again." in text
    assert "<b>2</b> of 5 have voted" in text
    for secret in ("abstain.", "voted: no", "My employer sells it.", "recused"):
        assert secret not in text
    data = client.get(f"/governance/motions/{motion.reference}.json").json()
    assert data["has_voted"] == [1, 2]
    assert "roll_call" not in data


def test_the_record_tells_each_change(board: Body, directors: list[User], client: Client) -> None:
    motion = make_decided(board, directors, "Changed", {0: "no", 1: "yes"})
    assert "Ada voted: no." in text_of(client, motion.get_absolute_url())
    changed = make_vote(board, directors, "Twice", at=START - 5 * DAY)
    from governance.actions.closing import close_motion
    from governance.actions.vote import cast_vote
    from governance.models import Vote

    for hours, choice, reason in [(1, "no", ""), (2, "yes", ""), (3, "yes", "I read it again.")]:
        cast_vote(
            actor=directors[0],
            motion=changed,
            choice=Vote.Choice(choice),
            reason=reason,
            at=START - 5 * DAY + hours * HOUR,
        )
    close_motion(motion_id=changed.pk, at=START)
    text = text_of(client, changed.get_absolute_url())
    assert "Ada changed the vote from no to yes." in text
    assert "Ada gave another reason for the same vote." in text
    assert "<b>Ada</b>, yes: I read it again." in text
    assert "No quorum: nothing was decided." in text
    assert "One was present; the quorum is four. Nothing was decided." in text


def test_a_page_counts_what_is_over_before_it_answers(
    client: Client, board: Body, directors: list[User]
) -> None:
    motion = make_vote(board, directors, "Over", at=START - 4 * DAY)
    assert motion.state == Motion.State.OPEN
    assert "No quorum" in text_of(client, motion.get_absolute_url())


def test_a_draft_is_404_for_a_stranger_everywhere(
    client: Client, draft: Motion, charlie: User
) -> None:
    for visitor in (client, sign_in(charlie)):
        for path in (draft.get_absolute_url(), f"/governance/motions/{draft.reference}.json"):
            assert visitor.get(path).status_code == 404
        for path in (
            "/governance/",
            "/governance/board/",
            "/governance/motions/",
            "/governance/motions.csv",
            "/governance/motions/feed.atom",
            "/sitemap.xml",
        ):
            assert draft.title not in text_of(visitor, path)
            assert draft.slug not in text_of(visitor, path)


def test_a_director_finds_the_drafts_of_the_body(draft: Motion, directors: list[User]) -> None:
    for path in ("/governance/", "/governance/motions/"):
        assert draft.title in text_of(sign_in(directors[2]), path)
    data = sign_in(directors[2]).get(f"/governance/motions/{draft.reference}.json")
    assert data.json()["state"] == "draft"
    assert "Access-Control-Allow-Origin" not in data.headers


def test_the_register_filters(client: Client, board: Body, directors: list[User]) -> None:
    make_decided(board, directors, "Carried one", CARRIED)
    make_decided(board, directors, "Lost one", dict.fromkeys(range(4), "no"))
    make_vote(board, directors, "Open one")
    year = (START - 11 * DAY).year
    for query, found in [
        ("", {"Carried one", "Lost one", "Open one"}),
        ("?state=adopted", {"Carried one"}),
        ("?state=failed", {"Lost one"}),
        ("?state=open", {"Open one"}),
        ("?q=carried", {"Carried one"}),
        ("?body=board&q=one", {"Carried one", "Lost one", "Open one"}),
        ("?body=nobody&state=adopted", {"Carried one"}),
        (f"?year={year}&state=adopted", {"Carried one"}),
        ("?year=1999&state=nonsense&page=99", {"Carried one", "Lost one", "Open one"}),
        ("?q=nothing", set()),
    ]:
        text = text_of(client, f"/governance/motions/{query}")
        seen = {title for title in ("Carried one", "Lost one", "Open one") if title in text}
        assert seen == found, query
    assert "No motion matches" in text_of(client, "/governance/motions/?q=nothing")


def test_the_register_says_what_will_be_here(client: Client, board: Body) -> None:
    assert "Motions appear here when their vote opens" in text_of(client, "/governance/motions/")


def test_no_title_of_a_motion_is_a_formula_in_the_csv(
    client: Client, board: Body, directors: list[User]
) -> None:
    title = '=HYPERLINK("https://example.org","Result")'
    make_vote(board, directors, title)
    answer = client.get("/governance/motions.csv")
    [row] = csv.DictReader(io.StringIO(answer.content.decode()))
    assert row["title"] == f"'{title}"


def test_the_csv_has_the_numbers_of_each_vote(
    client: Client, resolution: Motion, board: Body, directors: list[User]
) -> None:
    make_vote(board, directors, "Open one")
    answer = client.get("/governance/motions.csv")
    assert answer["Access-Control-Allow-Origin"] == "*"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["title"] for row in rows] == ["Open one", "Keep the key in a module"]
    assert rows[0]["yes"] == ""
    numbers = {key: rows[1][key] for key in ("seats", "vacant", "recused", "abstain", "yes")}
    assert numbers == {"seats": "7", "vacant": "2", "recused": "1", "abstain": "1", "yes": "3"}
    assert (rows[1]["rules"], rows[1]["base"], rows[1]["yes_needed"]) == ("ordinary 1", "4", "3")
    only = client.get("/governance/motions.csv?state=open").content.decode()
    assert "Keep the key" not in only


def test_a_result_as_json(client: Client, resolution: Motion) -> None:
    answer = client.get(f"/governance/motions/{resolution.reference}.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    data = answer.json()
    assert data["reference"] == resolution.resolution
    assert data["count"]["quorum_got"] == 5
    assert data["roll_call"][4] == {"seat": 5, "name": "Eve", "vote": "recused"}
    assert data["roll_call"][6] == {"seat": 7, "name": None, "vote": "vacant"}
    stands = [(seat.number, stand.value) for seat, stand in results.standing(resolution)]
    assert [(each["seat"], each["vote"]) for each in data["roll_call"]] == stands
    assert "papers" not in data


def test_who_has_a_result_already_is_told_so_until_it_changes(
    client: Client, resolution: Motion, frank: User
) -> None:
    path = f"/governance/motions/{resolution.reference}.json"
    etag = client.get(path)["ETag"]
    again = client.get(path, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Access-Control-Allow-Origin"] == "*"
    redact(actor=frank, motion=resolution, passage="are bought", because="A firm.")
    assert client.get(path, headers={"if-none-match": etag}).status_code == 200


def test_what_only_the_body_reads_is_kept_by_no_cache(draft: Motion, directors: list[User]) -> None:
    answer = sign_in(directors[1]).get(f"/governance/motions/{draft.reference}.json")
    assert "public" not in answer.get("Cache-Control", "")
    assert "Access-Control-Allow-Origin" not in answer


def test_the_feed_tells_the_resolutions(client: Client, resolution: Motion) -> None:
    answer = client.get("/governance/motions/feed.atom")
    text = answer.content.decode()
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert f"{resolution.resolution}: Keep the key in a module" in text
    assert "Three voted yes; three were needed." in text
    assert "offer was 400" not in text


def test_search_engines_are_told_of_what_was_voted_on(client: Client, resolution: Motion) -> None:
    assert resolution.get_absolute_url() in text_of(client, "/sitemap.xml")


def test_a_withdrawn_vote_stays_readable(
    client: Client, motion: Motion, directors: list[User]
) -> None:
    withdraw_motion(actor=directors[0], motion=motion)
    text = text_of(client, motion.get_absolute_url())
    assert "Withdrawn by who proposed it." in text
    assert motion.title in text_of(client, "/governance/motions/?state=withdrawn")


def test_the_page_of_a_motion_asks_no_more_for_more_votes_and_reasons(
    client: Client,
    board: Body,
    directors: list[User],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    few = make_decided(board, directors, "Few say why", {0: "yes", 1: "recuse"})
    many = make_decided(board, directors, "Many say why", dict.fromkeys(range(5), "recuse"))
    for motion in (few, many):
        with django_assert_max_num_queries(14):
            text = text_of(client, motion.get_absolute_url())
        assert "My employer sells it." in text


def test_the_register_asks_a_fixed_number_of_queries(
    client: Client,
    board: Body,
    directors: list[User],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for n in range(8):
        make_decided(board, directors, f"Number {n}", CARRIED)
    with django_assert_max_num_queries(8):
        client.get("/governance/motions/")
