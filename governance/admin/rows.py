"""What the staff pages of governance have in common."""

from typing import Any

from django.http import HttpRequest


class KeptForever:
    """Rows of the record are ended, never removed."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
