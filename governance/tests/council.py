"""A council for the tests: four members and an adviser."""

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.models import Body, RuleSet, Seat
from governance.tests.conftest import FOUNDED, SEATED, make_seat
from portal.accounts.models import User
from tests.cast import make_person

MEMBERS = ["gil", "hua", "ian", "jo"]


def make_council() -> list[User]:
    """Gil, Hua, Ian and Jo; and Ada, who advises."""
    body = Body.objects.create(
        slug="council", name="Council", kind=Body.Kind.COUNCIL, purpose="Builds.", since=FOUNDED
    )
    rules = RuleSet(body=body, subject="ordinary", name="Ordinary", since=FOUNDED)
    write_rule_set(actor=None, rule_set=rules)
    people = [make_person(name) for name in [*MEMBERS, "ada"]]
    for number, person in enumerate(people, start=1):
        TOTP.activate(person, generate_totp_secret())
        adviser = {"is_voting": False, "office": Seat.Office.ADVISER}
        seat = make_seat(body, number, **(adviser if person.name == "Ada" else {}))
        seat_person(actor=None, seat=seat, user=person, since=SEATED)
    return people
