"""Nominated by anybody, answered by staff, accepted by the person, dated, renewed, ended."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError
from django.utils import timezone

from portal.accounts.actions.role import grant_role
from portal.accounts.models import User
from portal.accounts.roles import Role, has_role
from portal.lib.models import AuditEntry, OutboxMail
from portal.members.actions.contributor import (
    NotLaterError,
    NotOfferedError,
    accept_standing,
    correct_roles,
    decline_standing,
    end_standing,
    remind_of_ends,
    renew_standing,
)
from portal.members.actions.nomination import (
    NominatedAlreadyError,
    NotWaitingError,
    OwnCaseError,
    TooManyNominationsError,
    approve_nomination,
    nominate,
    reject_nomination,
    withdraw_nomination,
)
from portal.members.models import Contributor, Nomination, Standing
from portal.members.tests.people import (
    DAY,
    YEAR,
    case,
    letters,
    make_contributor,
    make_nomination,
    make_secured,
)
from portal.tasks import keep_contributors
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def gwen() -> User:
    """Somebody with an account at the address that tests nominate."""
    return make_secured("gwen")


def test_a_nomination_is_kept_and_confirmed_by_letter(charlie: User) -> None:
    nomination = make_nomination(charlie)
    assert nomination.is_waiting
    assert letters(charlie.email) == ["Your nomination of Gwen"]
    assert letters("gwen@example.org") == []
    assert AuditEntry.objects.filter(verb="nomination.write").count() == 1


def test_reviewers_hear_of_it_unless_it_is_their_own_case(
    charlie: User, frank: User, gwen: User
) -> None:
    grant_role(actor=None, user=gwen, role=Role.STAFF)
    make_nomination(charlie, email=gwen.email)
    assert letters(frank.email) == ["Gwen is nominated as contributor: please review"]
    assert letters(gwen.email) == []
    make_nomination(frank, email="hugo@example.org")
    assert len(letters(frank.email)) == 2, "and the confirmation of his own"
    assert len(letters(gwen.email)) == 1


def test_the_same_person_is_nominated_once_by_the_same(charlie: User, bob: User) -> None:
    make_nomination(charlie)
    with pytest.raises(NominatedAlreadyError):
        make_nomination(charlie, email="GWEN@example.org")
    make_nomination(bob)
    assert Nomination.objects.count() == 2


def test_ten_nominations_a_day_are_the_most(charlie: User) -> None:
    now = timezone.now()
    for number in range(10):
        make_nomination(charlie, now, email=f"p{number}@example.org")
    with pytest.raises(TooManyNominationsError):
        make_nomination(charlie, now, email="one.more@example.org")
    make_nomination(charlie, now + 2 * DAY, email="one.more@example.org")


def test_an_approved_person_gets_the_role_when_they_accept(
    charlie: User, frank: User, gwen: User
) -> None:
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now)
    assert letters("gwen@example.org") == [
        "You are invited to be a contributor of the Example DB Foundation"
    ]
    assert letters(charlie.email)[-1] == "Gwen is invited to be a contributor"
    assert not has_role(gwen, Role.CONTRIBUTOR)

    accept_standing(user=gwen, contributor=contributor, is_listed=True, at=now)

    assert has_role(gwen, Role.CONTRIBUTOR, at=now + 364 * DAY)
    assert not has_role(gwen, Role.CONTRIBUTOR, at=now + 366 * DAY)
    assert list(Contributor.objects.listed(now)) == [contributor]
    assert not Contributor.objects.listed(now + 366 * DAY).exists()


def test_who_nominated_themselves_need_not_accept(charlie: User, frank: User) -> None:
    now = timezone.now()
    make_contributor(charlie, frank, now, name="Charlie", email=charlie.email)
    assert has_role(charlie, Role.CONTRIBUTOR)
    assert letters(charlie.email)[-1] == "You are a contributor of the Example DB Foundation"
    assert not Contributor.objects.listed(now).exists(), "nobody is named without consent"


def test_only_the_person_of_that_address_accepts(charlie: User, frank: User, bob: User) -> None:
    contributor = make_contributor(charlie, frank, timezone.now())
    with pytest.raises(NotOfferedError):
        accept_standing(user=bob, contributor=contributor, is_listed=True, at=timezone.now())
    assert not has_role(bob, Role.CONTRIBUTOR)


def test_an_account_is_one_contributor_only(charlie: User, frank: User, gwen: User) -> None:
    now = timezone.now()
    first = make_contributor(charlie, frank, now)
    accept_standing(user=gwen, contributor=first, is_listed=False, at=now)
    other = make_contributor(charlie, frank, now, email="other@example.org")
    EmailAddress.objects.create(user=gwen, email="other@example.org", verified=True)
    with pytest.raises(NotOfferedError):
        accept_standing(user=gwen, contributor=other, is_listed=False, at=now)
    answer = sign_in(gwen).post(f"/contributors/own/{other.pk}/accept/", follow=True)
    assert "another contributor already" in answer.content.decode()


def test_a_rejection_goes_to_the_nominator_with_its_reason(charlie: User, frank: User) -> None:
    nomination = make_nomination(charlie)
    reject_nomination(
        actor=frank, nomination=nomination, reason="Too few commits & reviews.", at=timezone.now()
    )
    letter = OutboxMail.objects.get(key=f"nomination.rejected:{nomination.pk}")
    assert letter.recipient == charlie.email
    assert "Too few commits & reviews." in letter.text
    assert "Too few commits &amp; reviews." in letter.html
    assert letters("gwen@example.org") == []
    assert not Contributor.objects.exists()


def test_a_nomination_is_answered_once(charlie: User, frank: User) -> None:
    now = timezone.now()
    nomination = make_nomination(charlie)
    approve_nomination(actor=frank, nomination=nomination, until=now + YEAR, at=now)
    with pytest.raises(NotWaitingError):
        reject_nomination(actor=frank, nomination=nomination, reason="No.", at=now)
    with pytest.raises(NotWaitingError):
        withdraw_nomination(actor=charlie, nomination=nomination)
    assert Standing.objects.count() == 1


def test_nobody_decides_a_case_of_their_own(frank: User, charlie: User) -> None:
    now = timezone.now()
    for nomination in (make_nomination(frank), make_nomination(charlie, email=frank.email)):
        with pytest.raises(OwnCaseError):
            approve_nomination(actor=frank, nomination=nomination, until=now + YEAR, at=now)
        with pytest.raises(OwnCaseError):
            reject_nomination(actor=frank, nomination=nomination, reason="No.", at=now)


def test_only_who_wrote_it_takes_it_back(charlie: User, bob: User) -> None:
    nomination = make_nomination(charlie)
    with pytest.raises(PermissionError):
        withdraw_nomination(actor=bob, nomination=nomination)
    withdraw_nomination(actor=charlie, nomination=nomination)
    nomination.refresh_from_db()
    assert nomination.state == "withdrawn"


def test_a_renewal_goes_on_where_the_last_standing_ends(
    charlie: User, frank: User, gwen: User
) -> None:
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now)
    accept_standing(user=gwen, contributor=contributor, is_listed=False, at=now)
    with pytest.raises(NotLaterError):
        renew_standing(
            actor=frank, contributor=contributor, until=now + DAY, at=now, reason="Sooner."
        )
    standing = renew_standing(
        actor=frank, contributor=contributor, until=now + 2 * YEAR, at=now, reason="Still here."
    )
    assert standing.starts_at == now + YEAR
    assert has_role(gwen, Role.CONTRIBUTOR, at=now + YEAR + DAY)
    assert "Still here." in OutboxMail.objects.get(key=f"standing.renewed:{standing.pk}").text


def test_an_ended_standing_takes_role_and_place_in_the_list_with_it(
    charlie: User, frank: User, gwen: User
) -> None:
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now)
    accept_standing(user=gwen, contributor=contributor, is_listed=True, at=now)
    later = now + DAY
    end_standing(actor=frank, contributor=contributor, at=later, reason="Broke the conduct.")
    end_standing(actor=frank, contributor=contributor, at=later + DAY, reason="Again.")
    assert not has_role(gwen, Role.CONTRIBUTOR, at=later)
    assert has_role(gwen, Role.CONTRIBUTOR, at=later - timedelta(seconds=1))
    assert not Contributor.objects.listed(later).exists()
    assert letters(gwen.email)[-1] == "Your standing as contributor has ended"
    assert Standing.objects.get().end_reason == "Broke the conduct."


def test_who_leaves_gets_no_letter_about_it(charlie: User, frank: User, gwen: User) -> None:
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now)
    accept_standing(user=gwen, contributor=contributor, is_listed=True, at=now)
    count = len(letters(gwen.email))
    sign_in(gwen).post("/contributors/own/leave/")
    assert len(letters(gwen.email)) == count
    assert not has_role(gwen, Role.CONTRIBUTOR)


def test_who_declines_is_no_contributor(charlie: User, frank: User, gwen: User) -> None:
    contributor = make_contributor(charlie, frank, timezone.now())
    decline_standing(user=gwen, contributor=contributor, at=timezone.now())
    assert not Contributor.objects.active_on(timezone.now()).exists()


def test_a_letter_tells_once_that_a_standing_ends(charlie: User, frank: User, gwen: User) -> None:
    start = timezone.now() - YEAR + 20 * DAY
    contributor = make_contributor(charlie, frank, start)
    assert remind_of_ends(at=start) == 0
    keep_contributors()
    keep_contributors()
    told = [s for s in letters("gwen@example.org") if s.startswith("Your standing as contrib")]
    assert len(told) == 1
    renew_standing(
        actor=frank,
        contributor=contributor,
        until=timezone.now() + YEAR,
        at=timezone.now(),
        reason="Goes on.",
    )
    assert remind_of_ends(at=timezone.now()) == 0


def test_a_lost_role_is_given_again(charlie: User, frank: User, gwen: User) -> None:
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now)
    accept_standing(user=gwen, contributor=contributor, is_listed=False, at=now)
    gwen.role_grants.update(until=now + DAY)
    assert correct_roles(at=now) == 0
    assert correct_roles(at=now + 2 * DAY) == 1
    assert has_role(gwen, Role.CONTRIBUTOR, at=now + 3 * DAY)


def test_the_database_keeps_a_rejection_and_its_reason_together(charlie: User) -> None:
    make_nomination(charlie)
    with pytest.raises(IntegrityError):
        Nomination.objects.update(state="rejected", reviewed_at=timezone.now())


def test_a_closed_nomination_leaves_room_for_another(charlie: User) -> None:
    withdraw_nomination(actor=charlie, nomination=make_nomination(charlie))
    nominate(actor=charlie, case=case(), at=timezone.now())
    assert Nomination.objects.waiting().count() == 1
