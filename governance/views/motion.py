"""The register of motions and the page of each: list, CSV, record, JSON."""

import csv
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from governance import reasons, words
from governance.bylaws.links import Citations
from governance.forms import MotionFilterForm, VoteForm
from governance.forms.consensus import PositionForm
from governance.forms.discussion import CommentForm
from governance.models import (
    Affiliation,
    Body,
    Interest,
    Motion,
    MotionComment,
    RosterSeat,
    RuleSet,
    Vote,
)
from governance.models.motion_queryset import MotionQuerySet
from governance.motions import history, listed, register, results, rolls
from governance.tally.rollcall import Standing
from governance.views.deciding_context import consensus_context, consent_context, ways
from governance.views.fetch import moment, visible_motion
from governance.views.motion_context import (
    before_vote,
    discussion_context,
    meeting_context,
    text_context,
)
from portal.accounts.models import User
from portal.lib import spreadsheet
from portal.lib.open_data import for_everybody

PER_PAGE = 20


@require_safe
def motion_list(request: HttpRequest) -> HttpResponse:
    at = moment()
    visible = Motion.objects.visible_to(request.user, at)
    form = MotionFilterForm(request.GET, years=_years(visible))
    found = _filtered(visible, form).for_lists()
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = listed.with_scores(page.object_list)
    return render(
        request,
        "governance/motion_list.html",
        {
            "at": at,
            "form": form,
            "page": page,
            "filtered": any(request.GET.get(name) for name in form.fields),
            "counts": _counts(visible),
            "query": request.GET.urlencode(),
            "may_propose": Body.objects.of_voter(request.user, at).exists(),
        },
    )


@require_safe
def motion_csv(request: HttpRequest) -> HttpResponse:
    """The public register with the numbers of each vote; the filters of the list apply."""
    moment()
    public = Motion.objects.public()
    form = MotionFilterForm(request.GET, years=_years(public))
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="motions.csv"'
    answer["Access-Control-Allow-Origin"] = "*"
    writer = csv.DictWriter(answer, fieldnames=register.COLUMNS)
    writer.writeheader()
    for motion in _filtered(public, form).with_votes():
        row = register.row(motion)
        writer.writerow({name: spreadsheet.safe(value) for name, value in row.items()})
    return answer


@require_safe
def motion_detail(request: HttpRequest, reference: str) -> HttpResponse:
    at = moment()
    motion = visible_motion(request, reference, at)
    if motion.reference != reference:
        return redirect(motion, permanent=True)
    return page(request, motion, at)


@require_safe
def motion_json(request: HttpRequest, reference: str) -> HttpResponseBase:
    """The result of a motion for programs; while the vote is open, only who has voted."""
    at = moment()
    motion = visible_motion(request, reference, at)
    answer = JsonResponse(register.as_data(motion))
    return for_everybody(request, answer) if motion.is_public else answer


