"""Letters to members, voters and candidates of an election, from nominations to its result.

Each function says one letter in plain values and gives it back; whoever acts promises them by
`outbox.enqueue_all`, a whole roll at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.clock import in_words
from governance.elections.letter import Of, Reader, Words, letter, to_reader
from portal.lib.outbox import Letter


@to_reader
def nominations_open(
    reader: Reader, election: Of, *, contests: Sequence[str], until: datetime, link: str
) -> Letter:
    """`contests` are their titles, with the number of seats where that helps."""
    words = Words(
        subject=_("Who should stand? %(title)s") % {"title": election.title},
        said=[
            _("an election begins: %(title)s.") % {"title": election.title},
            _(
                "Nominate yourself or somebody else until %(until)s. Whoever is nominated is asked "
                "and decides whether to stand."
            )
            % {"until": in_words(until)},
        ],
        facts=[(_("To be elected"), "; ".join(contests))],
        action=_("Nominate, and see who stands"),
        link=link,
    )
    return letter("nominations", reader, election, words)


@to_reader
def nominated(
    reader: Reader, election: Of, *, contest: str, by: str, until: datetime, link: str
) -> Letter:
    """To who was put forward by somebody else: accept or decline."""
    words = Words(
        subject=_("You are nominated: %(title)s") % {"title": election.title},
        said=[
            _("%(by)s nominated you. You stand only if you accept until %(until)s.")
            % {"by": by, "until": in_words(until)},
            _(
                "When you accept you say for whom you work and may write a statement; voters read "
                "both. If you do nothing, you do not stand."
            ),
        ],
        facts=[(_("Election"), election.title), (_("For"), contest)],
        action=_("Accept or decline"),
        link=link,
    )
    return letter("nominated", reader, election, words, more=contest)


@to_reader
def seconds_needed(
    reader: Reader,
    election: Of,
    *,
    contest: str,
    got: int,
    needed: int,
    until: datetime,
    link: str,
) -> Letter:
    """To a candidate who does not have enough seconds yet."""
    missing = needed - got
    words = Words(
        subject=_("Your nomination needs support: %(title)s") % {"title": election.title},
        said=[
            ngettext(
                "for %(contest)s you still need %(missing)s person who seconds you. Without that "
                "you are not on the ballot.",
                "for %(contest)s you still need %(missing)s people who second you. Without that "
                "you are not on the ballot.",
                missing,
            )
            % {"contest": contest, "missing": missing},
            _("Send others the link below: whoever may vote for these seats can second you."),
        ],
        facts=[
            (_("Seconds"), _("%(got)s of %(needed)s") % {"got": got, "needed": needed}),
            (_("Until"), in_words(until)),
        ],
        action=_("Your nomination"),
        link=link,
    )
    return letter("seconds", reader, election, words, more=f"{contest}:{got}")


@to_reader
def roll_shown(
    reader: Reader,
    election: Of,
    *,
    votes: Sequence[str],
    reasons: Sequence[str] = (),
    until: datetime,
    link: str,
) -> Letter:
    """`votes` are the contests in which they vote, and for whom; none, and `reasons` say why."""
    if votes:
        subject = _("You can vote: %(title)s")
        said = [_("the roll of this election is drawn up, and you are on it.")]
        facts = [(_("You vote in"), "; ".join(votes)), *((_("Not"), why) for why in reasons)]
    else:
        subject = _("You are not on the roll: %(title)s")
        said = [_("the roll of this election is drawn up, and you are not on it.")]
        facts = [(_("Why"), why) for why in reasons]
    said.append(
        _(
            "If something in it is wrong, about you or about somebody else, object until %(until)s "
            "and say why. After that it is fixed for this election."
        )
        % {"until": in_words(until)}
    )
    words = Words(
        subject=subject % {"title": election.title},
        said=said,
        facts=facts,
        action=_("The roll, and how to object"),
        link=link,
    )
    return letter("roll", reader, election, words, more="on" if votes else "off")


@to_reader
def voting_open(
    reader: Reader,
    election: Of,
    *,
    votes: Sequence[str],
    closes: datetime,
    is_sealed: bool,
    link: str,
) -> Letter:
    said = [
        _("the vote is open until %(closes)s. You can change your vote until then.")
        % {"closes": in_words(closes)},
    ]
    after = []
    if is_sealed:
        said.append(
            _(
                "Your ballot is sealed in your browser and cast without your name; what that "
                "protects from, and what not, stands on its page. You have voted when you see the "
                "receipt, not before."
            )
        )
        after.append(
            _(
                "You get one credential for each vote, once. Keep the recovery file that the page "
                "offers: with it you can change your vote, without it nobody can."
            )
        )
    else:
        said.append(
            _(
                "Who voted is listed, how they voted is not; the operator of the portal is trusted "
                "with that, and the page says so."
            )
        )
    words = Words(
        subject=_("Vote until %(closes)s: %(title)s")
        % {"closes": in_words(closes), "title": election.title},
        said=said,
        facts=[(_("You vote in"), "; ".join(votes))],
        action=_("Vote"),
        link=link,
        after=after,
    )
    return letter("open", reader, election, words)


@to_reader
def reminder(
    reader: Reader, election: Of, *, closes: datetime, is_sealed: bool, link: str, day: date
) -> Letter:
    """To who has not asked for a credential, or in a confidential election has not voted.

    `day` tells one reminder from the next.
    """
    if is_sealed:
        text = _("you have not asked for your credential yet, so you cannot have voted.")
    else:
        text = _("you have not voted yet.")
    words = Words(
        subject=_("Your vote is missing: %(title)s") % {"title": election.title},
        said=[
            text,
            _(
                "The vote closes on %(closes)s. It takes a few minutes; a blank ballot counts as "
                "having taken part."
            )
            % {"closes": in_words(closes)},
        ],
        action=_("Vote"),
        link=link,
    )
    return letter("reminder", reader, election, words, more=day.isoformat())


@to_reader
def credential_issued(reader: Reader, election: Of, *, contest: str, link: str) -> Letter:
    """To who was signed a pseudonym, so that nobody can ask for it unseen in their place."""
    words = Words(
        subject=_("Your credential was issued: %(title)s") % {"title": election.title},
        said=[
            _("your account was given the credential for one vote. There is no second."),
            _(
                "It is not a vote yet: finish it on the page of the ballot, until you see the "
                "receipt. Whether and how you voted cannot be seen from here."
            ),
        ],
        facts=[(_("For"), contest)],
        action=_("It was not me"),
        link=link,
        after=[
            _(
                "If it was not you, say so by the link at once, change your password and look at "
                "your second factor. Otherwise you have nothing to do."
            )
        ],
    )
    return letter("credential", reader, election, words, more=contest)


@to_reader
def vote_taken(reader: Reader, election: Of, *, contest: str, link: str) -> Letter:
    """To who voted in a confidential election, so that nobody votes unseen in their place."""
    words = Words(
        subject=_("Your vote was taken: %(title)s") % {"title": election.title},
        said=[
            _("your account cast a vote. How it says stands in no letter."),
            _("You can look at it and change it on the page of the ballot until the close."),
        ],
        facts=[(_("For"), contest)],
        action=_("It was not me"),
        link=link,
        after=[
            _(
                "If it was not you, vote again now, which replaces it, say so by the link, change "
                "your password and look at your second factor."
            )
        ],
    )
    return letter("voted", reader, election, words, more=contest)


@to_reader
def closing_soon(reader: Reader, election: Of, *, closes: datetime, link: str) -> Letter:
    """To everybody with a vote whose ballot cannot be seen."""
    words = Words(
        subject=_("Closes on %(closes)s: %(title)s")
        % {"closes": in_words(closes), "title": election.title},
        said=[
            _("the vote closes on %(closes)s. No ballot is taken after that.")
            % {"closes": in_words(closes)},
            _(
                "If you have a receipt, you have voted and have nothing to do. Nobody can see from "
                "here whether you did, so this letter goes to everybody who asked for a credential."
            ),
        ],
        action=_("Vote, or change your vote"),
        link=link,
    )
    return letter("closing", reader, election, words)


@to_reader
def result(
    reader: Reader,
    election: Of,
    *,
    answers: Sequence[tuple[str, str]],
    complaints_until: datetime,
    link: str,
) -> Letter:
    """`answers` are the title of each contest and its result in one sentence."""
    words = Words(
        subject=_("Result: %(title)s") % {"title": election.title},
        said=[_("the votes are counted.")],
        facts=list(answers),
        action=_("Every stage of the count, and how to count again"),
        link=link,
        after=[
            _("Who thinks that something went wrong can complain on the same page until %(until)s.")
            % {"until": in_words(complaints_until)}
        ],
    )
    return letter("result", reader, election, words)


@to_reader
def elected(
    reader: Reader,
    election: Of,
    *,
    contest: str,
    since: date | None,
    until: date | None,
    complaints_until: datetime,
    link: str,
) -> Letter:
    """Congratulations, from when to when, and that a complaint may still change it.

    `since` None: the term begins when the result is declared.
    """
    begins = _day(since) if since else _("on the day on which the result is declared")
    facts = [(_("For"), contest), (_("Term begins"), begins)]
    if until:
        facts.append((_("First day without you"), _day(until)))
    words = Words(
        subject=_("You are elected: %(title)s") % {"title": election.title},
        said=[
            _("you are elected. Congratulations, and thank you for standing."),
            _(
                "The result is final when no complaint is open any more; complaints are taken "
                "until %(until)s."
            )
            % {"until": in_words(complaints_until)},
        ],
        facts=facts,
        action=_("The result"),
        link=link,
        after=[
            _(
                "Before the term begins, declare for whom you work and what could pull you in two "
                "directions; it is public for everybody who holds a seat."
            )
        ],
    )
    return letter("elected", reader, election, words, more=contest)


@to_reader
def complaint_answered(
    reader: Reader,
    election: Of,
    *,
    reference: str,
    is_upheld: bool,
    ruling: str,
    signed_by: Sequence[str],
    link: str,
) -> Letter:
    """To who complained: the ruling of the officers, with their names."""
    said = _("your complaint is upheld.") if is_upheld else _("your complaint is not upheld.")
    words = Words(
        subject=_("Your complaint: %(title)s") % {"title": election.title},
        said=[said, _("The ruling:")],
        quote=ruling,
        facts=[(_("Complaint"), reference), (_("Signed by"), ", ".join(signed_by))],
        action=_("The ruling in the log of the election"),
        link=link,
    )
    return letter("complaint", reader, election, words, more=reference)


def _day(day: date) -> str:
    return formats.date_format(day, "j M Y")
