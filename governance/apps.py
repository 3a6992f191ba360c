from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GovernanceConfig(AppConfig):
    name = "governance"
    label = "governance"
    verbose_name = _("Governance")

    def ready(self) -> None:
        from governance.models import Body
        from portal.accounts import scopes
        from portal.accounts.roles import Scope
        from portal.members.belongings import hand_in

        scopes.offer(Scope.BODY, lambda: Body.objects.values_list("slug", "name"))
        hand_in("governance.belongings")
