"""Letters to scrutineers and officers: one thing to do each, by when, and what not to lose."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections.letter import Of, Reader, Words, letter, to_reader
from portal.lib.outbox import Letter


@to_reader
def make_key(
    reader: Reader, election: Of, *, needed: int, shares: int, until: datetime, link: str
) -> Letter:
    """To a scrutineer, before the shares are given out."""
    words = Words(
        subject=_("Make your key as scrutineer: %(title)s") % {"title": election.title},
        said=[
            _(
                "you are a scrutineer of this election. The ballots can only be opened with the "
                "shares of %(needed)s of %(shares)s scrutineers; one share is yours."
            )
            % {"needed": needed, "shares": shares},
            _(
                "First your browser makes a key, to which your share will be sealed for you alone. "
                "You keep it in a file. It takes five minutes."
            ),
        ],
        facts=[(_("Until"), in_words(until))],
        action=_("Make your key"),
        link=link,
        after=[_("Use a computer of your own. Nobody from the foundation ever asks for the file.")],
    )
    return letter("make-key", reader, election, words)


@to_reader
def confirm_share(reader: Reader, election: Of, *, until: datetime, link: str) -> Letter:
    """To a scrutineer, once the shares are given out and before anything is fixed."""
    words = Words(
        subject=_("Confirm your share: %(title)s") % {"title": election.title},
        said=[
            _(
                "your share is ready. Open it once with your file, so that everybody knows before "
                "the vote that it can be opened after it."
            ),
            _("The election cannot begin until every scrutineer has confirmed."),
        ],
        facts=[(_("Until"), in_words(until))],
        action=_("Confirm your share"),
        link=link,
        after=[_("Keep the file until the result is final.")],
    )
    return letter("confirm-share", reader, election, words)


@to_reader
def open_share(
    reader: Reader,
    election: Of,
    *,
    needed: int,
    got: int,
    until: datetime,
    link: str,
    day: str = "",
) -> Letter:
    """To a scrutineer, after the close. `day` tells one reminder from the next."""
    words = Words(
        subject=_("Open your share: %(title)s") % {"title": election.title},
        said=[
            _("the vote is over. Your share is needed now, so that the ballots can be counted."),
            _("With your file it takes a minute."),
        ],
        facts=[
            (_("Shares"), _("%(got)s of %(needed)s") % {"got": got, "needed": needed}),
            (_("Until"), in_words(until)),
        ],
        action=_("Open your share"),
        link=link,
        after=[
            _(
                "If you have lost the file, say so on the same page at once: the other scrutineers "
                "may be enough, and everybody should know early."
            )
        ],
    )
    return letter("open-share", reader, election, words, more=day)


@to_reader
def make_officer_key(reader: Reader, election: Of, *, until: datetime, link: str) -> Letter:
    """To an officer, before the manifest is written."""
    words = Words(
        subject=_("Make your key as officer: %(title)s") % {"title": election.title},
        said=[
            _(
                "you are an officer of this election: you will sign what is fixed for it. Your "
                "browser makes the key for it."
            ),
            _(
                "With the key your browser draws a hidden number. Only its hash is shown before "
                "the vote; you tell it after the close, and from the numbers of all officers comes "
                "the lot, should one be needed."
            ),
        ],
        facts=[(_("Until"), in_words(until))],
        action=_("Make your key"),
        link=link,
        after=[_("Keep the file: it holds the key and the number.")],
    )
    return letter("officer-key", reader, election, words)


@to_reader
def sign_manifest(
    reader: Reader, election: Of, *, digest: str, opens: datetime, link: str
) -> Letter:
    """To an officer: everything that is fixed, with its hash."""
    words = Words(
        subject=_("Sign the manifest: %(title)s") % {"title": election.title},
        said=[
            _(
                "the manifest says what is fixed for this election: the roll, who stands, the "
                "rules, all keys. Read it, and sign it if it is right. Two officers sign; nothing "
                "in it can change afterwards."
            ),
        ],
        facts=[
            (_("Voting opens"), in_words(opens)),
            (_("SHA-256 of the manifest"), _in_pieces(digest)),
        ],
        action=_("Read and sign"),
        link=link,
    )
    return letter("sign", reader, election, words, more=digest[:16])


def _in_pieces(digest: str) -> str:
    """So that it wraps on a phone and can be compared."""
    return " ".join(digest[at : at + 16] for at in range(0, len(digest), 16))


@to_reader
def tell_number(
    reader: Reader, election: Of, *, until: datetime, link: str, day: str = ""
) -> Letter:
    """To an officer, after the close. `day` tells one reminder from the next."""
    words = Words(
        subject=_("Tell your hidden number: %(title)s") % {"title": election.title},
        said=[
            _(
                "the vote is over, and nothing can be counted before all officers have told their "
                "hidden numbers. The hashes are in the manifest, so nobody can tell another one."
            ),
        ],
        facts=[(_("Until"), in_words(until))],
        action=_("Tell your hidden number"),
        link=link,
        after=[_("You need the file that you kept when you made your key.")],
    )
    return letter("number", reader, election, words, more=day)
