"""Bodies, their seats, and what people declare about themselves."""

from collections.abc import Set

from governance.actions.affiliation import declare_affiliation
from governance.actions.interest import declare_interest
from governance.models import Affiliation, Interest, SeatTerm
from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Cast, Page, Place
from tests.permissions.governance import board

KEEPERS = {"frank", "secretary"}


def seated(cast: Cast) -> SeatTerm:
    """Bob on the board, with an affiliation and an interest."""
    board(cast)
    term = SeatTerm.objects.get()
    declare_affiliation(
        actor=term.user,
        user=term.user,
        relation=Affiliation.Relation.EMPLOYEE,
        name="Acme",
        since=term.since,
    )
    declare_interest(
        actor=term.user,
        user=term.user,
        what="Shares of a host",
        kind=Interest.Kind.SHARES,
        audience=Interest.Audience.PUBLIC,
        since=term.since,
    )
    return term


def of_seat(who: Set[str], path: str, method: str = "GET") -> Page:
    """A page of the board's desk: its seat and its term are made once for all of them."""
    return Page(who, sample=Place(seated, lambda term: path.format(term.pk)), method=method)


def of_holder(who: Set[str], path: str) -> Page:
    return Page(who, sample=Place(seated, lambda term: path.format(term.user_id)))


def declared(model: type[Affiliation] | type[Interest]) -> Page:
    """Bob's own; the keepers of his body change it too."""
    words = f"/governance/{model._meta.model_name}s/"
    found = Place(seated, lambda term: f"{words}{model.objects.get(user=term.user_id).pk}/")
    return Page({"bob"} | KEEPERS, sample=found)


DESK = "/governance/bodies/board/seats/"

PAGES = {
    "governance:bodies": Page(EVERYBODY),
    "governance:body_new": Page(STAFF),
    "governance:body_edit": of_seat(KEEPERS, "/governance/bodies/board/edit/"),
    "governance:body_dissolve": of_seat(STAFF, "/governance/bodies/board/dissolve/"),
    "governance:terms_csv": of_seat(EVERYBODY, "/governance/bodies/board/terms.csv"),
    "governance:terms_ics": of_seat(EVERYBODY, "/governance/bodies/board/terms.ics"),
    "governance:seats": of_seat(KEEPERS, DESK),
    "governance:seat_new": of_seat(KEEPERS, f"{DESK}new/"),
    "governance:seat_edit": of_seat(KEEPERS, f"{DESK}1/"),
    "governance:seat_abolish": of_seat(KEEPERS, f"{DESK}1/abolish/", method="POST"),
    "governance:term_new": of_seat(KEEPERS, f"{DESK}1/fill/"),
    "governance:term_end": of_seat(KEEPERS, "/governance/terms/{}/end/"),
    "governance:own": Page(SIGNED_IN),
    "governance:own_letters": Page(SIGNED_IN, method="POST", data={"wanted": "no"}),
    "governance:person": of_holder(EVERYBODY, "/governance/people/{}/"),
    "governance:affiliation_new": of_holder(
        {"bob"} | KEEPERS, "/governance/people/{}/affiliations/new/"
    ),
    "governance:interest_new": of_holder({"bob"} | KEEPERS, "/governance/people/{}/interests/new/"),
    "governance:affiliation": declared(Affiliation),
    "governance:interest": declared(Interest),
    "governance:interests": Page(EVERYBODY),
    "governance:interests_csv": Page(EVERYBODY),
}
