"""What people send about meetings, one module for each noun."""

from governance.meetings.forms.action_item import ActionFilterForm, ActionItemForm, DueForm
from governance.meetings.forms.agenda import AgendaItemForm
from governance.meetings.forms.attendance import AttendanceForm, GuestForm
from governance.meetings.forms.meeting import MeetingForm, ReasonForm, first_times
from governance.meetings.forms.minutes import ImportForm, NoteForm
from governance.meetings.forms.record import RecordForm

__all__ = [
    "ActionFilterForm",
    "ActionItemForm",
    "AgendaItemForm",
    "AttendanceForm",
    "DueForm",
    "GuestForm",
    "ImportForm",
    "MeetingForm",
    "NoteForm",
    "ReasonForm",
    "RecordForm",
    "first_times",
]
