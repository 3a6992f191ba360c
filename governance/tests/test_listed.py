"""Lists of motions: the same numbers as on the page of each, in as many queries as of one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from governance.actions.closing import close_motion
from governance.actions.consensus import call_consensus, take_position
from governance.actions.motion import second_motion
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, Position, Vote
from governance.motions import listed, results
from governance.motions.progress import progress
from governance.templatetags.governance import motion_numbers, motion_score
from governance.tests.conftest import (
    DAY,
    HOUR,
    START,
    CastVotes,
    make_decided,
    make_draft,
    make_rules,
    make_vote,
)
from governance.tests.council import make_council
from governance.tests.rolls import ask, enrol
from governance.tests.written import in_writing, make_consent, revoke, sign
from portal.accounts.models import User
from tests.cast import make_person

pytestmark = pytest.mark.django_db
LATER = START + 20 * DAY
MIXED = {0: "no", 1: "yes", 2: "yes", 3: "abstain", 4: "recuse"}


def in_a_list(motion: Motion) -> Motion:
    found = listed.with_numbers(Motion.objects.filter(pk=motion.pk).for_lists(), LATER)
    return found[0]


def same_as_on_its_page(motion: Motion) -> bool:
    shown, alone = in_a_list(motion), Motion.objects.with_votes().get(pk=motion.pk)
    assert motion_numbers(shown) == motion_numbers(alone)
    assert motion_score(shown) == motion_score(alone)
    return results.report(shown) == results.report(alone)


def test_votes_are_counted_alike(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="recuse")
    vote(at=START + 2 * HOUR, ada="no", cyd="abstain")
    assert results.count(in_a_list(motion)) == results.count(motion)
    assert results.count(in_a_list(motion)).no == 1
    assert same_as_on_its_page(motion)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"per_class": True, "quorum_base": "filled", "threshold": "simple"},
        {"tie": "lot", "quorum_base": "filled", "threshold": "simple"},
        {"tie": "casting_vote", "quorum_base": "filled", "threshold": "simple"},
    ],
)
@pytest.mark.parametrize("chair", [True, False])
def test_results_are_alike_by_any_rules(
    board: Body, directors: list[User], rules: dict[str, object], chair: bool
) -> None:
    make_rules(board, **rules)
    votes = MIXED | ({2: "no"} if chair else {})
    decided = make_decided(board, directors, "Buy one of two machines", votes)
    assert same_as_on_its_page(decided)
    if rules.get("tie") == "casting_vote":
        told = {seat.number: seat.has_casting_vote for seat in decided.roster.all()}
        assert told[1]
        assert results.count(in_a_list(decided)).casting == "no"


def test_a_vote_of_members_is_counted_alike(
    board: Body, directors: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    speaker = make_person("Northa")
    enrol(monkeypatch, [("north", speaker), ("south", directors[2])])
    asked = ask(board, directors)
    cast_vote(actor=speaker, motion=asked, choice=Vote.Choice.YES, at=START + HOUR)
    assert same_as_on_its_page(asked)
    assert results.count(in_a_list(asked)).absent == 1
    close_motion(motion_id=asked.pk, at=LATER)
    assert same_as_on_its_page(asked)


def test_signatures_are_counted_alike(board: Body, directors: list[User]) -> None:
    in_writing(board)
    consent = make_consent(board, directors)
    sign(consent, *directors[:3])
    revoke(consent, directors[0])
    other = make_consent(board, directors, "Sign that too")
    shown, alone = in_a_list(consent.motion), Motion.objects.get(pk=consent.motion_id)
    told = progress(shown)
    by_itself = progress(alone)
    assert told is not None
    assert by_itself is not None
    assert (told.got, told.of, told.needed) == (2, by_itself.of, by_itself.needed) == (2, 5, 5)
    none = progress(in_a_list(other.motion))
    assert none is not None
    assert none.got == 0


def test_what_a_consensus_has_so_far_is_told_alike() -> None:
    gil, hua, ian, _jo, ada = make_council()
    draft = make_draft(Body.objects.get(slug="council"), gil, "Drop it", START - DAY)
    second_motion(actor=hua, motion=draft, at=START - HOUR)
    sought = call_consensus(actor=gil, motion=draft, ends_at=START + 5 * DAY, at=START)
    for person, stance in ((hua, "support"), (ian, "object"), (ian, "accept"), (ada, "object")):
        sought = take_position(
            actor=person,
            consensus=sought,
            stance=Position.Stance(stance),
            reason="So.",
            at=START + HOUR,
        )
    running = Motion.objects.under_decision(START + HOUR).for_lists()
    told = progress(listed.with_numbers(running, START + HOUR)[0])
    assert told == progress(Motion.objects.get(pk=draft.pk))
    assert told is not None
    assert (told.got, told.of, told.note) == (2, 4, "nobody objects")


def test_a_list_asks_no_more_for_more_motions(
    board: Body, directors: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_writing(board)
    enrol(monkeypatch, [("north", make_person("Northa"))])
    asked = []
    for round_ in range(2):
        make_vote(board, directors, f"Vote {round_}")
        ask(board, directors)
        make_decided(board, directors, f"Decided {round_}", dict.fromkeys(range(5), "yes"))
        make_consent(board, directors, f"Sign {round_}")
        with CaptureQueriesContext(connection) as queries:
            running = list(Motion.objects.under_decision(START + HOUR).for_lists())
            resolved = list(Motion.objects.resolutions(LATER).for_lists())
            for shown in listed.with_numbers([*running, *resolved], LATER):
                motion_numbers(shown)
                assert shown.public_summary
                assert shown.get_absolute_url()
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 5
    assert (len(running), len(resolved)) == (6, 2)
