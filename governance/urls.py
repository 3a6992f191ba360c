"""Pages of this app."""

from django.urls import path

from governance.feeds import ResolutionFeed
from governance.views import body, draft, motion, vote

app_name = "governance"

urlpatterns = [
    path("governance/", body.overview, name="overview"),
    path("governance/board/", body.board, name="board"),
    path("governance/bodies/<slug:slug>/", body.body_detail, name="body"),
    path("governance/bodies/<slug:slug>.json", body.body_json, name="body_json"),
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
]
