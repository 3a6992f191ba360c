"""Written consent: signatures of a frozen list, revocable until it takes effect."""

import json
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from governance.actions.consent import open_consent, remind_due, settle_due, sign_consent
from governance.actions.letter_round import promise_due
from governance.actions.motion import second_motion
from governance.actions.seat import end_term, seat_person
from governance.bundle import chain
from governance.consent import consenting
from governance.models import Body, Consent, Motion, RuleSet, SeatTerm, Signature
from governance.refusals import NotAllowed, Refusal
from governance.tests.bundles import complaints, files_of, sealed
from governance.tests.conftest import DAY, HOUR, START, make_draft
from governance.tests.written import PROOF, in_writing, make_consent, revoke, sign
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.members.actions.contributor import accept_standing
from portal.members.tests.people import make_contributor
from releases.signer.local import LocalSigner
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def consent(board: Body, directors: list[User]) -> Consent:
    """All five directors have to sign."""
    in_writing(board)
    return make_consent(board, directors)


def state(consent: Consent) -> str:
    return Motion.objects.get(pk=consent.motion_id).state


def test_everybody_signs_and_it_is_effective_with_the_last(
    consent: Consent, directors: list[User]
) -> None:
    assert consent.needed == 5
    sign(consent, *directors[:4])
    assert state(consent) == "open"
    sign(consent, directors[4], at=START + DAY)
    motion = Motion.objects.get(pk=consent.motion_id)
    assert (motion.state, motion.decided_at) == ("adopted", START + DAY)
    assert motion.resolution
    consent.refresh_from_db()
    assert consent.effective_at == START + DAY
    told = OutboxMail.objects.filter(key__startswith="consent_ended")
    assert told.count() == 5
    assert "did not sign" not in told[0].text
    assert "and the certificate:" in told[0].text


def test_who_was_not_in_office_when_it_was_asked_does_not_sign(
    consent: Consent, board: Body, directors: list[User], charlie: User
) -> None:
    newcomer = make_person("newcomer")
    seat = board.seats.get(number=6)
    seat_person(actor=None, seat=seat, user=newcomer, since=START.date())
    for person in (newcomer, charlie):
        with pytest.raises(NotAllowed, match="the list was frozen then"):
            sign(consent, person)
    term = SeatTerm.objects.voting().get(user=directors[4])
    end_term(actor=None, term=term, on=START.date() + timedelta(days=1))
    sign(consent, *directors, at=START + 2 * DAY)
    assert state(consent) == "adopted", "who was on the list signs"


def test_a_signature_can_be_taken_back_until_it_is_effective(
    consent: Consent, directors: list[User]
) -> None:
    sign(consent, *directors[:4])
    revoke(consent, directors[0])
    with pytest.raises(NotAllowed, match="no signature of yours"):
        revoke(consent, directors[0])
    sign(consent, directors[4], at=START + 3 * HOUR)
    assert state(consent) == "open"
    sign(consent, directors[0], at=START + 4 * HOUR)
    assert state(consent) == "adopted"
    with pytest.raises(Refusal, match="effective since"):
        revoke(consent, directors[1], at=START + 5 * HOUR)
    acts = list(consent.signatures.filter(voter__user=directors[0]).values_list("act", flat=True))
    assert acts == ["sign", "revoke", "sign"]


def test_each_statement_names_the_text_and_the_one_before_it(
    consent: Consent, directors: list[User]
) -> None:
    sign(consent, *directors[:2])
    revoke(consent, directors[1])
    previous = ""
    for act in consent.signatures.order_by("pk"):
        said = json.loads(act.statement)
        assert said["text_sha256"] == consent.motion.text_sha256
        assert said["previous"] == previous
        assert said["authenticated"] == {"by": "totp", "at": START.isoformat()}
        assert chain.digest(act.statement.encode()) == act.sha256
        previous = act.sha256


def test_the_name_is_typed_as_it_stands_on_the_list(
    consent: Consent, directors: list[User]
) -> None:
    with pytest.raises(Refusal, match="Type your name as it stands on the list: Ada"):
        sign_consent(
            actor=directors[0], consent=consent, name="Bea", authenticated=PROOF, at=START + HOUR
        )
    sign_consent(
        actor=directors[0], consent=consent, name="  ada ", authenticated=PROOF, at=START + HOUR
    )
    with pytest.raises(Refusal, match="signed already"):
        sign(consent, directors[0])


