"""A result follows from the log alone: roster and votes as text, in whatever order."""

import json
from dataclasses import asdict, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from governance.tally.lot import draw, seed
from governance.tally.report import Report, report
from governance.tally.rollcall import Cast, Choice, Place, count, count_classes, stand
from governance.tally.rules import Rules
from governance.tests.test_every_rule import ANY_RULES

PLACES = st.lists(
    st.builds(
        Place,
        seat=st.integers(1, 9),
        is_filled=st.booleans(),
        has_casting_vote=st.booleans(),
        constituency=st.sampled_from(["contributors", "members"]),
    ),
    max_size=9,
    unique_by=lambda place: place.seat,
)
NONCE, TEXT = b"n" * 32, "a" * 64


def decided(places: list[Place], casts: list[Cast], rules: Rules) -> Report:
    lot = draw(seed(NONCE, TEXT, stand(places, casts)))
    counted = replace(count(places, casts), lot=lot)
    return report(counted, rules, classes=count_classes(places, casts))


def logged(places: list[Place], casts: list[Cast]) -> list[str]:
    rows = [("place", asdict(place)) for place in places]
    return [json.dumps(row) for row in [*rows, *(("cast", asdict(cast)) for cast in casts)]]


def read(log: list[str]) -> tuple[list[Place], list[Cast]]:
    rows = [json.loads(line) for line in log]
    casts = [row | {"choice": Choice(row["choice"])} for kind, row in rows if kind == "cast"]
    return [Place(**row) for kind, row in rows if kind == "place"], [Cast(**row) for row in casts]


@st.composite
def histories(draw_from: st.DrawFn) -> tuple[list[Place], list[Cast]]:
    """Votes and changes of mind of those who hold a seat; at most one casting vote."""
    places = draw_from(PLACES)
    chair = next((place.seat for place in places if place.has_casting_vote), None)
    places = [replace(place, has_casting_vote=place.seat == chair) for place in places]
    filled = [place.seat for place in places if place.is_filled]
    if not filled:
        return places, []
    said = st.tuples(st.sampled_from(filled), st.sampled_from(Choice))
    return places, [
        Cast(seat, sequence, choice)
        for sequence, (seat, choice) in enumerate(draw_from(st.lists(said, max_size=20)))
    ]


@given(histories(), ANY_RULES, st.booleans(), st.randoms(use_true_random=False))
def test_a_result_is_reproduced_from_a_shuffled_log(
    history: tuple[list[Place], list[Cast]],
    rules: Rules,
    per_class: bool,
    random: Random,
) -> None:
    places, casts = history
    rules = replace(rules, per_class=per_class)
    log = logged(places, casts)
    random.shuffle(log)
    again = decided(*read(log), rules)
    first = decided(places, casts, rules)
    assert (again.outcome, again.count, again.got) == (first.outcome, first.count, first.got)
    assert {share.name: share for share in again.classes} == {
        share.name: share for share in first.classes
    }


@given(histories())
def test_the_classes_are_the_whole_and_nobody_counts_twice(
    history: tuple[list[Place], list[Cast]],
) -> None:
    places, casts = history
    whole, classes = count(places, casts), count_classes(places, casts).values()
    for part in ("yes", "no", "abstain", "recused", "absent", "vacant"):
        assert sum(getattr(each, part) for each in classes) == getattr(whole, part)
    assert whole.voted + whole.recused == len({cast.seat for cast in casts})
    assert whole.seats == len(places)
