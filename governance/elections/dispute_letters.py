"""Letters about what did not go on: rulings on objections, who left, elections called off."""

from __future__ import annotations

from hashlib import sha256

from django.utils.translation import gettext as _

from governance.elections.letter import Of, Reader, Words, letter, to_reader
from portal.lib.outbox import Letter


@to_reader
def objection_ruled(
    reader: Reader,
    election: Of,
    *,
    reference: str,
    objection: str,
    is_granted: bool,
    ruling: str,
    signed_by: str,
    link: str,
) -> Letter:
    """To who objected to a roll: the ruling, with the name of who ruled."""
    if is_granted:
        said = _("your objection is granted, and the roll is changed.")
    else:
        said = _("your objection is refused; the roll stays as it is.")
    words = Words(
        subject=_("Your objection: %(title)s") % {"title": election.title},
        said=[said, _("The ruling:")],
        quote=ruling,
        facts=[(_("Objection"), objection), (_("Signed by"), signed_by)],
        action=_("The ruling in the log of the election"),
        link=link,
    )
    return letter("objection", reader, election, words, more=reference)


@to_reader
def candidate_left(
    reader: Reader, election: Of, *, reference: str, what: str, contest: str, link: str
) -> Letter:
    """To who runs the election: somebody declined or withdrew. `what` is the sentence."""
    words = Words(
        subject=_("A candidate left: %(title)s") % {"title": election.title},
        said=[
            what,
            _("A name that is on the ballot already stays there; the result is told without it."),
        ],
        facts=[(_("For"), contest)],
        action=_("Who stands now"),
        link=link,
    )
    return letter("left", reader, election, words, more=reference)


@to_reader
def disqualified(
    reader: Reader, election: Of, *, reference: str, contest: str, reason: str, link: str
) -> Letter:
    """To who may not stand: which rule excludes them, and what they can do about it."""
    words = Words(
        subject=_("You cannot stand: %(title)s") % {"title": election.title},
        said=[
            _("those who run the election have disqualified you. Everybody reads the reason:"),
        ],
        quote=reason,
        facts=[(_("For"), contest)],
        action=_("Your nomination"),
        link=link,
        after=[_("If it is wrong, make a complaint on the page of the election: it is ruled on.")],
    )
    return letter("disqualified", reader, election, words, more=reference)


@to_reader
def called_off(reader: Reader, election: Of, *, because: str, link: str) -> Letter:
    """To everybody on the rolls: there will be no result, and why."""
    words = Words(
        subject=_("Called off: %(title)s") % {"title": election.title},
        said=[
            _("this election is called off. There will be no result, and you have nothing to do."),
            _("The reason:"),
        ],
        quote=because,
        action=_("What was done so far"),
        link=link,
    )
    return letter("called-off", reader, election, words)


@to_reader
def count_unsound(reader: Reader, election: Of, *, fault: str, link: str) -> Letter:
    """To who runs the election: what was handed over for the count does not agree with what was
    signed. `fault` is what the check found.
    """
    words = Words(
        subject=_("Not counted: %(title)s") % {"title": election.title},
        said=[
            _(
                "what was handed over for the count does not agree with what was signed, so "
                "nothing is published. Change nothing; look into it with who operates the portal "
                "and with the scrutineers. It is tried again by itself."
            ),
            _("What the check found:"),
        ],
        quote=fault,
        action=_("The election"),
        link=link,
    )
    return letter("unsound", reader, election, words, more=sha256(fault.encode()).hexdigest()[:16])
