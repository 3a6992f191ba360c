"""For whom the holders of seats work on a day: as declared then, or as stated when seated."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from governance.models import Affiliation, SeatTerm
from governance.models.seat import Place

NOBODY = {"independent", "none", "n/a", "self-employed", "-", "–", "—"}


@dataclass(frozen=True, slots=True)
class Employer:
    """An organisation with the people on voting seats who work for it."""

    name: str
    people: tuple[str, ...]

    @property
    def seats(self) -> int:
        return len(self.people)


def stated(terms: Iterable[SeatTerm], on: date) -> dict[int, str]:
    """For each person who holds one of these seats, in words; empty if nothing is known."""
    held = list(terms)
    return stated_by(held, Affiliation.objects.of_each({term.user_id for term in held}, on))


def stated_by(
    held: Iterable[SeatTerm], declared: Mapping[int, list[Affiliation]]
) -> dict[int, str]:
    """The same where it is known what was declared."""
    words = {user: in_words(found) for user, found in declared.items()}
    for term in held:
        words[term.user_id] = words.get(term.user_id) or term.affiliation
    return words


def in_words(declared: Iterable[Affiliation]) -> str:
    """Employers, clients and what is owned; other seats only where there is nothing else."""
    known = list(declared)
    first = [each for each in known if each.relation != Affiliation.Relation.BOARD]
    return ", ".join(dict.fromkeys(each.employer for each in first or known))


def employers(places: Iterable[Place], on: date) -> list[Employer]:
    """Who sends how many to the voting seats, most first; who is independent is nobody's."""
    known = list(places)
    terms = [place.term for place in known if place.term and place.seat.is_voting]
    return employers_of(known, Affiliation.objects.of_each({term.user_id for term in terms}, on))


def employers_of(
    places: Iterable[Place], declared: Mapping[int, list[Affiliation]]
) -> list[Employer]:
    """The same where it is known what was declared."""
    terms = [place.term for place in places if place.term and place.seat.is_voting]
    people: dict[str, list[str]] = defaultdict(list)
    names: dict[str, str] = {}
    for term in terms:
        for name in names_of(declared.get(term.user_id), term.affiliation):
            names.setdefault(name.casefold(), name)
            people[name.casefold()].append(str(term.user))
    found = [Employer(names[key], tuple(sorted(people[key]))) for key in people]
    return sorted(found, key=lambda employer: (-employer.seats, employer.name))


def names_of(declared: Iterable[Affiliation] | None, stated_then: str) -> set[str]:
    """The employers of a person: as declared, else as stated with the term."""
    if declared:
        return {each.employer for each in declared if each.counts_for_caps}
    name = employer(stated_then)
    return {name} if name else set()


def employer(written: str) -> str:
    """What somebody wrote as their employer; empty where it says that they have none."""
    name = " ".join(written.split())
    own_word = str(Affiliation.Relation.INDEPENDENT.label).casefold()
    return "" if name.casefold() in NOBODY | {own_word} else name
