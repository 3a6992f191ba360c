"""What letters of elections are told about the rows: the reader, the election, where to read on."""

from django.conf import settings

from governance.elections.letter import Of, Reader, about
from governance.models import Election
from portal.accounts.models import User


def reader(user: User) -> Reader:
    return Reader(str(user), user.email, f"user-{user.pk}", user.language)


def of(election: Election) -> Of:
    return Of(election.name, election.title)


def about_election(election: Election) -> str:
    """What its letters are about, in the words of the outbox."""
    return about(of(election))


def link(election: Election, rest: str = "") -> str:
    """The address of its page, or of one below it, as it stands in a letter."""
    return f"{settings.BASE_URL}{election.get_absolute_url()}{rest}"
