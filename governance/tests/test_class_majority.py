"""A majority in each constituency, from the roster that was frozen when the vote opened."""

import pytest
from django.test import Client

from governance.actions.closing import close_motion
from governance.models import Body, Motion, Seat
from governance.motions import results
from governance.tests.conftest import DAY, START, CastVotes, make_rules, make_vote
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def motion(board: Body, directors: list[User]) -> Motion:
    """Ada to Dov sit for contributors, Eve for members; more yes than no in each half."""
    make_rules(board, per_class=True, quorum_base="filled", threshold="simple", early_close=True)
    return make_vote(board, directors, "Change how seats are divided")


def test_one_half_can_stop_what_the_whole_wants(
    client: Client, motion: Motion, vote: CastVotes
) -> None:
    vote(ada="yes", bea="yes", cyd="yes", dov="yes", eve="no")
    motion.refresh_from_db()
    assert motion.state == Motion.State.FAILED
    page = client.get(motion.get_absolute_url()).content.decode()
    assert "Elected by corporate members: 0 voted yes, 2 were needed." in page
    assert "contributors-yes=4" in page


def test_both_halves_carry_it(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="yes", eve="yes")
    motion.refresh_from_db()
    assert (motion.state, motion.closed_early) == (Motion.State.ADOPTED, True)


def test_it_runs_on_while_one_half_is_open(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="yes", dov="yes")
    motion.refresh_from_db()
    assert motion.state == Motion.State.OPEN


def test_a_seat_that_moves_later_changes_no_result(
    board: Body, motion: Motion, vote: CastVotes
) -> None:
    vote(ada="yes", bea="no")
    Seat.objects.filter(body=board).update(constituency=Seat.Constituency.APPOINTED)
    close_motion(motion_id=motion.pk, at=START + 4 * DAY)
    assert set(results.classes(Motion.objects.with_votes().get(pk=motion.pk))) == {
        "contributors",
        "members",
    }
