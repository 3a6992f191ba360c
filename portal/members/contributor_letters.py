"""The letters of nominations and standings: to who nominates, who reviews, who is nominated."""

from datetime import datetime

from django.conf import settings
from django.urls import reverse

from portal.accounts.models import RoleGrant
from portal.accounts.roles import Role, Scope
from portal.members.letters import send, way_in
from portal.members.models import Contributor, Nomination, Standing


def own_page() -> str:
    return f"{settings.BASE_URL}/contributors/own/"


def nomination_received(nomination: Nomination) -> None:
    send(
        "nomination_received",
        to=nomination.nominated_by.email,
        key=f"nomination.received:{nomination.pk}",
        nomination=nomination,
        page=f"{settings.BASE_URL}{nomination.get_absolute_url()}",
    )


def nomination_waiting(nomination: Nomination, *, at: datetime) -> None:
    """To those who review, but not to who nominated or is nominated: it is not theirs to decide."""
    own = {nomination.email.lower(), nomination.nominated_by.email.lower()}
    reviewers = RoleGrant.objects.active_on(at).filter(
        role=Role.STAFF, scope_kind=Scope.FOUNDATION, user__is_active=True
    )
    people = {grant.user for grant in reviewers.select_related("user")}
    for person in sorted(people, key=lambda user: user.pk):
        if person.email.lower() not in own:
            send(
                "nomination_waiting",
                to=person.email,
                key=f"nomination.waiting:{nomination.pk}:{person.pk}",
                nomination=nomination,
                person=person,
                page=f"{settings.BASE_URL}/staff/nominations/{nomination.pk}/",
            )


def nomination_rejected(nomination: Nomination) -> None:
    send(
        "nomination_rejected",
        to=nomination.nominated_by.email,
        key=f"nomination.rejected:{nomination.pk}",
        nomination=nomination,
        page=f"{settings.BASE_URL}/contributors/nominate/",
    )


def nomination_approved(nomination: Nomination, standing: Standing) -> None:
    """To the person, and to who nominated them where that is somebody else."""
    contributor = standing.contributor
    send(
        "contributor_welcome",
        to=contributor.email,
        key=f"contributor.welcome:{nomination.pk}",
        contributor=contributor,
        standing=standing,
        page=way_in(contributor.email, reverse("members:contributor_own")),
    )
    if nomination.nominated_by.email.lower() != contributor.email.lower():
        send(
            "nomination_approved",
            to=nomination.nominated_by.email,
            key=f"nomination.approved:{nomination.pk}",
            nomination=nomination,
            standing=standing,
        )


def standing_renewed(standing: Standing) -> None:
    send(
        "standing_renewed",
        to=address(standing.contributor),
        key=f"standing.renewed:{standing.pk}",
        standing=standing,
        page=own_page(),
    )


def standing_ends(standing: Standing) -> None:
    send(
        "standing_ends",
        to=address(standing.contributor),
        key=f"standing.ends:{standing.pk}",
        standing=standing,
        page=own_page(),
    )


def standing_ended(contributor: Contributor, *, reason: str, at: datetime) -> None:
    send(
        "standing_ended",
        to=address(contributor),
        key=f"standing.ended:{contributor.pk}:{at.isoformat()}",
        contributor=contributor,
        reason=reason,
    )


def address(contributor: Contributor) -> str:
    """That of the account once there is one: people move."""
    return contributor.user.email if contributor.user else contributor.email
