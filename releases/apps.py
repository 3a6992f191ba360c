from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReleasesConfig(AppConfig):
    name = "releases"
    label = "releases"
    verbose_name = _("Releases")

    def ready(self) -> None:
        from portal.accounts import scopes
        from portal.accounts.roles import Scope
        from portal.members.belongings import hand_in
        from releases.models import Product

        scopes.offer(Scope.PRODUCT, lambda: Product.objects.values_list("slug", "name"))
        hand_in("releases.belongings")
