"""The template vocabulary of the site: every component that needs more than its markup.

Each tag renders one file of ``templates/components/``, so the markup has one home. The styleguide
page shows all of them in every state; ``docs/frontend.md`` says which to take when.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import template
from django.core.paginator import Page
from django.forms import BaseForm
from django.forms.boundfield import BoundField
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from portal import navigation
from portal.accounts.models import RoleGrant
from portal.lib import form_words
from portal.lib import markdown as markdown_lib

register = template.Library()

ICONS: Final[Mapping[str, str]] = {
    "bad": '<circle cx="12" cy="12" r="9.5"/><path d="M8.5 8.5l7 7M15.5 8.5l-7 7"/>',
    "check": '<path d="M4 12.5l5 5L20 6.5"/>',
    "close": '<path d="M5 5l14 14M19 5 5 19"/>',
    "copy": '<path d="M8 8h12v12H8z"/><path d="M16 8V4H4v12h4"/>',
    "down": '<path d="M12 4v16M5 13l7 7 7-7"/>',
    "download": '<path d="M12 3v13M6 11l6 6 6-6M4 21h16"/>',
    "feed": '<path d="M5 5a14 14 0 0 1 14 14M5 11a8 8 0 0 1 8 8"/><circle cx="6" cy="18" r="1"/>',
    "info": '<circle cx="12" cy="12" r="9.5"/><path d="M12 11v6M12 7.3v.1"/>',
    "left": '<path d="M20 12H4M11 5l-7 7 7 7"/>',
    "lock": '<path d="M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4"/>',
    "menu": '<path d="M3 6h18M3 12h18M3 18h18"/>',
    "right": '<path d="M4 12h16M13 5l7 7-7 7"/>',
    "search": '<circle cx="10.5" cy="10.5" r="7"/><path d="M16 16l5.5 5.5"/>',
    "up": '<path d="M12 20V4M5 11l7-7 7 7"/>',
    "user": '<circle cx="12" cy="8" r="4.5"/><path d="M3 21c1-5 4.5-7 9-7s8 2 9 7"/>',
    "warn": '<path d="M12 3 1.8 20.5h20.4z"/><path d="M12 10v4.5M12 17.6v.1"/>',
}

# They point along the line, so they turn where it runs from right to left.
DIRECTED: Final = {"left", "right"}

NOTICE_ICONS: Final[Mapping[str, str]] = {
    "info": "info",
    "good": "check",
    "warn": "warn",
    "bad": "bad",
}

NOTCHES: Final = 5
WHEN_FORMATS: Final[Mapping[str, str]] = {
    "day": "j M Y",
    "month": "M Y",
    "minute": "j M Y, H:i e",
    "time": "H:i e",
}


# ── small marks ──────────────────────────────────────────────────────────────
@register.simple_tag
def icon(name: str) -> SafeString:
    """An outline of 24 units; it never speaks alone, a word stands beside it."""
    drawing = mark_safe(ICONS[name])  # noqa: S308 - our own constant
    kind = "icon forward" if name in DIRECTED else "icon"
    return format_html(
        '<svg class="{}" viewBox="0 0 24 24" aria-hidden="true">{}</svg>', kind, drawing
    )


@register.inclusion_tag("components/badge.html")
def badge(text: object, tone: str = "") -> dict[str, object]:
    """One state of a thing. Tones: good, warn, bad, info, solid, open, or none."""
    return {"text": text, "tone": tone}


@register.inclusion_tag("components/maturity.html")
def maturity(notches: int, word: object) -> dict[str, object]:
    """Five notches, filled up to where the series stands; five of five is production ready."""
    steps = [(f"{n * 6}.5", n < notches) for n in range(NOTCHES)]
    return {"steps": steps, "word": word, "tone": "good" if notches >= NOTCHES else "warn"}


@register.inclusion_tag("components/bar.html")
def bar(
    value: float, of: float = 100, mark: float | None = None, tone: str = "", label: str = ""
) -> dict[str, object]:
    """A share of ``of`` with an optional mark (a quorum). Print the number beside it."""

    def percent(part: float) -> str:
        return f"{min(100.0, max(0.0, 100 * float(part) / float(of))) if of else 0:.1f}%"

    drawn_mark = None if mark is None else percent(mark)
    return {"width": percent(value), "mark": drawn_mark, "tone": tone, "label": label}


# ── the head of a page ───────────────────────────────────────────────────────
@register.inclusion_tag("components/crumbs.html")
def crumbs(*parts: str) -> dict[str, object]:
    """``{% crumbs label url label url last %}``: home stands first by itself."""
    *pairs, last = parts
    return {"steps": list(zip(pairs[::2], pairs[1::2], strict=True)), "last": last}


@register.inclusion_tag("components/fact.html")
def fact(label: object, value: object, note: object = "", tone: str = "") -> dict[str, object]:
    """A cell of ``<dl class="facts">``; three to six make the record strip."""
    return {"label": label, "value": value, "note": note, "tone": tone}


@register.inclusion_tag("components/figure.html")
def figure(
    label: object, value: object, unit: object = "", note: object = "", lead: bool = False
) -> dict[str, object]:
    """A number in ``<dl class="figures">``: never without unit or date; one lead a page."""
    return {"label": label, "value": value, "unit": unit, "note": note, "lead": lead}


@register.inclusion_tag("components/steps.html")
def steps(current: int, *names: str) -> dict[str, object]:
    """``{% steps 2 "Tier" "Organisation" "Payment" %}``: counted from one."""
    return {"steps": [(name, n < current, n == current) for n, name in enumerate(names, start=1)]}


# ── navigation ───────────────────────────────────────────────────────────────
@register.simple_block_tag
def localnav(content: str, label: str) -> SafeString:
    """The pages of one area; fill it with ``{% tab %}``."""
    return render_to_string("components/localnav.html", {"content": content, "label": label})


@register.inclusion_tag("components/tab.html", takes_context=True)
def tab(
    context: Context, label: object, url: str, current: bool | None = None
) -> dict[str, object]:
    """A link of a localnav. Without ``current`` the address of the request decides."""
    return {"label": label, "url": url, "current": _is_here(context, url, current)}


@register.inclusion_tag("components/chip.html", takes_context=True)
def chip(
    context: Context, label: object, url: str, count: object = None, current: bool | None = None
) -> dict[str, object]:
    """A preset view in ``<p class="chips">``, with how many things it holds."""
    here = _is_here(context, url, current)
    return {"label": label, "url": url, "count": count, "current": here}


def _is_here(context: Context, url: str, current: bool | None) -> bool:
    if current is not None:
        return current
    request = context.get("request")
    return request is not None and url in {request.path, request.get_full_path()}


@register.inclusion_tag("components/pagination.html", takes_context=True)
def pagination(context: Context, page: Page[Any], parameter: str = "page") -> dict[str, object]:
    """Pages of a ``django.core.paginator.Page``; the other query parameters stay."""
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    return {
        "page": page,
        "numbers": list(numbers),
        "ellipsis": page.paginator.ELLIPSIS,
        "parameter": parameter,
        "request": context.get("request"),
    }


# ── blocks ───────────────────────────────────────────────────────────────────
@register.simple_block_tag
def section(
    content: str,
    title: object,
    note: object = "",
    more: object = "",
    href: str = "",
    wide: bool = False,
    id: str = "",  # noqa: A002 - the name of the attribute it writes
) -> SafeString:
    """A part of a page under one ink rule; ``wide`` for tables above five columns."""
    context = {"title": title, "note": note, "more": more, "href": href, "wide": wide, "id": id}
    return render_to_string("components/section.html", {"content": content, **context})


@register.simple_block_tag
def notice(content: str, tone: str, title: object, level: int = 2) -> SafeString:
    """Must be read now. The title says what, the text says what to do. At most two a page."""
    context = {"content": content, "tone": tone, "title": title, "level": level}
    context["icon_name"] = NOTICE_ICONS[tone]
    return render_to_string("components/notice.html", context)


@register.simple_block_tag(name="empty_state", end_name="endempty_state")
def empty_state(content: str, title: object, text: object = "", level: int = 2) -> SafeString:
    """Says what will be here; the block says how to start. (`empty` belongs to `for`.)"""
    context = {"content": content, "title": title, "text": text, "level": level}
    return render_to_string("components/empty.html", context)


def _trimmed(content: str) -> SafeString:
    """The rendered block, escaped where it had to be, without the white space around it."""
    return mark_safe(content.strip())  # noqa: S308


@register.simple_block_tag
def code(
    content: str,
    id: str,  # noqa: A002
    name: object,
    note: object = "",
    number: int | None = None,
    path: bool | None = None,
) -> SafeString:
    """A file or a group of commands with a copy button; number the steps of a procedure."""
    is_path = str(name).startswith("/") if path is None else path
    context = {"id": id, "name": name, "note": note, "number": number, "path": is_path}
    return render_to_string("components/code.html", {"content": _trimmed(content), **context})


@register.simple_block_tag
def command(content: str, id: str) -> SafeString:  # noqa: A002
    """One command line with a copy button."""
    return render_to_string("components/command.html", {"content": _trimmed(content), "id": id})


@register.simple_block_tag
def chart(
    content: str,
    title: object,
    svg: str,
    note: object = "",
    csv: str = "",
    json: str = "",
    level: int = 3,
) -> SafeString:
    """A drawing of ``portal.lib.plot``; the block is the table of the same numbers."""
    context = {"title": title, "note": note, "csv": csv, "json": json, "level": level}
    drawing = mark_safe(svg)  # noqa: S308 - the plot module escapes what it is given
    table = _trimmed(content)
    return render_to_string("components/chart.html", {"svg": drawing, "table": table, **context})


@register.simple_block_tag
def scroll(content: str, label: object) -> SafeString:
    """A region for a table that is wider than a phone; the keyboard reaches it."""
    return render_to_string("components/scroll.html", {"content": content, "label": label})


@register.simple_block_tag
def filters(content: str, label: object, open: bool = False) -> SafeString:  # noqa: A002
    """A query form (GET), folded on a phone. Put fields and one button into it."""
    context = {"content": content, "label": label, "open": open}
    return render_to_string("components/filters.html", context)


@register.simple_block_tag
def dialog(content: str, id: str, title: object) -> SafeString:  # noqa: A002
    """A confirmation that a ``popovertarget`` button opens, without script too."""
    return render_to_string(
        "components/dialog.html", {"content": content, "id": id, "title": title}
    )


@register.filter
def said(field: BoundField) -> str:
    """What is wrong with a field, in one line."""
    return " ".join(form_words.said(field))


@register.inclusion_tag("components/form_errors.html")
def form_errors(form: BaseForm) -> dict[str, object]:
    """What is wrong with a form, above it, each line a link to its field."""
    faulty = [field for field in form if field.errors]
    fields = [(field, form_words.names_itself(field)) for field in faulty]
    general = list(form.non_field_errors())
    return {"fields": fields, "general": general, "count": len(fields) + len(general)}


# ── words and numbers ────────────────────────────────────────────────────────
@register.simple_tag
def when(value: dt.date | dt.datetime | None, form: str = "day") -> SafeString | str:
    """``<time>`` with the machine's date; forms: day, month, minute, time. UTC is said.

    A dash for none, and for the attribute of none, which a template gives as an empty text.
    """
    if not value:
        return "—"
    local = timezone.localtime(value) if isinstance(value, dt.datetime) else value
    words = formats.date_format(local, WHEN_FORMATS[form])
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), words)


@register.filter
def number(value: float | None, places: int = 0) -> str:
    """12345 as 12,345 in the reader's language; nothing as a dash."""
    if value is None:
        return "—"
    rounded = round(value, int(places))  # Django cuts what does not fit
    return formats.number_format(rounded, decimal_pos=int(places), force_grouping=True)


