"""Which letters about a motion or an election reached the mail server, recipient by recipient."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib.models import OutboxMail

KINDS = {
    "motion_discussion": _("discussion opened"),
    "motion_opened": _("vote opened"),
    "motion_reminder": _("reminder"),
    "motion_result": _("result"),
    "motion_withdrawn": _("withdrawn"),
    "consent_opened": _("signature asked for"),
    "consent_reminder": _("reminder to sign"),
    "consent_ended": _("end of the written consent"),
    "consensus_called": _("consensus called"),
    "consensus_objected": _("objection"),
    "consensus_resolve": _("time to resolve an objection"),
    "consensus_reached": _("consensus reached"),
    "motion_lapsed": _("lapsed"),
    "amendment_proposed": _("amendment proposed"),
    "amendment_answered": _("amendment answered"),
    "comment_answered": _("comment answered"),
    # of elections, whose keys name the election first
    "nominations": _("nominations opened"),
    "nominated": _("nominated"),
    "seconds": _("seconds missing"),
    "roll": _("roll shown"),
    "open": _("voting open"),
    "reminder": _("reminder"),
    "credential": _("credential issued"),
    "voted": _("vote taken"),
    "closing": _("closes soon"),
    "result": _("result"),
    "elected": _("elected"),
    "complaint": _("complaint answered"),
    "objection": _("objection ruled on"),
    "left": _("a candidate left"),
    "called-off": _("called off"),
    "unsound": _("not counted"),
    "disqualified": _("may not stand"),
    "make-key": _("make a key"),
    "confirm-share": _("check a share"),
    "open-share": _("tell a share"),
    "officer-key": _("make a key"),
    "sign": _("sign the manifest"),
    "number": _("tell a hidden number"),
}
WORDS = {"waiting": _("waiting"), "sent": _("sent"), "given_up": _("not delivered")}
TONES = {"waiting": "open", "sent": "good", "given_up": "bad"}


@dataclass(frozen=True, slots=True)
class Letter:
    kind: str
    word: str
    tone: str
    at: datetime
    attempts: int
    error: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody and all letters they were promised, oldest first."""

    name: str
    letters: list[Letter]


def addresses(about: str, words: str = "") -> QuerySet[OutboxMail, str]:
    """To whom letters of this history were promised, who is missing one first; of people with these
    words.
    """
    mails = OutboxMail.objects.about([about])
    if words:
        named = Q(name__icontains=words) | Q(email__icontains=words)
        mails = mails.filter(recipient__in=User.objects.filter(named).values("email"))
    missing = Count("pk", filter=Q(given_up_at__isnull=False))
    found = mails.order_by().values("recipient").annotate(missing=missing)
    return found.order_by("-missing", "recipient").values_list("recipient", flat=True)


def recipients(about: str, of: Sequence[str]) -> list[Recipient]:
    """The letters to these addresses, in their order."""
    mails: dict[str, list[OutboxMail]] = defaultdict(list)
    found = OutboxMail.objects.about([about])
    for mail in found.filter(recipient__in=of).order_by("pk"):
        mails[mail.recipient].append(mail)
    names = {user.email: str(user) for user in User.objects.filter(email__in=of)}
    left = str(_("somebody who left"))
    return [
        Recipient(names.get(address, left), [_letter(mail) for mail in mails[address]])
        for address in of
    ]


def _letter(mail: OutboxMail) -> Letter:
    parts = mail.key.split(":")
    kind = parts[2] if parts[0] == "election" else parts[0]
    return Letter(
        kind=str(KINDS.get(kind, kind)),
        word=str(WORDS[mail.state]),
        tone=TONES[mail.state],
        at=mail.sent_at or mail.given_up_at or mail.created_at,
        attempts=mail.attempts,
        error=mail.last_error,
    )
