"""Recovery of a lost second factor, by somebody who can reach the server."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.accounts.actions.account import reset_second_factor
from portal.accounts.models import User


class Command(BaseCommand):
    help = "Forget the second factors of EMAIL, sign the person out everywhere, and tell them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--reason", default="", help="how you know who asked; it is kept")

    def handle(self, *args: Any, email: str, reason: str, **options: Any) -> None:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"Nobody has an account with the address {email}.")
        factors = reset_second_factor(actor=None, user=user, reason=reason)
        self.stdout.write(f"{factors} factors of {user.email} are forgotten; a letter tells them.")
        self.stdout.write("At the next page after signing in they set up a new one.")
