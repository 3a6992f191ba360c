"""The first administrator of an installation, and any later one that the site cannot make."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.urls import reverse

from portal.accounts.actions.account import create_administrator
from portal.accounts.models import User


class Command(BaseCommand):
    help = "Make EMAIL a person of the staff, and print a link to choose the password with, once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="", help="how others see the person")

    def handle(self, *args: Any, email: str, name: str, **options: Any) -> None:
        try:
            validate_email(email)
        except ValidationError as error:
            raise CommandError(f"{email} is no e-mail address.") from error
        user = create_administrator(email=email, name=name)
        self.stdout.write(f"{user.email} has the role staff now.")
        self.stdout.write("Open this link to choose a password; it works once, within an hour:")
        self.stdout.write(password_link(user))
        self.stdout.write("After signing in the site asks for a second factor to be set up.")


def password_link(user: User) -> str:
    """Where that person chooses a password; the link dies with its use."""
    uid, key = user_pk_to_url_str(user), default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": key})
    return f"{settings.BASE_URL}{path}"
