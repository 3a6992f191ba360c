"""The draft that an organisation makes when its first term is paid."""

from __future__ import annotations

import datetime as dt
from urllib.parse import quote

from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib import languages
from portal.members.models import Organisation, Term
from portal.news.actions.announcement import Text
from portal.news.models import Kind
from portal.news.plain import plain

ADDRESS = ":/?#[]@!$&'*+,;=%~"  # what an address may hold and Markdown does not end it by


def key(organisation: Organisation) -> str:
    return f"supporter:{organisation.pk}"


@languages.for_the_record
def text(term: Term) -> Text:
    """Who, as what, since when; the logo and the link that they gave."""
    organisation = term.organisation
    named = {
        "name": organisation.name,
        "tier": term.tier_name,
        "kind": term.kind_name,
        "day": formats.date_format(term.starts_at, "j F Y"),
    }
    safe = {name: plain(words) for name, words in named.items()} | {"name": _linked(organisation)}
    opening = _("%(name)s supports the foundation as %(tier)s %(kind)s since %(day)s. Thank you.")
    everybody = f"[{_('All supporters')}]({reverse('sponsors:supporters')})"
    parts = [*_logo(organisation), opening % safe, everybody]
    return Text(
        kind=Kind.SUPPORTER,
        title=(_("%(name)s supports the foundation") % named)[:160],
        summary=(_("%(name)s is a new %(kind)s: %(tier)s.") % named)[:300],
        body="\n\n".join(parts) + "\n",
    )


@languages.for_the_record
def doubt(organisation: Organisation | None, at: dt.datetime) -> str:
    """Why its draft must not be published, if there is a reason."""
    if organisation is None or not organisation.is_listed:
        return _("The organisation does not wish to be named.")
    if not Organisation.objects.supported(at).filter(pk=organisation.pk).exists():
        return _("The organisation is not a supporter at present.")
    return ""


def _linked(organisation: Organisation) -> str:
    name = plain(organisation.name)
    address = quote(organisation.website, safe=ADDRESS)
    return f"[{name}]({address})" if address else f"**{name}**"


def _logo(organisation: Organisation) -> list[str]:
    """As it is shown at the time: its address stays when another logo is chosen."""
    if organisation.logo is None:
        return []
    address = reverse("members:current_logo", args=[organisation.slug])
    return [f"![{plain(organisation.name)}]({address})"]
