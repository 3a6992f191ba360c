"""The demonstration logins again, with the codes of this moment."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal import demonstration
from portal.accounts import demonstration as people
from portal.accounts.models import User


class Command(BaseCommand):
    help = "Print the demonstration logins with the codes of their second factors as they are now."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="*", help="first names of others, such as hiro")

    def handle(self, *args: Any, name: list[str], **options: Any) -> None:
        if not demonstration.allowed():
            raise CommandError("This installation has no demonstration logins.")
        self.stdout.write("\n".join(people.told(self._asked_for(name) or people.CAST)))

    def _asked_for(self, names: list[str]) -> list[people.Login]:
        addresses = [people.address(name) for name in names]
        known = {user.email: user.name for user in User.objects.filter(email__in=addresses)}
        if unknown := [one for one in addresses if one not in known]:
            raise CommandError(f"Nobody of the demonstration is {', '.join(unknown)}.")
        return [people.Login(known[one], known[one]) for one in addresses]
