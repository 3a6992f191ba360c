"""What a password may be, beside Django's own rules: as long as people like, and no book."""

from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from portal.accounts.models import User

LONGEST: Final = 128  # characters; hashing longer ones costs us, and protects nobody


class MaximumLengthValidator:
    def validate(self, password: str, user: User | None = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(
                _("A password has at most %(longest)s characters.") % {"longest": LONGEST},
                code="password_too_long",
            )

    def get_help_text(self) -> str:
        return _("It may have up to %(longest)s characters, of any kind.") % {"longest": LONGEST}
