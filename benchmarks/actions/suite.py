"""Defining suites: rows made from data; a changed definition becomes a new version of its case."""

from django.db import transaction

from benchmarks.models import Case, Suite
from benchmarks.suites import RESERVED, CaseDefinition, SuiteDefinition
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def define_suite(*, actor: User | None, definition: SuiteDefinition) -> Suite:
    """The suite of this address with these cases; what is there already stays as it is.

    Raises ValueError for an address that a page of ours has.
    """
    if definition.slug in RESERVED:
        raise ValueError(f"“{definition.slug}” is the address of a page")
    suite, created = Suite.objects.get_or_create(
        slug=definition.slug,
        defaults={
            "name": definition.name,
            "summary": definition.summary,
            "source": definition.source,
            "is_open": definition.is_open,
            "position": definition.position,
        },
    )
    known = set(suite.cases.values_list("slug", "definition_hash"))
    new = [case for case in definition.cases if (case.slug, case.hash) not in known]
    for case in new:
        _add_case(suite, case)
    if created or new:
        audit.record(
            actor=actor,
            verb="benchmark_suite.define",
            subject=suite,
            cases=[case.slug for case in new],
        )
    return suite


def _add_case(suite: Suite, case: CaseDefinition) -> None:
    earlier = suite.cases.filter(slug=case.slug).order_by("-version").first()
    Case.objects.create(
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