def page(
    request: HttpRequest,
    motion: Motion,
    at: datetime,
    *,
    form: VoteForm | None = None,
    comment_form: CommentForm | None = None,
    answered: MotionComment | None = None,
    position_form: PositionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The record page of a motion, for this visitor."""
    rules = _rules(motion, at)
    if rules is not None and rules.body_id == motion.body_id:
        rules.body = motion.body
    context = {
        "motion": motion,
        "at": at,
        "today": timezone.localdate(at),
        "tone": words.TONES[motion.state],
        "events": history.events(motion),
        "not_to_vote": reasons.not_to_vote(request.user, motion, at),
        "is_open": motion.is_open(at),
        "is_own": request.user.pk == motion.proposed_by_id,
        "may_withdraw": reasons.not_to_withdraw(request.user, motion, at) is None,
        **text_context(request.user, motion, at),
        **meeting_context(request.user, motion, at),
        **before_vote(request.user, motion, rules, at),
        **discussion_context(request.user, motion, rules, at),
        **_vote_context(request, motion, form),
        **_result_context(motion),
        **ways(request.user, motion, rules, at),
        **consent_context(request.user, motion, at),
        **consensus_context(request.user, motion, at, position_form),
    }
    if comment_form is not None:
        context |= {"comment_form": comment_form, "answered": answered}
    return render(request, "governance/motion.html", context, status=status)


def _rules(motion: Motion, at: datetime) -> RuleSet | None:
    """The rules that would decide it now, or did."""
    if motion.rule_set is not None:
        return motion.rule_set
    in_force = RuleSet.objects.in_force(timezone.localdate(at))
    return in_force.filter(body=motion.body, subject=motion.subject).first()


def _vote_context(request: HttpRequest, motion: Motion, form: VoteForm | None) -> dict[str, Any]:
    """The visitor's own places on the roster, votes and papers."""
    mine = (
        motion.roster.filter(user_id=request.user.pk) if request.user.pk else motion.roster.none()
    )
    voters = list(mine.prefetch_related("votes").order_by("number"))
    asked = request.POST.get("number") or request.GET.get("number") or ""
    voter = next((each for each in voters if str(each.number) == asked), None)
    voter = voter or next((each for each in voters if not each.votes.all()), None)
    voter = voter or (voters[0] if voters else None)
    standing = voter.votes.order_by("-pk").first() if voter else None
    given = {"choice": standing.choice, "reason": standing.reason} if standing else None
    sees_papers = voter is not None or (
        not motion.is_public and bool(motion.papers)  # only its body reads a draft
    )
    closed = (
        standing is not None
        and standing.choice == Vote.Choice.RECUSE
        and motion.rule_set is not None
        and motion.rule_set.recused_see_no_papers
    )
    return {
        "voter": voter,
        "other_voters": [each for each in voters if each != voter],
        "own_vote": standing,
        "form": form or VoteForm(initial=given),
        **_own_declarations(request, motion, voter),
        "papers": motion.papers if sees_papers and not closed else "",
        "papers_closed": bool(motion.papers) and closed,
    }


def _own_declarations(
    request: HttpRequest, motion: Motion, voter: RosterSeat | None
) -> dict[str, Any]:
    """What the voter declared that may touch the motion: a reason to recuse stands beside it."""
    user, today = request.user, timezone.localdate()
    if voter is None or motion.is_decided or not isinstance(user, User):
        return {}
    return {
        "own_interests": list(Interest.objects.of(user).on(today)),
        "own_employers": list(Affiliation.objects.of(user).on(today).exclude(name="")),
    }


def _result_context(motion: Motion) -> dict[str, Any]:
    if motion.opened_at is None or motion.rule_set is None:
        return {}
    if not motion.is_counted:
        return {"rule_set": motion.rule_set}
    is_long = rolls.is_long(motion)
    stands = [] if is_long else results.standing(motion)
    report = results.report(motion)
    context: dict[str, Any] = {
        "rule_set": motion.rule_set,
        "is_long": is_long,
        "stands": stands,
        "voted": report.count.voted + report.count.recused,
        "voters": report.count.filled,
        "report": report,
    }
    if motion.is_decided:
        context |= {
            "answer": words.answer(context["report"]),
            "explanation": words.explanation(motion.rule_set.rules),
            "rows": Citations().rows(words.sum_rows(context["report"], motion.rule_set)),
            "votes": [_bench(seat.label, seat.number, stand) for seat, stand in stands],
            "reasons": _reasons(motion, stands)[: rolls.SHOWN],
        }
    return context


def _bench(name: str, number: int, stand: Standing) -> dict[str, str]:
    """What `components/roll_call.html` asks of a vote."""
    if stand is Standing.VACANT:
        word = _("seat %(number)s") % {"number": number}
        return {"name": words.standing(stand), "choice": stand.value, "word": word}
    return {"name": name, "choice": stand.value, "word": words.standing(stand)}


def _reasons(motion: Motion, stands: list[tuple[RosterSeat, Standing]]) -> list[Vote]:
    """The votes that stand and say why, recusals first; of a long roll `stands` is empty."""
    if stands:
        last = [list(seat.votes.all())[-1:] for seat, _stand in stands]
        told = [vote for votes in last for vote in votes if vote.reason]
    else:
        standing = Vote.objects.filter(voter__motion=motion).standing().values("pk")
        found = Vote.objects.filter(pk__in=standing).exclude(reason="")
        told = list(found.select_related("voter"))
    for vote in told:
        vote.reason = motion.as_public(vote.reason)
    return sorted(told, key=lambda vote: (vote.choice != Vote.Choice.RECUSE, vote.voter.number))


def _filtered(motions: MotionQuerySet, form: MotionFilterForm) -> MotionQuerySet:
    """What the query asks for; parts of it that make no sense are passed over."""
    form.is_valid()
    asked = form.cleaned_data
    if asked.get("q"):
        motions = motions.worded(asked["q"])
    if asked.get("state"):
        motions = motions.filter(state=asked["state"])
    if asked.get("body"):
        motions = motions.filter(body=asked["body"])
    if asked.get("year"):
        motions = motions.filter(drafted_at__year=asked["year"])
    return motions.newest_first()


def _years(motions: MotionQuerySet) -> list[int]:
    return [day.year for day in motions.dates("drafted_at", "year", order="DESC")]


def _counts(motions: MotionQuerySet) -> dict[str, int]:
    """How many motions of the visitor's view are in each state, and all."""
    states: Any = motions.order_by().values_list("state").annotate(Count("pk"))
    counts = dict.fromkeys(Motion.State, 0) | dict(states)
    return {"all": sum(counts.values())} | counts
