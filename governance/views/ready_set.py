"""Rule sets to begin with: what they say, and where each rule was read."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from governance.models import Body, RuleSet
from governance.rules import explained
from governance.rules.ready_sets import READY_SETS, ReadySet


@require_safe
def ready_set_detail(request: HttpRequest, slug: str) -> HttpResponse:
    ready = fetch_ready_set(slug)
    rules = [(each, explained.topics(each.as_rule_set(Body()))) for each in ready.rules]
    may_write = getattr(request.user, "is_staff", False)
    context = {"ready": ready, "rules": rules, "may_write": may_write}
    return render(request, "governance/ready_set.html", context)


def fetch_ready_set(slug: str) -> ReadySet:
    if slug not in READY_SETS:
        raise Http404
    return READY_SETS[slug]


def fetch_ready_rules(slug: str, subject: str) -> RuleSet:
    """As a version of a body without a name, that nobody has kept."""
    rules = fetch_ready_set(slug).of(subject)
    if rules is None:
        raise Http404
    return rules.as_rule_set(Body(kind=Body.Kind.BOARD))
