from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LibConfig(AppConfig):
    name = "portal.lib"
    label = "lib"
    verbose_name = _("Log and letters")
