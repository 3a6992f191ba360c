from django.apps import AppConfig
from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

from portal.lib import money


class LibConfig(AppConfig):
    name = "portal.lib"
    label = "lib"
    verbose_name = _("Log and letters")

    def ready(self) -> None:
        money.read_marks_from(_marks_of_numbers)


def _marks_of_numbers() -> tuple[str, str]:
    return get_format("THOUSAND_SEPARATOR"), get_format("DECIMAL_SEPARATOR")