def test_it_is_over_at_its_deadline(consent: Consent, directors: list[User]) -> None:
    sign(consent, *directors[:4])
    assert settle_due(at=START + 9 * DAY) == 0
    with pytest.raises(Refusal, match="could be signed until"):
        sign(consent, directors[4], at=START + 10 * DAY)
    assert settle_due(at=START + 11 * DAY) == 1
    motion = Motion.objects.get(pk=consent.motion_id)
    assert (motion.state, motion.decided_at) == ("failed", START + 10 * DAY)
    with pytest.raises(Refusal, match="Too few had signed"):
        sign(consent, directors[4], at=START + 12 * DAY)
    assert settle_due(at=START + 12 * DAY) == 0


def test_who_has_not_signed_is_reminded_once_on_the_last_day(
    consent: Consent, directors: list[User]
) -> None:
    sign(consent, *directors[:3])
    assert remind_due(at=START + 8 * DAY) == 0
    assert remind_due(at=START + 9 * DAY) == 1
    assert remind_due(at=START + 9 * DAY + HOUR) == 0
    told = OutboxMail.objects.filter(key__startswith="consent_reminder")
    assert {letter.recipient for letter in told} == {person.email for person in directors[3:]}


def test_it_takes_effect_on_its_day_and_not_before(
    board: Body, directors: list[User], consent: Consent
) -> None:
    day = START.date() + timedelta(days=5)
    draft = make_draft(board, directors[0], "Later", START - DAY)
    Motion.objects.filter(pk=draft.pk).update(
        takes_effect_on=day, seconded_by=directors[1], seconded_at=START
    )
    later = open_consent(actor=directors[0], motion=draft, deadline=START + 3 * DAY, at=START)
    sign(later, *directors)
    assert state(later) == "open"
    revoke(later, directors[0], at=START + HOUR * 2)
    sign(later, directors[0], at=START + HOUR * 3)
    assert settle_due(at=START + 4 * DAY) == 0, "signed in time, and not effective yet"
    assert settle_due(at=START + 6 * DAY) == 1
    motion = Motion.objects.get(pk=later.motion_id)
    assert motion.decided_at is not None
    assert (motion.state, motion.decided_at.date()) == ("adopted", day)


def test_a_signature_lapses_when_too_few_followed_in_its_days(
    board: Body, directors: list[User]
) -> None:
    in_writing(board, consent_days=4)
    consent = make_consent(board, directors)
    sign(consent, *directors[:4])
    sign(consent, directors[4], at=START + 6 * DAY)
    assert state(consent) == "open", "four signatures are older than four days"
    later = START + 6 * DAY
    told = [line.lapsed_at is not None for line in consenting.lines(consent, later)]
    assert told == [True] * 4 + [False]
    sign(consent, *directors[:4], at=START + 7 * DAY)
    assert state(consent) == "adopted"


def test_the_page_tells_that_a_signature_lapsed(
    board: Body, directors: list[User], client: Client
) -> None:
    in_writing(board, consent_days=4)
    consent = make_consent(board, directors)
    sign(consent, directors[0])
    revoke(consent, directors[0], at=START + HOUR)
    sign(consent, directors[1], at=START + HOUR)
    assert settle_due(at=START + 20 * DAY) == 1
    page = client.get(consent.motion.get_absolute_url()).content.decode()
    assert "The signature of Bea lapsed: too few others had signed." in page
    assert "The signature of Ada lapsed" not in page, "she took it back before"


def test_as_many_sign_as_would_carry_it_if_all_were_present(
    board: Body, directors: list[User]
) -> None:
    in_writing(board, "as_if_present")
    consent = make_consent(board, directors)
    assert consent.needed == 3
    sign(consent, *directors[:3])
    assert state(consent) == "adopted"
    notice = OutboxMail.objects.get(key__startswith="consent_ended", recipient=directors[4].email)
    assert "decided without your signature" in notice.text


