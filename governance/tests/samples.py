"""Where a page of each view stands, with the demonstration data loaded."""

from django.urls import reverse

from governance.models import (
    Affiliation,
    Consensus,
    Consent,
    Interest,
    Motion,
    MotionComment,
    SeatTerm,
)
from governance.tests.ballot_samples import SAMPLES as BALLOT_SAMPLES
from governance.tests.bylaws_samples import SAMPLES as BYLAWS_SAMPLES
from governance.tests.election_samples import SAMPLES as ELECTION_SAMPLES
from governance.tests.meeting_samples import SAMPLES as MEETING_SAMPLES
from portal.accounts.demonstration import person


def _of_state(state: str, body: str = "board") -> Motion:
    return Motion.objects.filter(state=state, body__slug=body, proposal__isnull=True)[0]


def _at(name: str, state: str) -> str:
    return reverse(f"governance:{name}", args=[_of_state(state).reference])


def _board_page(name: str, *, seat: int | None = None) -> str:
    return reverse(f"governance:{name}", args=["board"] if seat is None else ["board", seat])


def _of_bob(name: str) -> str:
    return reverse(f"governance:{name}", args=[person("Bob Okafor").pk])


def _declared(name: str) -> str:
    model = {"affiliation": Affiliation, "interest": Interest}[name]
    return reverse(f"governance:{name}", args=[model._default_manager.all()[0].pk])


def _term() -> SeatTerm:
    return SeatTerm.objects.filter(user=person("Bob Okafor"), until__isnull=False)[0]


def _of_rules(name: str, version: int = 2) -> str:
    return reverse(f"governance:{name}", args=["board", "ordinary", version])


def _discussed(name: str, *more: object) -> str:
    return reverse(f"governance:{name}", args=[_of_state("discussion").reference, *more])


def _comment() -> int:
    return MotionComment.objects.filter(motion=_of_state("discussion"))[0].pk


def _in_writing(name: str, *, is_effective: bool = False) -> str:
    consent = Consent.objects.filter(effective_at__isnull=not is_effective)[0]
    return reverse(f"governance:{name}", args=[consent.motion.reference])


SAMPLES = {
    "governance:consent_open": lambda: _at("consent_open", "draft"),
    "governance:consent_sign": lambda: _in_writing("consent_sign"),
    "governance:consent_revoke": lambda: _in_writing("consent_revoke"),
    "governance:consent_certificate": lambda: _in_writing("consent_certificate", is_effective=True),
    "governance:consensus_call": lambda: reverse(
        "governance:consensus_call", args=[_of_state("draft", "council").reference]
    ),
    "governance:consensus_speak": lambda: reverse(
        "governance:consensus_speak", args=[Consensus.objects.all()[0].motion.reference]
    ),
    "governance:body_edit": lambda: _board_page("body_edit"),
    "governance:body_dissolve": lambda: _board_page("body_dissolve"),
    "governance:terms_csv": lambda: _board_page("terms_csv"),
    "governance:terms_ics": lambda: _board_page("terms_ics"),
    "governance:seats": lambda: _board_page("seats"),
    "governance:seat_new": lambda: _board_page("seat_new"),
    "governance:seat_edit": lambda: _board_page("seat_edit", seat=8),
    "governance:seat_abolish": lambda: _board_page("seat_abolish", seat=8),
    "governance:term_new": lambda: _board_page("term_new", seat=8),
    "governance:term_end": lambda: reverse("governance:term_end", args=[_term().pk]),
    "governance:person": lambda: _of_bob("person"),
    "governance:affiliation_new": lambda: _of_bob("affiliation_new"),
    "governance:interest_new": lambda: _of_bob("interest_new"),
    "governance:affiliation": lambda: _declared("affiliation"),
    "governance:interest": lambda: _declared("interest"),
    "governance:body": lambda: reverse("governance:body", args=["council"]),
    "governance:body_json": lambda: reverse("governance:body_json", args=["council"]),
    "governance:motion": lambda: _at("motion", "adopted"),
    "governance:motion_json": lambda: _at("motion_json", "adopted"),
    "governance:motion_edit": lambda: _at("motion_edit", "draft"),
    "governance:motion_second": lambda: _at("motion_second", "draft"),
    "governance:motion_open": lambda: _at("motion_open", "draft"),
    "governance:motion_withdraw": lambda: _at("motion_withdraw", "draft"),
    "governance:motion_vote": lambda: _at("motion_vote", "open"),
    "governance:ready_set": lambda: reverse("governance:ready_set", args=["debian"]),
    "governance:ready_what_if": lambda: reverse(
        "governance:ready_what_if", args=["members-and-contributors", "bylaws"]
    ),
    "governance:rule_set_current": lambda: reverse(
        "governance:rule_set_current", args=["board", "ordinary"]
    ),
    "governance:rule_set": lambda: _of_rules("rule_set"),
    "governance:rule_set_json": lambda: _of_rules("rule_set_json"),
    "governance:rule_what_if": lambda: _of_rules("rule_what_if"),
    "governance:rule_set_next": lambda: _of_rules("rule_set_next"),
    "governance:rule_set_correct": lambda: _of_rules("rule_set_correct", 3),
    **BALLOT_SAMPLES,
    **BYLAWS_SAMPLES,
    **MEETING_SAMPLES,
    **ELECTION_SAMPLES,
    "governance:motion_discuss": lambda: _at("motion_discuss", "draft"),
    "governance:motion_hold": lambda: _discussed("motion_hold"),
    "governance:motion_resume": lambda: _at("motion_resume", "on_hold"),
    "governance:motion_comment": lambda: _discussed("motion_comment"),
    "governance:comment_hide": lambda: _discussed("comment_hide", _comment()),
    "governance:amendment_new": lambda: _discussed("amendment_new"),
    "governance:amendment_answer": lambda: _discussed("amendment_answer", 1),
    "governance:amendment_vote": lambda: _discussed("amendment_vote", 1),
    "governance:meeting_vote": lambda: _at("meeting_vote", "draft"),
    "governance:motion_redactions": lambda: _at("motion_redactions", "adopted"),
    "governance:motion_roll": lambda: _at("motion_roll", "open"),
    "governance:motion_delivery": lambda: _at("motion_delivery", "open"),
}
