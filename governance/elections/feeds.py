"""What is new about elections: announced ones, results, and what was called off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections import outcomes
from governance.elections.report import report
from governance.models import Body, Election
from portal.lib import markdown
from portal.lib.feeds import Entry, Feed

LENGTH: Final = 20


def feed(*, body: Body | None, page: str, address: str) -> Feed:
    """The twenty newest of all kinds."""
    elections = Election.objects.exclude(announced_at=None).select_related("body", "count")
    if body is not None:
        elections = elections.filter(body=body)
    found = elections.prefetch_related("contests").order_by("-announced_at")[:LENGTH]
    entries = [entry for election in found for entry in _entries(election)]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    title = _("Elections of the %(name)s") % {"name": settings.FOUNDATION_NAME}
    return Feed(
        title if body is None else f"{title}: {body}",
        _("Elections that are announced, their results, and what was called off."),
        page,
        address,
        entries[:LENGTH],
    )


def _entries(election: Election) -> Iterator[Entry]:
    yield _announced(election)
    if election.cancelled_at:
        words = {"title": election.title}
        because = election.cancelled_because
        yield _entry(election, "cancelled", _("Called off: %(title)s") % words, because)
    if election.counted_at:
        yield _result(election)


def _announced(election: Election) -> Entry:
    words = {
        "opens": in_words(election.opens_at),
        "closes": in_words(election.closes_at),
        "nominations": in_words(election.nominations_close_at),
    }
    summary = _("Votes are taken from %(opens)s to %(closes)s.") % words
    if election.elects_people:
        summary += " " + _("Nominations are taken until %(nominations)s.") % words
    return _entry(election, "announced", election.title, summary, text=election.about)


def _result(election: Election) -> Entry:
    contests = election.contests.all()
    answers = [
        f"{contest}: {report(each).answer}."
        for contest, each in zip(contests, outcomes.counted(election), strict=True)
    ]
    title = _("Result: %(title)s") % {"title": election.title}
    return _entry(election, "result", title, " ".join(answers))


def _entry(election: Election, kind: str, title: str, summary: str, text: str = "") -> Entry:
    """`kind` names what happened, and when."""
    name = "result" if kind == "result" else "election"
    url = settings.BASE_URL + reverse(f"governance:{name}", args=[election.name])
    at = _moment(election, kind)
    html = format_html_join("", "<p>{}</p>", ([each] for each in (summary,) if each))
    return Entry(
        id=f"{url}#{kind}",
        title=f"{election.body}: {title}",
        url=url,
        summary=summary,
        html=format_html("{}{}", html, markdown.render(text, base=url)) if text else html,
        at=at,
        updated=at,
        tags=("election", kind, election.body.slug),
    )


def _moment(election: Election, kind: str) -> datetime:
    moments = {
        "announced": election.announced_at,
        "cancelled": election.cancelled_at,
        "result": election.counted_at,
    }
    return moments[kind] or election.drafted_at
