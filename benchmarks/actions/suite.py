"""Defining suites: rows made from data; a changed definition becomes a new version of its case."""

from typing import Final

from django.db import transaction

from benchmarks.models import Case, Suite
from benchmarks.suites import RESERVED, CaseDefinition, SuiteDefinition
from portal.accounts.models import User
from portal.lib import audit

NAMED: Final = ("name", "summary", "source", "is_open")


@transaction.atomic
def define_suite(*, actor: User | None, definition: SuiteDefinition, rename: bool = False) -> Suite:
    """The suite of this address with these cases; what is there already stays as it is.

    With ``rename`` its name, summary and source become those of the definition.
    Raises ValueError for an address that a page of ours has.
    """
    if definition.slug in RESERVED:
        raise ValueError(f"“{definition.slug}” is the address of a page")
    named = {name: getattr(definition, name) for name in NAMED}
    suite, created = Suite.objects.select_for_update().get_or_create(
        slug=definition.slug, defaults={**named, "position": definition.position}
    )
    before = {name: getattr(suite, name) for name in NAMED}
    renamed = rename and before != named
    if renamed:
        Suite.objects.filter(pk=suite.pk).update(**named)
        suite.refresh_from_db()
    known = set(suite.cases.values_list("slug", "definition_hash"))
    new = [case for case in definition.cases if (case.slug, case.hash) not in known]
    added = [_add_case(suite, case) for case in new]
    if created or new or renamed:
        audit.record(
            actor=actor,
            verb="benchmark_suite.define",
            subject=suite,
            cases=[case.slug for case in new],
            versions=[case.version for case in added],
            before=before if renamed else {},
        )
    return suite


def _add_case(suite: Suite, case: CaseDefinition) -> Case:
    earlier = suite.cases.filter(slug=case.slug).order_by("-version").first()
    return Case.objects.create(
        suite=suite,
        slug=case.slug,
        name=case.name,
        version=case.version if earlier is None else max(case.version, earlier.version + 1),
        definition=dict(case.definition),
        definition_hash=case.hash,
        unit=case.unit,
        direction=case.direction,
        position=suite.cases.count(),
    )
