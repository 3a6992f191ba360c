"""Addresses of elections; `governance/urls.py` takes them in."""

from django.urls import path, re_path

from governance.elections import ballot_urls
from governance.views import candidacy, complaint, election, election_plan, election_roll, feed

HERE = "governance/elections/<slug:name>/"
PERSON = f"{HERE}candidates/<int:pk>/"

patterns = [
    path("governance/elections/", election.election_list, name="elections"),
    path("governance/elections/new/", election_plan.election_new, name="election_new"),
    path("governance/elections/feed.<slug:form>", feed.elections, name="elections_feed"),
    path(HERE, election.election_detail, name="election"),
    path("governance/elections/<slug:name>.json", election.election_json, name="election_json"),
    path("governance/elections/<slug:name>.ics", election.election_ics, name="election_ics"),
    path(f"{HERE}edit/", election_plan.election_edit, name="election_edit"),
    path(f"{HERE}announce/", election_plan.election_announce, name="election_announce"),
    path(f"{HERE}cancel/", election_plan.election_cancel, name="election_cancel"),
    path(f"{HERE}letters/", election.election_letters, name="election_letters"),
    re_path(
        r"^governance/elections/(?P<name>[-\w]+)/nominate/(?P<constituency>contributors|members)/$",
        candidacy.nominate,
        name="nominate",
    ),
    path(PERSON, candidacy.candidacy_detail, name="candidacy"),
    path(f"{PERSON}answer/", candidacy.candidacy_answer, name="candidacy_answer"),
    path(f"{PERSON}second/", candidacy.candidacy_second, name="candidacy_second"),
    path(f"{PERSON}leave/", candidacy.candidacy_leave, name="candidacy_leave"),
    path(f"{PERSON}disqualify/", candidacy.candidacy_disqualify, name="candidacy_disqualify"),
    path(f"{HERE}roll/mine/", election_roll.own_standing, name="own_standing"),
    re_path(
        r"^governance/elections/(?P<name>[-\w]+)/roll/(?P<constituency>contributors|members)/$",
        election_roll.election_roll,
        name="election_roll",
    ),
    re_path(
        r"^governance/elections/(?P<name>[-\w]+)/roll/(?P<constituency>contributors|members)/"
        r"object/$",
        election_roll.roll_object,
        name="roll_object",
    ),
    path(f"{HERE}objections/<int:pk>/", election_roll.objection, name="objection"),
    path(f"{HERE}complaints/", complaint.complaints, name="complaints"),
    path(f"{HERE}complaints/<int:pk>/", complaint.complaint, name="complaint"),
    *ballot_urls.patterns,
]
