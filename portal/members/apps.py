from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MembersConfig(AppConfig):
    name = "portal.members"
    label = "members"
    verbose_name = _("Members")

    def ready(self) -> None:
        from portal.accounts import scopes
        from portal.accounts.roles import Scope
        from portal.members.belongings import hand_in
        from portal.members.models import Organisation

        scopes.offer(Scope.ORGANISATION, lambda: Organisation.objects.values_list("slug", "name"))
        hand_in("portal.members.own_belongings")
