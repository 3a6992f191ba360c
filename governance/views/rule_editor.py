"""Where staff write rules: what they mean is shown in words before they are kept."""

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions import rule_set as actions
from governance.models import Body, RuleSet
from governance.refusals import Refusal
from governance.rules import changes as rule_changes
from governance.rules import explained
from governance.rules.forms import NewRulesForm, RuleSetForm
from governance.rules.ready_sets import READY_SETS
from governance.views.rule_set import example_of, fetch_version
from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_new(request: HttpRequest) -> HttpResponse:
    """The first version for a kind of question: first which, then the rules."""
    chosen = request.GET if "subject" in request.GET else None
    asked = NewRulesForm(chosen, initial=_begin_with(request.GET))
    if not asked.is_valid():
        status = 422 if asked.is_bound else 200
        return render(request, "governance/rule_new.html", {"form": asked}, status=status)
    body, subject = asked.cleaned_data["body"], asked.cleaned_data["subject"]
    last = RuleSet.objects.versions(body, subject).first()
    if last is not None:
        messages.info(request, _("There are rules for this already; yours is their next version."))
        return redirect("governance:rule_set_next", body.slug, subject, last.version)
    start = _start(body, subject, asked.cleaned_data["start"])
    return _edit(request, start, before=None)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_next(request: HttpRequest, body: str, subject: str, version: int) -> HttpResponse:
    """The next version, begun with any version there was."""
    before = fetch_version(body, subject, version)
    start = rule_changes.copied(before)
    return _edit(request, start, before=before, not_before=timezone.localdate())


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_correct(request: HttpRequest, body: str, subject: str, version: int) -> HttpResponse:
    """Correct a version under which no vote was opened."""
    rule_set = fetch_version(body, subject, version)
    if rule_set.is_pinned:
        messages.error(request, _("Votes used this version. Write the next one instead."))
        return redirect(rule_set)
    before = fetch_version(body, subject, version)
    return _edit(request, rule_set, before=before)


def _edit(
    request: HttpRequest,
    rule_set: RuleSet,
    *,
    before: RuleSet | None,
    not_before: date | None = None,
) -> HttpResponse:
    form = RuleSetForm(
        request.POST or None,
        instance=rule_set,
        not_before=not_before,
        initial={"since": timezone.localdate()} if rule_set._state.adding else {},
    )
    valid = form.is_bound and form.is_valid()
    if valid and "keep" in request.POST:
        kept = _keep(request, form)
        if kept is not None:
            return redirect(kept)
    topics = explained.topics(rule_set, example_of(rule_set.body, timezone.localdate()))
    context = {
        "form": form,
        "rule_set": rule_set,
        "before": before,
        "topics": topics if valid else [],
        "changes": rule_changes.changes(before, rule_set) if valid and before else [],
        "is_new": rule_set._state.adding,
    }
    status = 422 if form.errors else 200
    return render(request, "governance/rule_editor.html", context, status=status)


def _keep(request: HttpRequest, form: RuleSetForm) -> RuleSet | None:
    user, rule_set = signed_in(request), form.instance
    try:
        if rule_set._state.adding:
            actions.write_rule_set(actor=user, rule_set=rule_set)
        else:
            actions.change_rule_set(actor=user, rule_set=rule_set)
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return None
    words = {"version": rule_set.version, "day": date_format(rule_set.since, "j F Y")}
    messages.success(request, _("Version %(version)s is kept; in force from %(day)s on.") % words)
    return rule_set


def _begin_with(asked: QueryDict) -> dict[str, str]:
    """What the first form offers when a ready set or a body was chosen before."""
    ready = asked.get("start", "")
    return {"start": ready, "subject": ready.partition(":")[2], "body": asked.get("body", "")}


def _start(body: Body, subject: str, ready: str) -> RuleSet:
    slug, _colon, name = ready.partition(":")
    rules = READY_SETS[slug].of(name) if slug else None
    if rules is None:
        return RuleSet(body=body, subject=subject)
    rule_set = rules.as_rule_set(body)
    rule_set.subject = subject
    return rule_set
