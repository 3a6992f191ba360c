"""The rules of every body, in every version, for everybody to read."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.models import Body, RuleSet
from governance.models.seat import Place
from governance.rules import changes as rule_changes
from governance.rules import explained
from governance.rules.explained import Example
from governance.rules.ready_sets import READY_SETS
from portal.lib.open_data import for_everybody

# What the list of votes says of a motion: where it is, and its state.
SHOWN_OF_MOTION = ("rule_set", "slug", "title", "year", "number", "state", "way", "deadline")


@require_safe
def rule_list(request: HttpRequest) -> HttpResponse:
    today = timezone.localdate()
    in_force = list(RuleSet.objects.in_force(today).select_related("body"))
    coming = RuleSet.objects.filter(since__gt=today).select_related("body").order_by("since")
    return render(
        request,
        "governance/rule_list.html",
        {
            "bodies": _by_body(in_force),
            "coming": coming,
            "ready_sets": READY_SETS.values(),
            "may_write": _may_write(request),
        },
    )


@require_safe
def rule_set_current(request: HttpRequest, body: str, subject: str) -> HttpResponse:
    """The version in force today; before the first one is, the first."""
    found = RuleSet.objects.filter(body__slug=body, subject=subject)
    current = found.in_force(timezone.localdate()).first() or found.order_by("version").first()
    return redirect(current or get_object_or_404(found))


@require_safe
def rule_set_detail(request: HttpRequest, body: str, subject: str, version: int) -> HttpResponse:
    found = RuleSet.objects.filter(body__slug=body, subject=subject).select_related("body")
    versions = list(found.order_by("-version"))
    rule_set = next((each for each in versions if each.version == version), None)
    if rule_set is None:
        raise Http404
    before = next((each for each in versions if each.version < version), None)
    today = timezone.localdate()
    begun = [each for each in versions if each.since <= today]
    motions = rule_set.motions.public().newest_first()
    return render(
        request,
        "governance/rule_set.html",
        {
            "rule_set": rule_set,
            "topics": explained.topics(rule_set, example_of(rule_set.body, today)),
            "versions": versions,
            "before": before,
            "changes": rule_changes.changes(before, rule_set) if before else [],
            "in_force": max(begun, key=lambda each: (each.since, each.version), default=None),
            "is_coming": rule_set.since > today,
            "motions": motions.only(*SHOWN_OF_MOTION)[:10],
            "motion_count": rule_set.motions.count(),
            "may_write": _may_write(request),
        },
    )


@require_safe
def rule_set_json(request: HttpRequest, body: str, subject: str, version: int) -> HttpResponseBase:
    """One version for programs: every column by its name."""
    rule_set = fetch_version(body, subject, version)
    data: dict[str, object] = {
        "body": body,
        "subject": subject,
        "version": version,
        "name": rule_set.name,
        "since": rule_set.since,
        "note": rule_set.note,
        **rule_changes.as_data(rule_set),
    }
    return for_everybody(request, JsonResponse(data))


def fetch_version(body: str, subject: str, version: int) -> RuleSet:
    rule_sets = RuleSet.objects.select_related("body")
    return get_object_or_404(rule_sets, body__slug=body, subject=subject, version=version)


def example_of(body: Body, on: date) -> Example:
    """The body as it is that day; one of seven seats while it has none."""
    places: list[Place] = body.seats.voting().places(on) if body.pk else []
    if not places:
        return explained.USUAL
    return Example(seats=len(places), filled=sum(place.term is not None for place in places))


def _by_body(in_force: list[RuleSet]) -> list[tuple[Body, list[RuleSet]]]:
    bodies: dict[int, tuple[Body, list[RuleSet]]] = {}
    for rule_set in in_force:
        bodies.setdefault(rule_set.body_id, (rule_set.body, []))[1].append(rule_set)
    return list(bodies.values())


def _may_write(request: HttpRequest) -> bool:
    return getattr(request.user, "is_staff", False)
