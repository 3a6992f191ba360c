"""Numbers in, the whole arithmetic out: a page that anybody can share by its address."""

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.models import Body, RuleSet, Seat
from governance.rules import explained, what_if
from governance.rules.explained import Example
from governance.rules.forms import CountForm, TieForm
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import Tie
from governance.views.ready_set import fetch_ready_rules, fetch_ready_set
from governance.views.rule_set import example_of, fetch_version

USUAL_CLASSES = [Seat.Constituency.CONTRIBUTORS, Seat.Constituency.MEMBERS]


@require_safe
def rule_what_if(request: HttpRequest, body: str, subject: str, version: int) -> HttpResponse:
    rule_set = fetch_version(body, subject, version)
    back = (rule_set.name, rule_set.get_absolute_url())
    example = example_of(rule_set.body, timezone.localdate())
    return _page(request, rule_set, example, back)


@require_safe
def ready_what_if(request: HttpRequest, slug: str, subject: str) -> HttpResponse:
    rule_set = fetch_ready_rules(slug, subject)
    back = (str(fetch_ready_set(slug).name), reverse("governance:ready_set", args=[slug]))
    return _page(request, rule_set, explained.USUAL, back)


def _page(
    request: HttpRequest, rule_set: RuleSet, example: Example, back: tuple[str, str]
) -> HttpResponse:
    """Without a query it shows the body with everybody saying yes."""
    counts = _count_forms(request, rule_set, example)
    forms: list[BaseForm] = [*counts.values()]
    tie = None
    if rule_set.rules.breaks_ties:
        usual = Choice.NO.value if rule_set.tie == Tie.LOT else TieForm.NOBODY
        tie = TieForm({"side": request.GET.get("side", usual)}, rules=rule_set.rules)
        forms.append(tie)
    errors = [form for form in forms if not form.is_valid()]
    trial = _trial(rule_set, counts, tie) if not errors else None
    context = {
        "rule_set": rule_set,
        "back": back,
        "counts": [(_class_name(name), form) for name, form in counts.items()],
        "tie_form": tie,
        "trial": trial,
        "topics": explained.topics(rule_set, _example(trial, example)),
        "errors": errors,
    }
    return render(request, "governance/rule_what_if.html", context, status=422 if errors else 200)


def _trial(rule_set: RuleSet, forms: dict[str, CountForm], tie: TieForm | None) -> what_if.Trial:
    counts = {name: form.count for name, form in forms.items()}
    classes = counts if rule_set.per_class else None
    side = tie.choice if tie else None
    return what_if.try_rules(rule_set, what_if.total(counts), classes=classes, side=side)


def _example(trial: what_if.Trial | None, usual: Example) -> Example:
    if trial is None:
        return usual
    return Example(seats=trial.report.count.seats, filled=trial.report.count.filled)


def _count_forms(request: HttpRequest, rule_set: RuleSet, example: Example) -> dict[str, CountForm]:
    """One form, or one for each constituency where the rules ask each of them."""
    usual = {"": Count(yes=example.filled, vacant=example.seats - example.filled)}
    if rule_set.per_class:
        usual = _usual_classes(rule_set.body)
    return {name: _count_form(request, name, count) for name, count in usual.items()}


def _count_form(request: HttpRequest, name: str, usual: Count) -> CountForm:
    """What was asked, nothing named being none; without a question the usual count."""
    named = {part: f"{name}-{part}" if name else part for part in what_if.PARTS}
    if request.GET:
        data = {key: request.GET.get(key) or "0" for key in named.values()}
    else:
        data = {key: str(getattr(usual, part)) for part, key in named.items()}
    return CountForm(data, prefix=name or None)


def _usual_classes(body: Body) -> dict[str, Count]:
    """The constituencies of the body today, all in office saying yes; else two of four seats."""
    counts: dict[str, Count] = {}
    places = body.seats.voting().places(timezone.localdate()) if body.pk else []
    for place in places:
        before = counts.get(place.seat.constituency, Count())
        filled = place.term is not None
        counts[place.seat.constituency] = Count(
            yes=before.yes + filled, vacant=before.vacant + (not filled)
        )
    return counts or {name.value: Count(yes=4) for name in USUAL_CLASSES}


def _class_name(name: str) -> str:
    return str(Seat.Constituency(name).label) if name else ""
