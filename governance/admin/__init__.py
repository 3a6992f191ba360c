"""The staff pages of governance, found by Django through the names here."""

from governance.admin.bodies import BodyAdmin, RuleSetAdmin, SeatAdmin, SeatTermAdmin
from governance.admin.bylaws import BylawsAdmin, VersionAdmin

__all__ = ["BodyAdmin", "BylawsAdmin", "RuleSetAdmin", "SeatAdmin", "SeatTermAdmin", "VersionAdmin"]
