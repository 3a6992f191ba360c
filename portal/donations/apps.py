from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DonationsConfig(AppConfig):
    name = "portal.donations"
    label = "donations"
    verbose_name = _("Donations")
