"""What follows from a decision happens with it, or neither does."""

from datetime import datetime

import pytest

from governance.actions import consequences
from governance.actions.closing import close_due
from governance.models import Motion
from governance.tests.conftest import DAY, START, CastVotes
from portal.lib.models import OutboxMail

pytestmark = pytest.mark.django_db
DEADLINE = START + 3 * DAY


def test_each_consequence_sees_the_motion_decided(
    motion: Motion, vote: CastVotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(decided: Motion, at: datetime) -> None:
        seen.append((Motion.objects.get(pk=decided.pk).resolution, at))

    monkeypatch.setattr(consequences, "CONSEQUENCES", (look, look))
    vote(ada="yes", bea="yes", cyd="yes", dov="yes")
    close_due(at=DEADLINE + DAY)
    assert seen == [(f"{DEADLINE.year}-01", DEADLINE)] * 2


def test_a_motion_that_fails_has_consequences_too(
    motion: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(
        consequences, "CONSEQUENCES", (lambda decided, at: seen.append(decided.state),)
    )
    close_due(at=DEADLINE)
    assert seen == [Motion.State.VOID]


def test_without_its_consequences_nothing_is_decided(
    motion: Motion, vote: CastVotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(decided: Motion, at: datetime) -> None:
        raise RuntimeError("the archive is full")

    monkeypatch.setattr(consequences, "CONSEQUENCES", (fail,))
    vote(ada="yes", bea="yes", cyd="yes", dov="yes")
    assert close_due(at=DEADLINE) == 0
    motion.refresh_from_db()
    assert (motion.state, motion.number) == (Motion.State.OPEN, None)
    assert not OutboxMail.objects.filter(key__startswith="motion_result").exists()
