"""The words around the text of bylaws: what cannot be read, what changed, what is no typo."""

from django.utils.translation import gettext as _

from governance.bylaws.changes import How
from governance.bylaws.text import Fault, UnreadableError
from governance.bylaws.typo import LETTERS, LONGEST, Objection


def fault(error: UnreadableError) -> str:
    """What is wrong with a text, where, and what to write instead."""
    told = {
        Fault.EMPTY: _("There is no article. Begin each with a line such as “## 4. The board”."),
        Fault.HEADING: _(
            "The heading “%(number)s” has no number. Write it as “## 4. The board”; a heading"
            " inside an article begins with ###."
        ),
        Fault.TWICE: _("The number %(number)s was used before. Each stands once."),
        Fault.ELSEWHERE: _(
            "Clause %(number)s stands in an article of another number. If it is no clause, do not"
            " begin the paragraph with the number."
        ),
        Fault.NO_GAP: _(
            "Clause %(number)s follows a line of text. Leave an empty line before it; if it is no"
            " clause, break the line elsewhere."
        ),
        Fault.NO_WORDS: _("Clause %(number)s has no words."),
        Fault.OUTSIDE: _("Clause %(number)s stands before the first article."),
    }[error.fault] % {"number": error.number}
    return _("Line %(line)s: %(problem)s") % {"line": error.line, "problem": told}


def how(change: How) -> str:
    return {
        How.SAME: _("Unchanged"),
        How.RENUMBERED: _("Other number"),
        How.CHANGED: _("Changed"),
        How.ADDED: _("New"),
        How.REMOVED: _("Removed"),
    }[change]


def objection(found: Objection) -> str:
    """Why this is no correction of spelling, and what to do instead."""
    return {
        Objection.NO_CLAUSE: _("There is no such clause in this version."),
        Objection.NOTHING: _("Write what it reads and what it should read; the two must differ."),
        Objection.NOT_FOUND: _(
            "The clause does not read so. Copy the words from the clause, as they stand there."
        ),
        Objection.TWICE: _(
            "These words stand in the clause more than once. Take some words around them too."
        ),
        Objection.LONG: _(
            "That is more than a typo: at most %(letters)s letters of at most %(longest)s may"
            " change without a vote. Propose a change of the bylaws."
        )
        % {"letters": LETTERS, "longest": LONGEST},
        Objection.FIGURES: _("A figure is never a typo. Propose a change of the bylaws."),
        Objection.WEIGHTY: _(
            "Words such as “shall”, “may”, “not” and “all” decide what a clause means. Propose a"
            " change of the bylaws."
        ),
    }[found]


def place(anchor: str) -> str:
    """`c4.2` as people say it."""
    if anchor == "":
        return _("the whole proposal")
    if anchor.startswith("was-"):
        return _("what was %(place)s") % {"place": place(anchor.removeprefix("was-"))}
    if anchor == "preamble":
        return _("the preamble")
    words = _("article %(number)s") if anchor[0] == "a" else _("clause %(number)s")
    return words % {"number": anchor[1:]}
