from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "portal.accounts"
    label = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from portal.accounts import receivers  # noqa: F401  (listens to allauth)
