"""Where a page of each view stands, with the demonstration data loaded."""

from django.utils import timezone

from portal.news.models import Announcement, Kind, State


def in_state(state: State, kind: Kind = Kind.NEWS) -> Announcement:
    found = Announcement.objects.in_state(state, timezone.now()).filter(kind=kind)
    return found.latest("pk")


def figures() -> str:
    return in_state(State.PUBLISHED, Kind.REPORT).figures.get_absolute_url()


def desk(state: State, step: str = "") -> str:
    return in_state(state).desk_url + step


SAMPLES = {
    "news:feed": lambda: "/news/feed.atom",
    "news:kind_feed": lambda: "/news/feeds/release.json",
    "news:detail": lambda: in_state(State.PUBLISHED, Kind.REPORT).get_absolute_url(),
    "news:figures": figures,
    "news:edit": lambda: desk(State.DRAFT),
    "news:versions": lambda: desk(State.DRAFT, "versions/"),
    "news:take": lambda: desk(State.DRAFT, "versions/1/take/"),
    "news:publish": lambda: desk(State.DRAFT, "publish/"),
    "news:unschedule": lambda: desk(State.SCHEDULED, "unschedule/"),
    "news:withdraw": lambda: desk(State.PUBLISHED, "withdraw/"),
    "news:restore": lambda: desk(State.WITHDRAWN, "restore/"),
    "news:drop": lambda: desk(State.DRAFT, "drop/"),
    "news:take_back": lambda: desk(State.DRAFT, "take-back/"),
}
