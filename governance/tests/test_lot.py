"""A tie decided by lot: fixed before the vote, drawn again by everybody after it."""

import hashlib

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from governance.actions.closing import close_motion
from governance.models import Body, Lot, Motion
from governance.motions import results
from governance.tally import lot
from governance.tally.rollcall import Choice, Standing
from governance.tests.conftest import DAY, START, CastVotes, make_rules, make_vote
from portal.accounts.models import User
from tests.shared import shared


@shared
def motion(board: Body, directors: list[User]) -> Motion:
    """Open for three days from now, under rules that break a tie by lot."""
    make_rules(board, tie="lot", quorum_base="filled", threshold="simple")
    return make_vote(board, directors, "Buy one of two machines")


def decided(motion: Motion) -> Motion:
    assert close_motion(motion_id=motion.pk, at=START + 4 * DAY)
    return Motion.objects.with_votes().get(pk=motion.pk)


@pytest.mark.django_db
def test_the_secret_is_fixed_and_hidden_while_the_vote_runs(client: Client, motion: Motion) -> None:
    fixed = motion.lot
    assert hashlib.sha256(bytes.fromhex(fixed.nonce)).hexdigest() == fixed.commitment
    page = client.get(motion.get_absolute_url()).content.decode()
    assert fixed.commitment in page
    assert fixed.nonce not in page
    with pytest.raises(IntegrityError), transaction.atomic():
        Lot.objects.update(nonce="0" * 64)
    with pytest.raises(IntegrityError), transaction.atomic():
        Lot.objects.all().delete()


@pytest.mark.django_db
def test_a_tie_goes_where_the_lot_says_and_everybody_can_draw_it(
    client: Client, motion: Motion, vote: CastVotes
) -> None:
    vote(ada="yes", bea="yes", cyd="no", dov="no", eve="abstain")
    over = decided(motion)
    lines = [
        over.text_sha256,
        "1 yes",
        "2 yes",
        "3 no",
        "4 no",
        "5 abstain",
        "6 vacant",
        "7 vacant",
    ]
    told = bytes.fromhex(over.lot.nonce) + "".join(f"{line}\n" for line in lines).encode()
    seed = hashlib.sha256(told).hexdigest()
    for_it = int(seed, 16) % 2 == 0
    assert over.state == (Motion.State.ADOPTED if for_it else Motion.State.FAILED)
    page = client.get(over.get_absolute_url()).content.decode()
    assert over.lot.nonce in page
    assert seed in page
    assert ("The lot, drawn for the motion" in page) is for_it
    assert "what-if/?yes=2&amp;no=2" in page


@pytest.mark.django_db
def test_a_lot_changes_no_majority(motion: Motion, vote: CastVotes) -> None:
    vote(ada="yes", bea="yes", cyd="no")
    assert decided(motion).state == Motion.State.ADOPTED


@pytest.mark.django_db
def test_other_rules_draw_no_lot(board: Body, directors: list[User]) -> None:
    plain = make_vote(board, directors, "No lot here")
    assert not Lot.objects.exists()
    assert results.lot(plain) is None


STANDINGS = st.dictionaries(st.integers(1, 9), st.sampled_from(Standing), max_size=9)


@given(nonce=st.binary(min_size=32, max_size=32), standing=STANDINGS, data=st.data())
def test_the_order_of_seats_changes_no_lot(
    nonce: bytes, standing: dict[int, Standing], data: st.DataObject
) -> None:
    shuffled = dict(data.draw(st.permutations(list(standing.items()))))
    assert lot.seed(nonce, "ab", shuffled) == lot.seed(nonce, "ab", standing)


def test_another_vote_is_another_draw() -> None:
    nonce = b"n" * lot.NONCE_BYTES
    drawn = {
        lot.draw(lot.seed(nonce, text, {1: stand}))
        for text in ("a", "b", "c", "d")
        for stand in Standing
    }
    assert drawn == {Choice.YES, Choice.NO}
