"""The facts behind a vote, from the database, and the answers for everybody at a moment.

Governance asks `eligible_voters(at)` once, keeps what `Candidate.as_record` gives, and never asks
again: a roll does not change with what happens later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.members import eligibility
from portal.members.eligibility import (
    Answer,
    ContributorFacts,
    OrganisationFacts,
    Span,
    SpeakerFact,
    TermFact,
)
from portal.members.eligibility_words import RULES, explain
from portal.members.models import Contributor, Organisation, Standing, Term


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who was asked for: `key` stays the same ("organisation:acme", "contributor:12")."""

    key: str
    name: str
    answer: Answer

    def as_record(self) -> dict[str, object]:
        """What a roll keeps: who, by whom, and why, in words."""
        return {
            "constituency": self.answer.constituency.value,
            "key": self.key,
            "name": self.name,
            "may_vote": self.answer.may_vote,
            "voter": self.answer.voter,
            "voter_name": self.answer.voter_name,
            "reasons": [
                {
                    "rule": step.rule.value,
                    "title": str(RULES[step.rule]),
                    "met": step.met,
                    "found": explain(step),
                }
                for step in self.answer.steps
            ],
        }


def eligible_voters(at: datetime) -> list[Candidate]:
    """Everybody who may vote at that moment, members first, each with the reasons."""
    return [candidate for candidate in electorate(at) if candidate.answer.may_vote]


def electorate(at: datetime) -> list[Candidate]:
    """Every organisation that ever was a supporter and every contributor, with the answers."""
    organisations = Organisation.objects.filter(terms__isnull=False).distinct().order_by("name")
    contributors = Contributor.objects.order_by("name", "pk")
    return [*of_organisations(organisations, at), *of_contributors(contributors, at)]


def of_organisations(organisations: QuerySet[Organisation], at: datetime) -> list[Candidate]:
    """In three queries, however many there are."""
    found = list(organisations)
    terms = _terms([organisation.pk for organisation in found])
    speakers = _speakers([organisation.slug for organisation in found])
    return [
        Candidate(
            key=f"organisation:{organisation.slug}",
            name=organisation.name,
            answer=eligibility.of_organisation(
                OrganisationFacts(
                    terms=tuple(terms[organisation.pk]),
                    speakers=tuple(speakers[organisation.slug]),
                ),
                at,
            ),
        )
        for organisation in found
    ]


def of_contributors(contributors: QuerySet[Contributor], at: datetime) -> list[Candidate]:
    """In three queries, however many there are."""
    found = list(contributors.select_related("user"))
    standings = _standings([contributor.pk for contributor in found])
    roles = _roles([contributor.user_id for contributor in found if contributor.user_id])
    return [
        Candidate(
            key=f"contributor:{contributor.pk}",
            name=contributor.name,
            answer=eligibility.of_contributor(
                ContributorFacts(
                    standings=tuple(standings[contributor.pk]),
                    accepted_at=contributor.accepted_at,
                    user=contributor.user_id,
                    name=contributor.name,
                    roles=tuple(roles[contributor.user_id]),
                ),
                at,
            ),
        )
        for contributor in found
    ]


def of_person(user: User, at: datetime) -> Candidate:
    """The person's own vote; who is no contributor has an answer too."""
    found = of_contributors(Contributor.objects.filter(user=user), at)
    if found:
        return found[0]
    answer = eligibility.of_contributor(ContributorFacts(), at)
    return Candidate(key=f"user:{user.pk}", name=str(user), answer=answer)


def _terms(organisations: Iterable[int]) -> dict[int, list[TermFact]]:
    facts: dict[int, list[TermFact]] = defaultdict(list)
    for term in Term.objects.filter(organisation__in=organisations).with_last():
        shown = term.ends_at if term.was_cancelled else term.grace_until
        span = Span(term.starts_at, min(shown, term.ended_at or shown))
        paid_until = min(term.ends_at, term.ended_at or term.ends_at)
        fact = TermFact(span, term.tier_name, term.kind_name, term.takes_part, paid_until)
        facts[term.organisation_id].append(fact)
    return facts


def _speakers(slugs: Iterable[str]) -> dict[str, list[SpeakerFact]]:
    owners = RoleGrant.objects.filter(
        role=Role.OWNER, scope_kind=Scope.ORGANISATION, scope_slug__in=slugs
    )
    facts: dict[str, list[SpeakerFact]] = defaultdict(list)
    for grant in owners.select_related("user"):
        span = Span(grant.since, grant.until)
        facts[grant.scope_slug].append(SpeakerFact(grant.user_id, str(grant.user), span))
    return facts


def _standings(contributors: Iterable[int]) -> dict[int, list[Span]]:
    facts: dict[int, list[Span]] = defaultdict(list)
    for standing in Standing.objects.filter(contributor__in=contributors):
        until = min(standing.ends_at, standing.ended_at or standing.ends_at)
        facts[standing.contributor_id].append(Span(standing.starts_at, until))
    return facts


def _roles(users: Iterable[int]) -> dict[int | None, list[Span]]:
    facts: dict[int | None, list[Span]] = defaultdict(list)
    for grant in RoleGrant.objects.filter(role=Role.CONTRIBUTOR, user__in=users):
        facts[grant.user_id].append(Span(grant.since, grant.until))
    return facts