def test_a_body_that_does_not_decide_in_writing_does_not(
    board: Body, directors: list[User]
) -> None:
    RuleSet.objects.filter(body=board).update(consent="none")
    with pytest.raises(Refusal, match="not decided in writing"):
        make_consent(board, directors)
    in_writing(board, "as_if_present", minimum_yes=6)
    with pytest.raises(Refusal, match="Too few are in office"):
        make_consent(board, directors, "Again")


def test_the_deadline_lies_ahead(board: Body, directors: list[User], draft: Motion) -> None:
    in_writing(board)
    Motion.objects.filter(pk=draft.pk).update(seconded_by=directors[1], seconded_at=START)
    with pytest.raises(Refusal, match="must be after"):
        open_consent(actor=directors[0], motion=draft, deadline=START, at=START)


def test_what_was_signed_never_changes(consent: Consent, directors: list[User]) -> None:
    sign(consent, directors[0])
    for change in (
        "UPDATE governance_signature SET statement = ''",
        "DELETE FROM governance_signature",
        "UPDATE governance_consent SET needed = 1",
        "DELETE FROM governance_consent",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    assert Signature.objects.count() == 1


def test_nobody_votes_on_what_is_signed(consent: Consent, directors: list[User]) -> None:
    from governance.actions.vote import cast_vote
    from governance.models import Vote

    with pytest.raises(Refusal, match="written consent"):
        cast_vote(actor=directors[0], motion=consent.motion, choice=Vote.Choice.YES)


def test_every_signature_is_in_the_bundle_and_checked(
    board: Body, directors: list[User], signer: LocalSigner
) -> None:
    in_writing(board)
    consent = make_consent(board, directors, at=START - 5 * DAY)
    sign(consent, *directors, at=START - 4 * DAY)
    failed = make_consent(board, directors, "Not signed", at=START - 20 * DAY)
    sign(failed, directors[0], at=START - 19 * DAY)
    settle_due(at=START)
    bundle = sealed(signer)
    assert complaints(bytes(bundle.packed or b"")) == []
    document = json.loads(files_of(bundle)["records/motions/sign-it.json"])
    assert [act["statement"]["name"] for act in document["acts"]] == [
        "Ada",
        "Bea",
        "Cyd",
        "Dov",
        "Eve",
    ]
    assert date.fromisoformat(document["effective"][:10]) == (START - 4 * DAY).date()


def test_contributors_consent_as_if_all_were_present(
    board: Body, directors: list[User], charlie: User, frank: User
) -> None:
    """Those on the roll sign, not the board; whoever does not is told at once."""
    in_writing(board, "as_if_present")
    draft = make_draft(board, directors[0], "Ask the contributors", START - DAY)
    second_motion(actor=directors[1], motion=draft, at=START - HOUR)
    Motion.objects.filter(pk=draft.pk).update(electorate="contributors")
    with pytest.raises(Refusal, match="Nobody"):
        open_consent(actor=directors[0], motion=draft, deadline=START + DAY, at=START)
    for person in [charlie, *directors[2:]]:
        contributor = make_contributor(directors[0], frank, START - 100 * DAY, email=person.email)
        accept_standing(user=person, contributor=contributor, is_listed=False, at=START - 100 * DAY)
    asked = open_consent(actor=directors[0], motion=draft, deadline=START + DAY, at=START)
    assert {row.user for row in asked.motion.roster.all()} == {charlie, *directors[2:]}
    assert asked.needed == 3
    with pytest.raises(NotAllowed, match="Only the contributors who were on the roll"):
        sign(asked, directors[0])
    promise_due()
    letter = OutboxMail.objects.get(key__startswith="consent_opened", recipient=charlie.email)
    assert "decided in writing by the contributors, without" in letter.text
    page = sign_in(directors[2]).get(f"{asked.motion.get_absolute_url()}sign/").content.decode()
    assert "resolution of the contributors" in page
    sign(asked, charlie, *directors[2:4])
    assert state(asked) == "adopted"
    promise_due()
    notice = OutboxMail.objects.get(key__startswith="consent_ended", recipient=directors[4].email)
    assert "decided without your signature" in notice.text
    assert "decided in writing by the contributors;" in notice.text
