"""Whose pages these are: editors write the news, and so may staff."""

from portal.accounts.access import role_required
from portal.accounts.roles import Role

EDITORS = (Role.EDITOR, Role.STAFF)
editor = role_required(*EDITORS)
