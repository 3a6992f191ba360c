"""What people send, one module for each noun."""

from governance.forms.body import BodyForm, DissolveForm
from governance.forms.declaration import (
    AffiliationForm,
    EndDeclarationForm,
    InterestForm,
    RetractForm,
)
from governance.forms.motion import DeadlineForm, MotionFilterForm, MotionForm, VoteForm
from governance.forms.seat import AbolishForm, SeatForm
from governance.forms.term import EndTermForm, FillForm

__all__ = [
    "AbolishForm",
    "AffiliationForm",
    "BodyForm",
    "DeadlineForm",
    "DissolveForm",
    "EndDeclarationForm",
    "EndTermForm",
    "FillForm",
    "InterestForm",
    "MotionFilterForm",
    "MotionForm",
    "RetractForm",
    "SeatForm",
    "VoteForm",
]
