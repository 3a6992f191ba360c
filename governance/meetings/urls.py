"""Addresses of meetings, their minutes and action items; `governance/urls.py` takes them in."""

from django.urls import path, re_path

from governance.views import (
    action_item,
    action_list,
    attendance,
    feed,
    meeting,
    meeting_plan,
    minutes,
)

HERE = "governance/meetings/<slug:slug>/"

patterns = [
    path("governance/meetings/", meeting.meeting_list, name="meetings"),
    path("governance/meetings.ics", meeting.calendar, name="meetings_ics"),
    path("governance/meetings/feed.<str:form>", feed.meetings, name="meetings_feed"),
    path("governance/bodies/<slug:body>/meetings.ics", meeting.calendar, name="body_meetings_ics"),
    path("governance/meetings/new/", meeting_plan.meeting_new, name="meeting_new"),
    path("governance/meetings/import/", minutes.record_import, name="meeting_import"),
    path(HERE, meeting.meeting_detail, name="meeting"),
    path("governance/meetings/<slug:slug>.json", meeting.meeting_json, name="meeting_json"),
    path("governance/meetings/<slug:slug>.ics", meeting.meeting_ics, name="meeting_ics"),
    path(f"{HERE}edit/", meeting_plan.meeting_edit, name="meeting_edit"),
    path(f"{HERE}announce/", meeting_plan.meeting_announce, name="meeting_announce"),
    path(f"{HERE}cancel/", meeting_plan.meeting_cancel, name="meeting_cancel"),
    path(f"{HERE}agenda/", meeting_plan.meeting_agenda, name="meeting_agenda"),
    path(f"{HERE}agenda/<int:position>/", meeting_plan.agenda_item, name="agenda_item"),
    path(f"{HERE}agenda/<int:position>/move/", meeting_plan.agenda_move, name="agenda_move"),
    path(f"{HERE}attendance/", attendance.meeting_attendance, name="meeting_attendance"),
    path(
        f"{HERE}attendance/<int:pk>/remove/",
        attendance.attendance_remove,
        name="attendance_remove",
    ),
    path(f"{HERE}record/", minutes.meeting_record, name="meeting_record"),
    path(f"{HERE}record.md", minutes.record_file, name="record_file"),
    path(f"{HERE}record/text/", minutes.record_import, name="record_import"),
    path(f"{HERE}actions/", action_item.action_give, name="action_give"),
    path(f"{HERE}minutes/", minutes.minutes_draft, name="minutes_draft"),
    path(f"{HERE}minutes/<int:number>/", minutes.minutes_detail, name="minutes"),
    path(f"{HERE}minutes/<int:number>/move/", minutes.minutes_move, name="minutes_move"),
    re_path(
        r"^governance/meetings/(?P<slug>[-\w]+)/minutes/(?P<number>\d{1,5})\.(?P<form>md|pdf)$",
        minutes.minutes_file,
        name="minutes_file",
    ),
    path("governance/actions/", action_list.action_list, name="actions"),
    path("governance/actions.csv", action_list.action_csv, name="actions_csv"),
    re_path(
        r"^governance/actions/(?P<pk>\d{1,18})/(?P<act>done|reopen|drop|move)/$",
        action_item.action_act,
        name="action_act",
    ),
]
