from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, F, FilteredRelation, OuterRef, Prefetch, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from governance.models.body import Body
from governance.models.redaction import Redaction
from governance.models.roster import RosterSeat
from governance.models.rule_set import COUNTING
from governance.models.seat import SeatTerm
from governance.models.vote import Vote

if TYPE_CHECKING:
    from governance.models.motion import Motion  # noqa: F401 - names the rows for mypy


PUBLIC = Q(opened_at__isnull=False) | Q(discussed_at__isnull=False)
ADOPTED = ("adopted", "superseded")
# A change of bylaws that was carried and is no version: members have to agree, or did not.
NEEDS_MEMBERS = Q(proposal__isnull=False, version__isnull=True)
# What a list shows of a motion; its texts, papers and people are left to its own page.
LISTED = (
    *("slug", "title", "summary", "electorate", "way", "state", "year", "number"),
    *("drafted_at", "discussed_at", "opened_at", "deadline", "decided_at", "withdrawn_at"),
    *("lapsed_at", "text_sha256", "body__slug", "body__name"),
    *("consent__needed", "consent__deadline"),
    *(f"rule_set__{name}" for name in COUNTING),
)

INDEXED = (
    *("slug", "title", "electorate", "way", "state", "year", "number", "text_sha256"),
    *("decided_at", "effective_on", "superseded_on", "body__slug", "body__name"),
    *("superseded_by__slug", "superseded_by__year", "superseded_by__number"),
    *("proposal__motion", "version__adopted_by"),
)


def body_rosters() -> Prefetch[Any, Any, Any]:
    """The rosters of bodies with all votes, as `seats`; `motions.rolls` reads those of members."""
    seats = RosterSeat.objects.filter(seat__isnull=False).prefetch_related("votes")
    return Prefetch("roster", queryset=seats, to_attr="seats")


class MotionQuerySet(models.QuerySet["Motion"]):
    def public(self) -> MotionQuerySet:
        """Everything that was ever discussed or put to the vote; a draft is the body's own."""
        return self.filter(PUBLIC)

    def visible_to(self, user: models.Model | AnonymousUser, at: datetime) -> MotionQuerySet:
        """What `user` may read: all that is public, and the drafts of their own bodies."""
        if isinstance(user, AnonymousUser):
            return self.public()
        own = Body.objects.of_voter(user, at) | Body.objects.kept_by(user, at)
        seats = SeatTerm.objects.seated_on(timezone.localdate(at)).filter(user_id=user.pk or 0)
        if getattr(user, "is_staff", False):
            return self.all()
        return self.filter(PUBLIC | Q(body__in=own) | Q(body__in=seats.values("seat__body")))

    def being_decided(self, at: datetime) -> MotionQuerySet:
        """Votes that are open at that moment, the next deadline first."""
        running = self.filter(state="open", opened_at__lte=at, deadline__gt=at)
        return running.select_related("body", "rule_set").order_by("deadline", "pk")

    def under_decision(self, at: datetime) -> MotionQuerySet:
        """What is voted on, signed, or sought consensus on; `until` says when it ends."""
        sought = FilteredRelation("consensuses", condition=Q(consensuses__state="sought"))
        ends = ("deadline", "consent__deadline", "sought__resolving_until", "sought__ends_at")
        by_vote = Q(state="open", opened_at__lte=at, deadline__gt=at)
        by_signatures = Q(state="open", way="consent")
        found = self.annotate(sought=sought, until=Coalesce(*ends), sought_id=F("sought__pk"))
        running = found.filter(by_vote | by_signatures | Q(sought__isnull=False))
        return running.select_related("body", "rule_set", "consent").order_by("until", "pk")

    def overdue(self, at: datetime) -> MotionQuerySet:
        """Votes whose deadline has passed and that nobody has counted yet."""
        return self.filter(state="open", deadline__lte=at).order_by("deadline", "pk")

    def resolutions(self, at: datetime) -> MotionQuerySet:
        """What was adopted, newest first; what was superseded later stays among them."""
        adopted = self.filter(state__in=ADOPTED, number__isnull=False, decided_at__lte=at)
        related = adopted.select_related("body", "rule_set", "proposal", "version")
        return related.order_by("-year", "-number")

    def in_force(self, on: date) -> MotionQuerySet:
        """Resolutions that have taken effect on that day and are not superseded yet."""
        begun = self.filter(state__in=ADOPTED, number__isnull=False, effective_on__lte=on)
        return begun.exclude(superseded_on__lte=on).exclude(NEEDS_MEMBERS)

    def in_force_later(self, on: date) -> MotionQuerySet:
        """Resolutions that have not taken effect on that day."""
        adopted = self.filter(state__in=ADOPTED, number__isnull=False)
        return adopted.filter(NEEDS_MEMBERS | Q(effective_on__gt=on))

    def to_be_superseded(self, on: date) -> MotionQuerySet:
        """Resolutions whose successor has taken effect, and that nobody has marked yet."""
        return self.filter(state="adopted", superseded_on__lte=on)

    def being_discussed(self) -> MotionQuerySet:
        """The discussions that go on, the one that spoke last first."""
        return self.filter(state="discussion").select_related("body").order_by("-active_at", "pk")

    def awaiting(self, user: models.Model | AnonymousUser, at: datetime) -> MotionQuerySet:
        """Open votes in which `user` has a vote and has not given it yet."""
        given = Vote.objects.filter(voter=OuterRef("pk"))
        mine = RosterSeat.objects.filter(motion=OuterRef("pk"), user_id=user.pk or 0)
        return self.being_decided(at).filter(Exists(mine.filter(~Exists(given))))

    def worded(self, words: str) -> MotionQuerySet:
        """With these words in title or summary; nobody finds what was taken out of sight."""
        black = Redaction.objects.filter(motion=OuterRef("pk"))
        summary = Q(summary__icontains=words) & ~Exists(black)
        return self.filter(Q(title__icontains=words) | summary)

    def newest_first(self) -> MotionQuerySet:
        """By the moment it was last moved on: decided, opened or drafted."""
        moved = Coalesce(
            "decided_at", "withdrawn_at", "lapsed_at", "opened_at", "active_at", "drafted_at"
        )
        return self.order_by(moved.desc(), "-pk")

    def with_votes(self) -> MotionQuerySet:
        """With all that its arithmetic and its page ask for, in a fixed number of queries.

        The rolls of members, which may be long, are left to `motions.rolls`.
        """
        people = ["body", "rule_set", "lot", "superseded_by"]
        people += ["proposed_by", "seconded_by", "opened_by", "proposal", "version"]
        return self.select_related(*people).prefetch_related(body_rosters(), "redactions")

    def for_lists(self) -> MotionQuerySet:
        """With what a list shows, and no more; `motions.listed` adds the numbers of votes."""
        related = self.select_related(None).select_related("body", "rule_set", "consent")
        return related.only(*LISTED)

    def for_index(self) -> MotionQuerySet:
        """With what the index of resolutions shows, and whether members have to agree yet."""
        related = self.select_related("body", "superseded_by", "proposal", "version")
        return related.only(*INDEXED)

    def by_reference(self, reference: str) -> MotionQuerySet:
        """The motion of this address: its resolution number, or the name it was drafted under."""
        year, _dash, number = reference.partition("-")
        if year.isdecimal() and number.isdecimal():
            return self.filter(year=int(year[:5]), number=int(number[:5]))
        return self.filter(slug=reference)
