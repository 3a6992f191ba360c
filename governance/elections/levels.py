"""What protects a ballot, in words that a voter understands."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from governance.models import Election

LEVELS: dict[str, list[Promise]] = {
    Election.Level.SEALED: [
        _(
            "Your browser seals your ballot before it leaves. It is signed with a pseudonym that "
            "nobody can tie to you, the operator of this site included, and opened only after the "
            "close, when enough scrutineers put their shares of the key together."
        ),
        _(
            "Everybody can count again from what is published, and you can find your own ballot "
            "in it."
        ),
        _(
            "It does not protect you from somebody who makes you vote while they watch, and "
            "whoever could watch the whole network might guess who sent which ballot."
        ),
    ],
    Election.Level.CONFIDENTIAL: [
        _(
            "The portal keeps your ballot beside your name until the count, so that you can look "
            "at it and change it. Those who operate it could see who voted how: you trust them not "
            "to look. With the count it forgets whose ballot is whose."
        ),
        _(
            "Ballots are published without names, so that everybody can count again; with your "
            "receipt you find yours. Who took part is listed apart."
        ),
    ],
}


def of(election: Election) -> list[Promise]:
    return LEVELS[election.level]
