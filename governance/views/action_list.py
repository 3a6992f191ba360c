"""All action items that the visitor may see, as a page and as CSV."""

from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.actions.action_item import not_to_finish
from governance.meetings import action_table
from governance.meetings.forms import ActionFilterForm
from governance.models import ActionItem
from governance.models.action_item import ActionItemQuerySet
from governance.views.fetch import moment
from portal.lib import spreadsheet

PER_PAGE = 30
TONES = {"open": "open", "overdue": "warn", "done": "good", "dropped": ""}


@require_safe
def action_list(request: HttpRequest) -> HttpResponse:
    """What is due first, unless another order is asked; `?mine=yes` only their own."""
    at = moment()
    today = timezone.localdate(at)
    visible = ActionItem.objects.visible_to(request.user, at)
    form = ActionFilterForm(request.GET)
    page = Paginator(_found(request, visible, form, at), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "rows": [_row(request, item, at) for item in page],
        "page": page,
        "form": form,
        "filtered": any(request.GET.get(name) for name in form.fields),
        "counts": {
            "all": visible.count(),
            "open": visible.open().count(),
            "overdue": visible.overdue(today).count(),
            "mine": _own(request, visible).count(),
        },
    }
    return render(request, "governance/action_list.html", context)


@require_safe
def action_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The same with the same query, as a table."""
    at = moment()
    visible = ActionItem.objects.visible_to(request.user, at)
    found = _found(request, visible, ActionFilterForm(request.GET), at)
    answer = StreamingHttpResponse(
        spreadsheet.lines(action_table.table(found, timezone.localdate(at))),
        content_type="text/csv; charset=utf-8",
    )
    answer["Content-Disposition"] = 'attachment; filename="action-items.csv"'
    return answer


def _found(
    request: HttpRequest, visible: ActionItemQuerySet, form: ActionFilterForm, at: datetime
) -> ActionItemQuerySet:
    form.is_valid()
    asked = form.cleaned_data
    items = _own(request, visible) if asked.get("mine") else visible
    found = items.matching(
        q=asked.get("q", ""),
        state=asked.get("state", ""),
        body=asked.get("body"),
        on=timezone.localdate(at),
    )
    return found.in_order(asked.get("sort", ""))


def _own(request: HttpRequest, items: ActionItemQuerySet) -> ActionItemQuerySet:
    """What the visitor has still to do; nothing for who is not signed in."""
    return items.filter(owner=request.user.pk).open() if request.user.pk else items.none()


def _row(request: HttpRequest, item: ActionItem, at: datetime) -> dict[str, Any]:
    today = timezone.localdate(at)
    state = item.state(today)
    return {
        "item": item,
        "state": state,
        "tone": TONES[state.value],
        "days_overdue": item.days_overdue(today),
        "may_act": not_to_finish(request.user, item, at) is None,
    }