@register.filter
def minus(value: float) -> str:
    """A true minus sign before what a sum takes away."""
    return f"− {number(value)}"


@register.filter
def size(value: int | None) -> str:
    """Bytes in the unit that leaves one to three digits before the point: 112.4 MB."""
    if value is None:
        return "—"
    amount = float(value)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000:
            break
        if unit != "GB":
            amount /= 1000
    places = 0 if unit == "bytes" else 1
    return f"{formats.number_format(round(amount, places), decimal_pos=places)} {unit}"


@register.filter
def breakable(path: str) -> SafeString:
    """A path that may go on in the next line after each of its slashes."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in path.split("/")))


@register.filter
def groups_of_four(value: str) -> str:
    """A fingerprint as people read it aloud."""
    return " ".join(value[at : at + 4] for at in range(0, len(value), 4))


@register.filter
def groups_of_sixteen(value: str) -> str:
    """A checksum in pieces that wrap and can be compared."""
    return " ".join(value[at : at + 16] for at in range(0, len(value), 16))


@register.filter
def markdown(text: str) -> SafeString:
    """Text of a person, rendered and sanitised."""
    return mark_safe(markdown_lib.render(text))  # noqa: S308 - sanitised by the library


@register.filter
def article(text: str) -> SafeString:
    """Text of the foundation itself: as `markdown`, with pictures that this site serves, and
    tables that scroll on a phone.
    """
    html = markdown_lib.render(text, pictures=True)
    begin = format_html(
        '<div class="scroll" tabindex="0" role="group" aria-label="{}">', _("Table")
    )
    wrapped = html.replace("<table>", f"{begin}<table>").replace("</table>", "</table></div>")
    return mark_safe(wrapped)  # noqa: S308 - sanitised by the library, in which text has no tags


@register.simple_tag
def desks(grants: Iterable[RoleGrant]) -> list[navigation.Link]:
    """Where the holder of these roles does the work."""
    return navigation.desks(grant.role for grant in grants)
