"""Pages of this app."""

from django.urls import include, path

from governance.bylaws import urls as bylaws_urls
from governance.elections import urls as elections
from governance.meetings import urls as meetings
from governance.motions.feeds import ResolutionFeed
from governance.rules import urls as rule_urls
from governance.views import (
    affirmation,
    amendment,
    body,
    bundle,
    consensus,
    consent,
    declaration,
    discussion,
    draft,
    founding,
    interest,
    keeping,
    meeting_vote,
    motion,
    person,
    resolution,
    roll,
    seat,
    term,
    vote,
)

app_name = "governance"

MOTION = "governance/motions/<slug:reference>/"
OF_MOTION = [
    path(f"{MOTION}discuss/", discussion.motion_discuss, name="motion_discuss"),
    path(f"{MOTION}hold/", discussion.motion_hold, name="motion_hold"),
    path(f"{MOTION}resume/", discussion.motion_resume, name="motion_resume"),
    path(f"{MOTION}comments/", discussion.motion_comment, name="motion_comment"),
    path(f"{MOTION}comments/<int:pk>/hide/", discussion.comment_hide, name="comment_hide"),
    path(f"{MOTION}amendments/new/", amendment.amendment_new, name="amendment_new"),
    path(f"{MOTION}amendments/<int:number>/", amendment.amendment_answer, name="amendment_answer"),
    path(f"{MOTION}amendments/<int:number>/vote/", amendment.amendment_vote, name="amendment_vote"),
    path(f"{MOTION}meeting-vote/", meeting_vote.meeting_vote, name="meeting_vote"),
    path(f"{MOTION}consent/", consent.consent_open, name="consent_open"),
    path(f"{MOTION}sign/", consent.consent_sign, name="consent_sign"),
    path(f"{MOTION}revoke/", consent.consent_revoke, name="consent_revoke"),
    path(f"{MOTION}certificate.pdf", consent.consent_certificate, name="consent_certificate"),
    path(f"{MOTION}consensus/", consensus.consensus_call, name="consensus_call"),
    path(f"{MOTION}position/", consensus.consensus_speak, name="consensus_speak"),
    path(f"{MOTION}redactions/", keeping.redactions, name="motion_redactions"),
    path(f"{MOTION}delivery/", keeping.delivery, name="motion_delivery"),
    path(f"{MOTION}roll/", roll.motion_roll, name="motion_roll"),
]

urlpatterns = [
    path("governance/", body.overview, name="overview"),
    path("governance/board/", body.board, name="board"),
    path("governance/bodies/", body.body_list, name="bodies"),
    path("governance/bodies/new/", founding.body_new, name="body_new"),
    path("governance/bodies/<slug:slug>/", body.body_detail, name="body"),
    path("governance/bodies/<slug:slug>/edit/", founding.body_edit, name="body_edit"),
    path("governance/bodies/<slug:slug>/dissolve/", founding.body_dissolve, name="body_dissolve"),
    path("governance/bodies/<slug:slug>/terms.csv", term.term_csv, name="terms_csv"),
    path("governance/bodies/<slug:slug>/terms.ics", term.term_ics, name="terms_ics"),
    path("governance/bodies/<slug:slug>/seats/", seat.seat_list, name="seats"),
    path("governance/bodies/<slug:slug>/seats/new/", seat.seat_new, name="seat_new"),
    path("governance/bodies/<slug:slug>/seats/<int:number>/", seat.seat_edit, name="seat_edit"),
    path(
        "governance/bodies/<slug:slug>/seats/<int:number>/abolish/",
        seat.seat_abolish,
        name="seat_abolish",
    ),
    path("governance/bodies/<slug:slug>/seats/<int:number>/fill/", term.term_new, name="term_new"),
    path("governance/terms/<int:pk>/end/", term.term_end, name="term_end"),
    path("governance/affirmation/", affirmation.affirmation, name="affirmation"),
    path("governance/own/", person.own, name="own"),
    path("governance/own/letters/", person.own_letters, name="own_letters"),
    path("governance/people/<int:pk>/", person.person, name="person"),
    path(
        "governance/people/<int:pk>/affiliations/new/",
        declaration.affiliation_new,
        name="affiliation_new",
    ),
    path(
        "governance/people/<int:pk>/interests/new/", declaration.interest_new, name="interest_new"
    ),
    path("governance/affiliations/<int:pk>/", declaration.affiliation, name="affiliation"),
    path("governance/interests/", interest.interest_list, name="interests"),
    path("governance/interests.csv", interest.interest_csv, name="interests_csv"),
    path("governance/interests/<int:pk>/", declaration.interest, name="interest"),
    path("governance/bodies/<slug:slug>.json", body.body_json, name="body_json"),
    path("governance/decisions/", bundle.decisions, name="decisions"),
    path("governance/decisions.zip", bundle.decisions_zip, name="decisions_zip"),
    path("governance/decisions.json", bundle.decisions_json, name="decisions_json"),
    path("governance/motions/", motion.motion_list, name="motions"),
    path("governance/motions.csv", motion.motion_csv, name="motions_csv"),
    path("governance/motions/feed.atom", ResolutionFeed(), name="feed"),
    path("governance/motions/new/", draft.motion_new, name="motion_new"),
    path("governance/motions/<slug:reference>/", motion.motion_detail, name="motion"),
    path("governance/motions/<slug:reference>.json", motion.motion_json, name="motion_json"),
    path("governance/motions/<slug:reference>/edit/", draft.motion_edit, name="motion_edit"),
    path("governance/motions/<slug:reference>/second/", draft.motion_second, name="motion_second"),
    path("governance/motions/<slug:reference>/open/", draft.motion_open, name="motion_open"),
    path(
        "governance/motions/<slug:reference>/withdraw/",
        draft.motion_withdraw,
        name="motion_withdraw",
    ),
    path("governance/motions/<slug:reference>/vote/", vote.motion_vote, name="motion_vote"),
    path("governance/rules/", include(rule_urls.urlpatterns)),
    path("governance/bylaws/", include(bylaws_urls.urlpatterns)),
    *meetings.patterns,
    *elections.patterns,
    *OF_MOTION,
    path("governance/resolutions/", resolution.resolution_list, name="resolutions"),
    path("governance/resolutions.csv", resolution.resolution_csv, name="resolutions_csv"),
]
