from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SponsorsConfig(AppConfig):
    name = "portal.sponsors"
    label = "sponsors"
    verbose_name = _("Sponsors")

    def ready(self) -> None:
        from portal.members.belongings import hand_in

        hand_in("portal.sponsors.belongings")
