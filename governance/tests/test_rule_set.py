"""Versions of rules, and that a used one never changes."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, TextChoices

from governance.actions.consensus import call_consensus, take_position
from governance.actions.motion import second_motion
from governance.actions.rule_set import change_rule_set
from governance.models import Body, Motion, Position, RuleSet
from governance.refusals import Refusal
from governance.tally.rules import Rules, Threshold
from governance.tests.conftest import DAY, HOUR, START, make_draft, make_rules
from governance.tests.written import in_writing, make_consent
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
TODAY = START.date()


def test_the_newest_version_that_has_begun_is_in_force(board: Body) -> None:
    second = make_rules(board, since=TODAY)
    future = make_rules(board, since=TODAY + timedelta(days=9))
    bylaws = make_rules(board, subject="bylaws", name="Bylaws")
    assert [second.version, future.version, bylaws.version] == [2, 3, 1]
    assert set(RuleSet.objects.in_force(TODAY)) == {second, bylaws}
    assert RuleSet.objects.in_force(TODAY - timedelta(days=1)).get(subject="ordinary").version == 1


def test_a_version_can_be_corrected_until_a_vote_is_opened_under_it(
    board: Body, motion: Motion
) -> None:
    fresh = make_rules(board)
    fresh.threshold = Threshold.TWO_THIRDS.value
    change_rule_set(actor=None, rule_set=fresh)
    used = RuleSet.objects.get(version=1)
    assert (used.is_pinned, fresh.is_pinned) == (True, False)
    with pytest.raises(Refusal, match="new version"):
        change_rule_set(actor=None, rule_set=used)


def test_the_database_keeps_a_used_version(board: Body, motion: Motion) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        RuleSet.objects.filter(version=1).update(threshold="simple")
    with pytest.raises((IntegrityError, ProtectedError)), transaction.atomic():
        RuleSet.objects.filter(version=1).delete()
    unused = make_rules(board)
    RuleSet.objects.filter(pk=unused.pk).update(threshold="simple")
    unused.delete()


def test_every_choice_of_the_form_is_known_to_the_tally(board: Body) -> None:
    choices: dict[str, type[TextChoices]] = {
        "quorum_base": RuleSet.QuorumBase,
        "quorum": RuleSet.Quorum,
        "pass_base": RuleSet.PassBase,
        "threshold": RuleSet.Threshold,
        "tie": RuleSet.Tie,
    }
    for field, values in choices.items():
        for value in values:
            assert isinstance(RuleSet(**{field: value}).rules, Rules)


def test_a_ratio_and_a_minimum_are_at_least_one(board: Body) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_rules(board, ratio=0)


def test_rules_are_kept_from_the_moment_that_a_consensus_is_called(
    board: Body, directors: list[User]
) -> None:
    """Whether it is carried, voted on or given up: what was said was said under these rules."""
    Body.objects.filter(pk=board.pk).update(kind=Body.Kind.COMMITTEE)
    rules = RuleSet.objects.get(body=board)
    draft = make_draft(board, directors[0], "Drop it", START - 2 * DAY)
    second_motion(actor=directors[1], motion=draft, at=START - DAY)
    consensus = call_consensus(actor=directors[0], motion=draft, ends_at=START + 2 * DAY, at=START)
    assert consensus.rule_set == rules
    assert RuleSet.objects.get(pk=rules.pk).is_pinned
    with pytest.raises(Refusal, match="Write a new version"):
        change_rule_set(actor=None, rule_set=rules)
    with pytest.raises(IntegrityError), transaction.atomic():
        RuleSet.objects.filter(pk=rules.pk).update(name="Other")
    make_rules(board, since=START.date(), quorum="two_thirds")
    for person in directors:
        take_position(
            actor=person, consensus=consensus, stance=Position.Stance.SUPPORT, at=START + HOUR
        )
    motion = Motion.objects.get(pk=draft.pk)
    assert (motion.state, motion.rule_set) == ("adopted", rules), "by the rules it was called under"


def test_rules_are_kept_from_the_moment_that_a_consent_is_asked_for(
    board: Body, directors: list[User]
) -> None:
    in_writing(board)
    make_consent(board, directors)
    assert RuleSet.objects.get(body=board).is_pinned
    with pytest.raises(IntegrityError), transaction.atomic():
        RuleSet.objects.filter(body=board).update(name="Other")
