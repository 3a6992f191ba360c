"""Writing the rules that a body decides by: always a new version once one was used."""

from django.db import transaction
from django.utils.translation import gettext as _

from governance.models import Body, RuleSet
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def write_rule_set(*, actor: User | None, rule_set: RuleSet) -> RuleSet:
    """Keep the next version of a body's rules for a subject."""
    Body.objects.select_for_update().get(pk=rule_set.body_id)
    versions = RuleSet.objects.filter(body=rule_set.body, subject=rule_set.subject)
    last = versions.order_by("-version").first()
    rule_set.version = last.version + 1 if last else 1
    rule_set.save(force_insert=True)
    audit.record(
        actor=actor,
        verb="rule_set.written",
        subject=rule_set,
        version=rule_set.version,
        since=rule_set.since.isoformat(),
    )
    return rule_set


@transaction.atomic
def change_rule_set(*, actor: User | None, rule_set: RuleSet) -> RuleSet:
    """Correct a version that nothing was opened or called under yet."""
    Body.objects.select_for_update().get(pk=rule_set.body_id)
    if rule_set.is_pinned:
        raise Refusal(_("Votes were opened under this version. Write a new version instead."))
    rule_set.save(force_update=True)
    audit.record(actor=actor, verb="rule_set.changed", subject=rule_set, version=rule_set.version)
    return rule_set
