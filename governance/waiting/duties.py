"""What a person took upon themselves, or has to decide as an officer."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _

from governance.bylaws import reasons as bylaws_reasons
from governance.bylaws import words as bylaws_words
from governance.models import ActionItem, Typo
from governance.waiting.waiting import Waiting
from portal.accounts.models import User


def action_items(user: User, at: datetime) -> Iterator[Waiting]:
    own = ActionItem.objects.open().filter(owner=user).by_due_date()
    for item in own:
        yield Waiting(
            act=_("Tell that it is done"),
            title=item.text,
            url=f"{reverse('governance:actions')}?mine=yes",
            until=_end(item.due) if item.due else None,
            place=item.meeting.body.name,
        )


def _end(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time.min, tzinfo=UTC)


def typos(user: User, at: datetime) -> Iterator[Waiting]:
    """Slips of spelling that an officer decides."""
    reported = Typo.objects.waiting().select_related("version__bylaws__body", "reported_by")
    for typo in reported:
        if bylaws_reasons.not_to_decide_typo(user, typo, at) is None:
            words = {"wrong": typo.wrong, "right": typo.right or "—"}
            yield Waiting(
                act=_("Correct or decline"),
                title=_("%(bylaws)s, %(clause)s: a slip of spelling")
                % {"bylaws": typo.version.bylaws, "clause": bylaws_words.place(typo.clause)},
                url=f"{typo.version.get_absolute_url()}#typos",
                place=typo.version.bylaws.body.name,
                note=_("“%(wrong)s” should read “%(right)s”.") % words,
            )
