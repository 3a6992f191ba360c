"""Who may vote at a moment, and why or why not; pure.

Each constituency asks its rules in order; an answer keeps every rule with what was found, so that
it can be explained step by step and frozen. All facts are dated: the answer for a past moment is
computed from what was true then. Words for people are in `eligibility_words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Constituency(StrEnum):
    """The names that seats of bodies use."""

    CONTRIBUTORS = "contributors"
    MEMBERS = "members"


class Rule(StrEnum):
    TERM = "term"  # a paid term runs
    TAKES_PART = "takes_part"  # its kind takes part in governance
    SPEAKER = "speaker"  # somebody with an account speaks for the organisation
    STANDING = "standing"  # the standing of a contributor runs
    ACCEPTED = "accepted"  # the person accepted it
    ACCOUNT = "account"  # their account holds the role


@dataclass(frozen=True, slots=True)
class Span:
    """From a moment to one that is not part of it; without an end it goes on."""

    since: datetime
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or at < self.until)


@dataclass(frozen=True, slots=True)
class TermFact:
    """A term with the grace after it; `paid_until` is where its paid time ends."""

    span: Span
    tier: str
    kind: str
    takes_part: bool
    paid_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SpeakerFact:
    """An account that owns the organisation for a time."""

    user: int
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class OrganisationFacts:
    terms: tuple[TermFact, ...] = ()
    speakers: tuple[SpeakerFact, ...] = ()


@dataclass(frozen=True, slots=True)
class ContributorFacts:
    standings: tuple[Span, ...] = ()
    accepted_at: datetime | None = None
    user: int | None = None
    name: str = ""
    roles: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A rule, whether it is met (None: not asked, an earlier one failed), and what was found."""

    rule: Rule
    met: bool | None
    found: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    constituency: Constituency
    steps: tuple[Step, ...]
    voter: int | None = None  # the account that casts the vote
    voter_name: str = ""

    @property
    def may_vote(self) -> bool:
        return all(step.met for step in self.steps)

    @property
    def obstacle(self) -> Step | None:
        """The first rule that is not met."""
        return next((step for step in self.steps if not step.met), None)


def of_organisation(facts: OrganisationFacts, at: datetime) -> Answer:
    """One vote, whatever it pays; cast by who speaks for it."""
    running = [term for term in facts.terms if term.span.covers(at)]
    running.sort(key=lambda term: (not term.takes_part, term.span.since))
    term = running[0] if running else None
    speakers = sorted(
        (speaker for speaker in facts.speakers if speaker.span.covers(at)),
        key=lambda speaker: (speaker.span.since, speaker.user),
    )
    speaker = speakers[0] if speakers else None
    steps = _in_order(
        _term_step(term, facts.terms, at),
        Step(Rule.TAKES_PART, term is not None and term.takes_part, _kind(term)),
        Step(Rule.SPEAKER, speaker is not None, _spoken(speakers)),
    )
    answer = Answer(Constituency.MEMBERS, steps)
    if speaker is None or not answer.may_vote:
        return answer
    return Answer(Constituency.MEMBERS, steps, voter=speaker.user, voter_name=speaker.name)


def of_contributor(facts: ContributorFacts, at: datetime) -> Answer:
    """One vote for a person in standing who accepted and has an account."""
    standing = next((span for span in facts.standings if span.covers(at)), None)
    accepted = facts.accepted_at is not None and facts.accepted_at <= at
    holds = any(span.covers(at) for span in facts.roles)
    steps = _in_order(
        Step(Rule.STANDING, standing is not None, _span(standing, facts.standings, at)),
        Step(Rule.ACCEPTED, accepted, {"accepted": facts.accepted_at}),
        Step(Rule.ACCOUNT, holds),
    )
    answer = Answer(Constituency.CONTRIBUTORS, steps)
    if not answer.may_vote:
        return answer
    return Answer(Constituency.CONTRIBUTORS, steps, voter=facts.user, voter_name=facts.name)


def _in_order(*steps: Step) -> tuple[Step, ...]:
    """What comes after the first rule that is not met is not asked."""
    failed = next((n for n, step in enumerate(steps) if not step.met), len(steps))
    return tuple(step if n <= failed else Step(step.rule, None) for n, step in enumerate(steps))


def _term_step(term: TermFact | None, terms: Iterable[TermFact], at: datetime) -> Step:
    terms = list(terms)
    found = _span(term.span if term else None, [fact.span for fact in terms], at)
    if term is None:
        last = [fact.paid_until for fact in terms if fact.span.until == found["ended"]]
        return Step(Rule.TERM, False, {**found, "paid_until": last[0] if last else None})
    grace = term.paid_until is not None and term.paid_until <= at
    paid = {"tier": term.tier, "paid_until": term.paid_until, "in_grace": grace}
    return Step(Rule.TERM, True, {**found, **paid})


def _span(running: Span | None, spans: Iterable[Span], at: datetime) -> dict[str, object]:
    """The span that runs; else the end of the last before and the begin of the next after."""
    if running is not None:
        return {"since": running.since, "until": running.until}
    spans = list(spans)
    ends = [span.until for span in spans if span.until is not None and span.until <= at]
    begins = [span.since for span in spans if span.since > at]
    return {"ended": max(ends, default=None), "begins": min(begins, default=None)}


def _kind(term: TermFact | None) -> dict[str, object]:
    return {"kind": term.kind, "tier": term.tier} if term else {}


def _spoken(speakers: list[SpeakerFact]) -> dict[str, object]:
    if not speakers:
        return {}
    return {
        "name": speakers[0].name,
        "since": speakers[0].span.since,
        "others": [speaker.name for speaker in speakers[1:]],
    }
