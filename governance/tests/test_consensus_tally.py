"""When a consensus is reached: pure, from the numbers of what people say."""

from datetime import UTC, datetime, timedelta

import pytest

from governance.tally.consensus import Call, Finding, Stance, Stances, count, find

END = datetime(2026, 11, 21, 12, tzinfo=UTC)
BEFORE, AFTER = END - timedelta(days=1), END + timedelta(days=1)
LATER = END + timedelta(days=3)
FIVE = Call(counted=5, needed=3, ends=END)
RESOLVING = Call(counted=5, needed=3, ends=END, resolving_until=LATER)


@pytest.mark.parametrize(
    ("call", "stances", "at", "finding"),
    [
        (FIVE, Stances(support=5), BEFORE, Finding.REACHED),  # everybody has spoken
        (FIVE, Stances(support=1, accept=3, stand_aside=1), BEFORE, Finding.REACHED),
        (FIVE, Stances(support=4), BEFORE, Finding.WAIT),  # one may still object
        (FIVE, Stances(support=4, object=1), BEFORE, Finding.WAIT),
        (FIVE, Stances(support=3), END, Finding.REACHED),
        (FIVE, Stances(support=1, accept=1, stand_aside=1), END, Finding.REACHED),
        (FIVE, Stances(support=2), END, Finding.VOTE),  # silence is no consent
        (FIVE, Stances(), END, Finding.VOTE),
        (FIVE, Stances(accept=3, stand_aside=2), END, Finding.VOTE),  # nobody supports it
        (FIVE, Stances(accept=5), BEFORE, Finding.WAIT),
        (FIVE, Stances(support=4, object=1), END, Finding.RESOLVE),
        (FIVE, Stances(object=1), AFTER, Finding.RESOLVE),
        (RESOLVING, Stances(support=4, object=1), AFTER, Finding.WAIT),
        (RESOLVING, Stances(support=4, stand_aside=1), AFTER, Finding.REACHED),
        (RESOLVING, Stances(support=3), AFTER, Finding.REACHED),
        (RESOLVING, Stances(support=2), AFTER, Finding.WAIT),
        (RESOLVING, Stances(support=2), LATER, Finding.VOTE),
        (RESOLVING, Stances(support=4, object=1), LATER, Finding.VOTE),
    ],
)
def test_what_follows(call: Call, stances: Stances, at: datetime, finding: Finding) -> None:
    assert find(call, stances, at) is finding


def test_stances_are_counted() -> None:
    told = count([Stance.SUPPORT, Stance.OBJECT, Stance.SUPPORT, Stance.STAND_ASIDE])
    assert told == Stances(support=2, stand_aside=1, object=1)
    assert told.taking_part == 4
