from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PortalConfig(AppConfig):
    """The composition root: commands, system checks and jobs that join the apps."""

    name = "portal"
    label = "portal"
    verbose_name = _("Portal")

    def ready(self) -> None:
        from portal import checks  # noqa: F401  (registers the system checks)
