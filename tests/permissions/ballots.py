from datetime import timedelta

from django.utils import timezone

from governance.models import Candidacy, Election, ElectionOfficer, RollEntry, Seat
from governance.tests.counted import count_openly
from tests.permissions import EVERYBODY, SIGNED_IN, Cast, Page, Place
from tests.permissions.elections import RUN_BY, announced

HERE = "/governance/elections/2026-board/"
KEYS = RUN_BY | {"bob"}


def with_keys(cast: Cast) -> Election:
    """Announced; bob is an officer who signs."""
    election = announced(cast).candidacy.contest.election
    ElectionOfficer.objects.create(election=election, place=1, user=cast["bob"], name="Bob")
    return election


def voting(cast: Cast) -> Election:
    """Open; the contributor is on the roll."""
    election = with_keys(cast)
    RollEntry.objects.filter(contest__election=election).update(number=1)
    Candidacy.objects.filter(contest__election=election, left_at=None).update(number=0)
    now, hour = timezone.now(), timedelta(hours=1)
    Election.objects.filter(pk=election.pk).update(
        state="frozen",
        manifest="{}",
        manifest_sha256="a" * 64,
        nominations_close_at=now - hour,
        objections_close_at=now - hour,
        opens_at=now - hour,
    )
    return election


def counted(cast: Cast) -> Election:
    election = with_keys(cast)
    Election.objects.filter(pk=election.pk).update(seconds_needed=0)
    return count_openly(election, {"contributors": [b"\x00"]}, timezone.now())


def declared(cast: Cast) -> Election:
    """And the seat is given."""
    election = counted(cast)
    today = timezone.localdate()
    seat = Seat.objects.create(
        body=election.body, number=31, constituency="contributors", since=today
    )
    election.contests.get(constituency="contributors").seats.add(seat)
    now = timezone.now()
    Election.objects.filter(pk=election.pk).update(state="declared", declared_at=now)
    return election


def keys(rest: str) -> Place:
    return Place(with_keys, lambda _: f"{HERE}keys/{rest}")


def open_one(rest: str) -> Place:
    return Place(voting, lambda _: f"{HERE}{rest}")


def counted_one(rest: str) -> Place:
    return Place(counted, lambda _: f"{HERE}{rest}")


PAGES = {
    "governance:vote_client": Page(EVERYBODY),
    "governance:election_keys": Page(KEYS, sample=keys("")),
    "governance:key_deal": Page(RUN_BY, sample=keys("deal/"), method="POST"),
    "governance:key_act": Page({"bob"}, sample=keys("officer/1/make/"), method="POST"),
    "governance:manifest_write": Page(RUN_BY, sample=keys("manifest/"), method="POST"),
    "governance:manifest_take_back": Page(
        RUN_BY, sample=keys("manifest/take-back/"), method="POST"
    ),
    "governance:vote": Page(SIGNED_IN, sample=open_one("vote/")),
    "governance:credential": Page(SIGNED_IN, sample=open_one("credential/"), method="POST"),
    # Without cookies: nobody is known there. The box is down in these tests, which says 503.
    "governance:ballots": Page(EVERYBODY, sample=open_one("ballots/"), method="POST"),
    "governance:ballot_found": Page(EVERYBODY, sample=open_one(f"ballots/{'a' * 64}/")),
    "governance:election_blocks": Page(EVERYBODY, sample=open_one("blocks.jsonl")),
    "governance:election_manifest": Page(EVERYBODY, sample=open_one("manifest.json")),
    "governance:manifest_page": Page(EVERYBODY, sample=counted_one("manifest/")),
    "governance:result": Page(EVERYBODY, sample=counted_one("result/")),
    "governance:election_declare": Page(
        RUN_BY, sample=counted_one("result/declare/"), method="POST"
    ),
    "governance:result_json": Page(EVERYBODY, sample=counted_one("result.json")),
    "governance:bundle_zip": Page(EVERYBODY, sample=counted_one("bundle.zip")),
    "governance:result_what_if": Page(
        EVERYBODY, sample=counted_one("result/contributors/what-if/")
    ),
    "governance:result_countback": Page(
        EVERYBODY, sample=Place(declared, lambda _: f"{HERE}result/contributors/countback/")
    ),
    "governance:result_stages": Page(
        EVERYBODY, sample=counted_one("result/contributors/stages.csv")
    ),
    "governance:result_papers": Page(
        EVERYBODY, sample=counted_one("result/contributors/papers.blt")
    ),
}
