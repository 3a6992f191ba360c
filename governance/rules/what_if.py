"""Trying rules with numbers: the whole arithmetic, and what one voter more or less would change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from governance import words
from governance.models import RuleSet
from governance.tally.report import Outcome, Report, report
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import Tie
from governance.words import SumRow

PARTS = ("yes", "no", "abstain", "recused", "absent", "vacant")
TURNS = [
    ("yes", "no"),
    ("yes", "abstain"),
    ("yes", "absent"),
    ("no", "yes"),
    ("no", "abstain"),
    ("abstain", "yes"),
    ("abstain", "recused"),
    ("absent", "yes"),
    ("absent", "no"),
    ("absent", "recused"),
    ("recused", "yes"),
]


@dataclass(frozen=True, slots=True)
class Turn:
    """The outcome if one voter had done something else."""

    label: str
    outcome: str
    tone: str
    is_other: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What the rules make of these numbers."""

    report: Report
    rows: list[SumRow]
    heading: str
    tone: str
    answer: str
    turns: list[Turn]
    signatures: int | None

    @property
    def other_turns(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.is_other]


def try_rules(
    rule_set: RuleSet,
    count: Count,
    *,
    classes: Mapping[str, Count] | None = None,
    side: Choice | None = None,
) -> Trial:
    count = with_side(count, rule_set, side)
    found = report(count, rule_set.rules, classes=classes)
    return Trial(
        report=found,
        rows=words.sum_rows(found, rule_set),
        heading=headings()[found.outcome],
        tone=words.TONES[found.outcome],
        answer=words.answer(found),
        turns=[] if classes else turns(rule_set, count, found.outcome),
        signatures=rule_set.consent_rule.signatures_needed(
            rule_set.rules, seats=count.seats, filled=count.filled
        ),
    )


def headings() -> dict[Outcome, str]:
    return {
        Outcome.ADOPTED: _("Carried"),
        Outcome.FAILED: _("Not carried"),
        Outcome.VOID: _("No quorum"),
    }


def address(rule_set: RuleSet, counts: Mapping[str, Count], side: Choice | None) -> str:
    """Where these numbers stand on the page of the rules; classes by name, a whole without one."""
    query = {
        f"{name}-{part}" if name else part: getattr(count, part)
        for name, count in counts.items()
        for part in PARTS
    }
    if side is not None:
        query["side"] = side.value
    path = reverse(
        "governance:rule_what_if", args=[rule_set.body.slug, rule_set.subject, rule_set.version]
    )
    return f"{path}?{urlencode(query)}"


def with_side(count: Count, rule_set: RuleSet, side: Choice | None) -> Count:
    """The count with what breaks a tie under these rules."""
    if rule_set.tie == Tie.LOT:
        return replace(count, lot=side)
    return replace(count, casting=side)


def total(classes: Mapping[str, Count]) -> Count:
    counts = list(classes.values())
    return Count(**{part: sum(getattr(each, part) for each in counts) for part in PARTS})


def turns(rule_set: RuleSet, count: Count, now: Outcome) -> list[Turn]:
    """The same vote with one voter turned, for each way that these numbers have."""
    found = []
    for before, after in TURNS:
        if not getattr(count, before):
            continue
        turned = replace(
            count, **{before: getattr(count, before) - 1, after: getattr(count, after) + 1}
        )
        outcome = report(turned, rule_set.rules).outcome
        names = part_names()
        label = _("%(before)s → %(after)s") % {"before": names[before], "after": names[after]}
        tone = words.TONES[outcome]
        found.append(Turn(label, headings()[outcome], tone, is_other=outcome is not now))
    return found


def part_names() -> dict[str, str]:
    return {
        "yes": _("yes"),
        "no": _("no"),
        "abstain": _("abstention"),
        "recused": _("recused"),
        "absent": _("absent"),
        "vacant": _("vacant"),
    }
