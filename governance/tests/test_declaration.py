"""What people declare: for whom they work, what could pull them two ways; from when to when."""

from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from governance.actions.affiliation import declare_affiliation
from governance.actions.declaration import end_declaration, retract_declaration
from governance.actions.interest import declare_interest
from governance.bodies.affiliations import employers, in_words, stated
from governance.models import Affiliation, Body, Interest, SeatTerm
from governance.refusals import Refusal
from governance.tests.conftest import SEATED, START, make_vote
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from portal.members.tests.people import make_organisation

pytestmark = pytest.mark.django_db
Relation = Affiliation.Relation
JUNE, JULY, AUGUST = date(2025, 6, 1), date(2025, 7, 1), date(2025, 8, 1)


def works_for(person: User, name: str = "Acme", since: date = JUNE, **more: object) -> Affiliation:
    wanted = {"relation": Relation.EMPLOYEE, "name": name} | more
    return declare_affiliation(actor=person, user=person, since=since, **wanted)  # type: ignore[arg-type]


def independent(person: User, since: date = JUNE) -> Affiliation:
    return works_for(person, "", since, relation=Relation.INDEPENDENT)


def has_interest(person: User, audience: str = "public") -> Interest:
    return declare_interest(
        actor=person,
        user=person,
        what="Shares of a host",
        kind=Interest.Kind.SHARES,
        audience=Interest.Audience(audience),
        since=JUNE,
    )


def test_an_affiliation_is_true_from_a_day_to_a_day(charlie: User) -> None:
    held = works_for(charlie)
    end_declaration(actor=charlie, declaration=held, on=AUGUST)
    of = Affiliation.objects.of(charlie)
    assert [of.on(day).count() for day in (date(2025, 5, 31), JUNE, JULY, AUGUST)] == [0, 1, 1, 0]
    with pytest.raises(Refusal, match="ends after it begins"):
        end_declaration(actor=charlie, declaration=held, on=JUNE)


def test_a_mistake_is_taken_back_with_a_reason_and_kept(charlie: User) -> None:
    wrong = works_for(charlie)
    retract_declaration(actor=charlie, declaration=wrong, because="Wrong firm.", at=START)
    assert not Affiliation.objects.of(charlie).on(JULY).exists()
    assert Affiliation.objects.get().retracted_because == "Wrong firm."
    with pytest.raises(Refusal, match="taken back already"):
        end_declaration(actor=charlie, declaration=wrong, on=AUGUST)
    verbs = AuditEntry.objects.values_list("verb", flat=True)
    assert {"affiliation.declared", "affiliation.retracted"} <= set(verbs)


def test_nobody_is_independent_and_employed_in_the_same_time(charlie: User) -> None:
    independent(charlie)
    with pytest.raises(Refusal, match="“Independent” was declared"):
        works_for(charlie, since=JULY)
    works_for(charlie, "Standards body", relation=Relation.BOARD)
    works_for(charlie, since=JULY, replaces=True)
    assert [str(each) for each in Affiliation.objects.of(charlie).on(JULY)] == ["Acme"]
    with pytest.raises(Refusal, match="“Acme” was declared"):
        independent(charlie, since=AUGUST)


def test_the_same_is_declared_once_and_different_work_side_by_side(charlie: User) -> None:
    works_for(charlie)
    with pytest.raises(Refusal, match="already"):
        works_for(charlie, "ACME", since=JULY)
    works_for(charlie, "Other", relation=Relation.CONTRACTOR)
    works_for(charlie, since=date(2024, 1, 1), until=JUNE)
    assert in_words(Affiliation.objects.of(charlie).on(JULY).order_by("pk")) == "Acme, Other"


def test_a_member_is_shown_by_its_present_name(charlie: User) -> None:
    acme = make_organisation()
    held = works_for(charlie, "acme", organisation=acme)
    acme.name = "Acme International"
    acme.save()
    held.refresh_from_db()
    assert held.employer == "Acme International"


def test_the_database_wants_a_name_or_independence(charlie: User) -> None:
    for fields in ({"relation": "employee"}, {"relation": "independent", "name": "Acme"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Affiliation.objects.create(user=charlie, since=JUNE, **fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        Interest.objects.create(user=charlie, since=JUNE, until=JUNE, what="x")
    with pytest.raises(IntegrityError), transaction.atomic():
        Interest.objects.create(user=charlie, since=JUNE, what="x", retracted_at=START)


def test_what_is_declared_goes_before_what_was_stated_when_seated(
    board: Body, directors: list[User]
) -> None:
    terms = SeatTerm.objects.seated_on(JULY)
    works_for(directors[1], "Acme")
    words = stated(terms, JULY)
    assert (words[directors[0].pk], words[directors[1].pk]) == ("Independent", "Acme")
    assert stated(terms, SEATED)[directors[1].pk] == "Independent"


def test_voting_seats_are_counted_by_employer(board: Body, directors: list[User]) -> None:
    ada, bea, cyd, dov, _eve = directors
    works_for(ada)
    works_for(bea, "ACME", relation=Relation.CONTRACTOR)
    works_for(cyd, "Other")
    works_for(dov, "Acme", relation=Relation.BOARD)
    SeatTerm.objects.filter(seat__number=5).update(affiliation="Fifth")
    found = [(each.name, each.seats) for each in employers(board.seats.places(JULY), JULY)]
    assert found == [("Acme", 2), ("Fifth", 1), ("Other", 1)]


def test_who_sees_what_was_declared_for_the_body_alone(
    board: Body, directors: list[User], charlie: User, frank: User
) -> None:
    private = has_interest(directors[0], "body")
    public = has_interest(directors[0])
    today = START.date()

    def seen(user: User | AnonymousUser) -> set[int]:
        return set(Interest.objects.visible_to(user, today).values_list("pk", flat=True))

    assert seen(directors[0]) == seen(directors[4]) == seen(frank) == {private.pk, public.pk}
    assert seen(charlie) == seen(AnonymousUser()) == {public.pk}
    SeatTerm.objects.filter(user=directors[4]).update(until=today)
    assert seen(directors[4]) == {public.pk}


def test_the_log_does_not_tell_what_an_interest_is(charlie: User) -> None:
    interest = has_interest(charlie, "body")
    entry = AuditEntry.objects.get(verb="interest.declared")
    assert "Shares of a host" not in f"{entry.subject_name}{entry.detail}"
    assert str(interest) == "Charlie: shares or ownership"


def test_the_roster_of_a_vote_keeps_what_was_declared_that_day(
    board: Body, directors: list[User]
) -> None:
    works_for(directors[0], "Acme", since=JUNE, until=START.date())
    works_for(directors[1], "Acme")
    motion = make_vote(board, directors, "Keep the key in a module")
    held = dict(motion.roster.filter(user__isnull=False).values_list("name", "affiliation"))
    assert (held["Ada"], held["Bea"]) == ("Independent", "Acme")
