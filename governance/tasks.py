"""Sweeps of governance: each finds its work in the rows, so a lost or doubled run is harmless."""

import logging

from celery import shared_task
from django.utils import timezone

from governance.actions import (
    action_item,
    closing,
    consensus,
    consent,
    credential,
    discussion,
    election_close,
    election_count,
    election_round,
    freezing,
    letter_round,
    meeting,
    roll,
    superseding,
    term_end,
)
from governance.actions.bundle import UnsoundError, sign_bundle
from governance.actions.records import write_records
from governance.actions.seat_role import correct_roles
from governance.elections import offices
from releases import tasks as releasing
from releases.signing import SignerUnavailableError, SigningRefusedError

logger = logging.getLogger(__name__)


@shared_task
def close_due() -> None:
    closing.close_due()
    consent.settle_due()
    consensus.settle_due()


@shared_task
def remind_due() -> None:
    closing.remind_due()
    consent.remind_due()


@shared_task
def promise_letters() -> None:
    """The letters to the rolls of members and of elections, batch by batch."""
    letter_round.promise_due()
    election_round.begin_due()
    election_round.promise_due()


@shared_task
def move_elections_on() -> None:
    """Draw rolls, tell registrar and box of what was frozen, close what is over."""
    roll.draw_due()
    freezing.hand_over_due(registrar=offices.registrar(), box=offices.ballot_box())
    credential.note_all_issued(registrar=offices.registrar())
    election_close.close_due(box=offices.ballot_box())


@shared_task
def count_elections() -> None:
    election_count.count_due(registrar=offices.registrar(), box=offices.ballot_box())


@shared_task
def lapse_due() -> None:
    discussion.lapse_due()


@shared_task
def supersede_due() -> None:
    superseding.supersede_due()


@shared_task
def correct_seat_roles() -> None:
    correct_roles(at=timezone.now())


@shared_task
def announce_ends_of_terms() -> None:
    term_end.announce_ends()


@shared_task
def sign_decisions() -> None:
    """Write down what was decided since, and have it signed."""
    write_records()
    try:
        sign_bundle(signer=releasing.signer())
    except SignerUnavailableError as error:
        logger.warning("%s; the sweep tries again", error)
    except (SigningRefusedError, UnsoundError) as error:
        logger.error("what was decided stays unsigned: %s", error)


@shared_task
def remind_of_meetings() -> None:
    meeting.remind_due()


@shared_task
def remind_of_action_items() -> None:
    action_item.remind_due()
