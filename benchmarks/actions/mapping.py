"""Remembering what a person said of the parts of names, so that they say it once."""

from __future__ import annotations

from benchmarks import mapping
from benchmarks.models import NameMapping
from portal.accounts.models import User


def remember_roles(*, actor: User, kind: str, roles: mapping.Roles) -> None:
    """A preference of one person; nothing of the foundation changes: no audit row."""
    before, _created = NameMapping.objects.get_or_create(user=actor, format=kind)
    said = {**before.roles, **{str(count): list(words) for count, words in roles.items()}}
    NameMapping.objects.filter(pk=before.pk).update(roles=said)


def remembered_roles(*, user: User, kind: str) -> dict[int, list[str]]:
    """What this person said last time of files of this format."""
    found = NameMapping.objects.filter(user=user, format=kind).first()
    if found is None:
        return {}
    return {
        int(count): list(words)
        for count, words in found.roles.items()
        if len(words) == int(count) and all(word in mapping.ROLES for word in words)
    }
