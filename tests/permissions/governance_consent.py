from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

from governance.actions.body import save_body, save_seat
from governance.actions.consensus import call_consensus
from governance.actions.consent import Authentication, open_consent, sign_consent
from governance.actions.motion import draft_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.models import Body, Consent, Motion, RuleSet, Seat
from tests.permissions import EVERYBODY, SIGNED_IN, Cast, Page, Place
from tests.permissions.governance import BODY_AND_STAFF, draft

DAY = timedelta(days=1)
SINCE = date(2020, 1, 1)


def asked(cast: Cast) -> Consent:
    """A motion that bob alone has to sign."""
    motion = draft(cast)
    RuleSet.objects.update(consent="unanimous")
    return open_consent(actor=cast["bob"], motion=motion, deadline=timezone.now() + DAY)


def signed(cast: Cast) -> Consent:
    consent = asked(cast)
    proof = Authentication("totp", datetime.now(UTC))
    return sign_consent(
        actor=cast["bob"], consent=consent, name=str(cast["bob"]), authenticated=proof
    )


def in_council(cast: Cast) -> Motion:
    """A draft of the council, on which consensus is sought."""
    body = save_body(
        actor=None,
        body=Body(slug="council", name="Council", kind="council", purpose="Builds.", since=SINCE),
    )
    seat = save_seat(actor=None, seat=Seat(body=body, number=1, since=SINCE))
    seat_person(actor=None, seat=seat, user=cast["council"], since=SINCE)
    rules = RuleSet(body=body, subject="ordinary", name="Ordinary", since=SINCE, seconds_needed=0)
    write_rule_set(actor=None, rule_set=rules)
    motion = draft_motion(
        actor=cast["council"],
        body=body,
        subject="ordinary",
        title="Agreed",
        summary="Nobody objects.",
        text="Resolved.",
    )
    call_consensus(actor=cast["council"], motion=motion, ends_at=timezone.now() + DAY)
    return motion


def of_draft(page: str) -> Place:
    return Place(draft, lambda motion: f"/governance/motions/{motion.slug}/{page}/")


def of_asked(page: str) -> Place:
    return Place(asked, lambda consent: f"/governance/motions/{consent.motion.slug}/{page}/")


PAGES = {
    "governance:consent_open": Page(BODY_AND_STAFF, sample=of_draft("consent")),
    "governance:consent_sign": Page(SIGNED_IN, sample=of_asked("sign")),
    "governance:consent_revoke": Page(SIGNED_IN, sample=of_asked("revoke"), method="POST"),
    "governance:consent_certificate": Page(
        EVERYBODY,
        sample=Place(
            signed, lambda consent: f"/governance/motions/{consent.motion.slug}/certificate.pdf"
        ),
    ),
    "governance:consensus_call": Page(BODY_AND_STAFF, sample=of_draft("consensus")),
    "governance:consensus_speak": Page(
        {"council", "frank"},
        sample=Place(in_council, lambda motion: f"/governance/motions/{motion.slug}/position/"),
        method="POST",
        data={"stance": "support"},
    ),
}
