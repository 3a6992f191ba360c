from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BooksConfig(AppConfig):
    name = "portal.books"
    label = "books"
    verbose_name = _("Books")

    def ready(self) -> None:
        from portal.members.belongings import hand_in

        hand_in("portal.books.belongings")
