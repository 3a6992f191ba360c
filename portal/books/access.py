"""Whose pages these are: the treasurer keeps the books, staff may look."""

from django.http import HttpRequest

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role, has_role

keeper = role_required(Role.TREASURER)
reader = role_required(Role.TREASURER, Role.STAFF)


def keeps_books(request: HttpRequest) -> bool:
    """Whether buttons that change something are shown."""
    return has_role(signed_in(request), Role.TREASURER)
