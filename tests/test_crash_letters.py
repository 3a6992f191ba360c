"""The worker is killed at each step of writing to a roll of members: everybody gets one letter."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.held import Step, held, is_reached
from tests.publisher import wait_for
from tests.stack import Stack

SIZE = 230  # more than one batch of letters
PATIENCE = 180  # seconds: a sweep comes within the minute, on a busy machine later
OURS = "starts_with(NEW.key, 'motion_opened:')"
BETWEEN = "-" * 79  # what Django puts after a letter in a file
STEPS = [
    Step("the letters of a batch are new", "lib_outboxmail", "INSERT", OURS),
    Step("the round knows how far it got", "governance_letterround", "UPDATE"),
    Step("the last batch is promised", "governance_letterround", "UPDATE", "NEW.reached > 200"),
    Step("a batch is kept", "governance_letterround", "UPDATE", at_commit=True),
    Step(
        "a letter is about to be sent", "lib_outboxmail", "UPDATE", f"{OURS} AND NEW.attempts = 1"
    ),
]


@pytest.fixture(scope="module")
def electors(_running_stack: Stack) -> Stack:
    in_stack(_running_stack, f"enrol({SIZE})")
    return _running_stack


@pytest.mark.proof
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_everybody_on_a_roll_gets_one_letter_whenever_the_worker_dies(
    electors: Stack, stack: Stack, step: Step
) -> None:
    title = f"Ask them {STEPS.index(step)}"
    stack.kill("worker")
    in_stack(stack, f"open_vote({title!r})")
    with held(stack, step):
        stack.start("worker")
        wait_for(lambda: is_reached(stack), PATIENCE)
        stack.kill("worker")
    pass_lease(stack)
    stack.start("worker")
    voters = roster(stack, title)
    assert len(voters) >= SIZE
    wait_for(lambda: is_over(stack, title), PATIENCE)
    assert promised(stack, title) == voters, "each has one promise, and each was sent"
    assert sent(stack, title) == voters, "each was handed to the mail server once"


def roster(stack: Stack, title: str) -> Counter[str]:
    rows = stack.sql(
        "SELECT u.email FROM governance_rosterseat s JOIN accounts_user u ON u.id = s.user_id"
        " JOIN governance_motion m ON m.id = s.motion_id WHERE m.title = %s",
        (title,),
    )
    return Counter(email for (email,) in rows)


def is_over(stack: Stack, title: str) -> bool:
    """The round is done and nothing of it is left in the outbox."""
    [(running,)] = stack.sql(
        "SELECT count(*) FROM governance_letterround r JOIN governance_motion m"
        " ON m.id = r.motion_id WHERE m.title = %s AND r.done_at IS NULL",
        (title,),
    )
    return not running and sum(promised(stack, title).values()) >= roster(stack, title).total()


def promised(stack: Stack, title: str) -> Counter[str]:
    """To whom letters that say that this vote is open were sent."""
    rows = stack.sql(
        "SELECT o.recipient FROM lib_outboxmail o JOIN governance_motion m"
        " ON o.about = 'motion:' || m.id WHERE m.title = %s AND o.sent_at IS NOT NULL"
        " AND o.key LIKE 'motion_opened:%%'",
        (title,),
    )
    return Counter(recipient for (recipient,) in rows)


def sent(stack: Stack, title: str) -> Counter[str]:
    """The same, by the letters that lie in the folder of the mail server. Who died between handing
    one over and noting it hands it over again, under the same Message-ID.
    """
    every = "\n".join(stack.letters()).split(BETWEEN)  # a file may hold several
    ours = {(_head(each, "Message-ID"), _head(each, "To")) for each in every if title in each}
    return Counter(recipient for _name, recipient in ours)


def _head(letter: str, name: str) -> str:
    found = re.search(rf"^{name}: (\S+)$", letter, re.M)
    assert found, letter
    return found[1]


def pass_lease(stack: Stack) -> None:
    """As if five minutes went by: what the dead worker had taken to send is free again."""
    stack.sql("UPDATE lib_outboxmail SET not_before = now() WHERE sent_at IS NULL")


def in_stack(stack: Stack, words: str) -> None:
    command = f"from tests import electors; electors.{words}"
    stack.manage("shell", "--verbosity=0", "--command", command)
