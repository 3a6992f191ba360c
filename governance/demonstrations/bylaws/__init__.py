"""The bylaws of the demonstration foundation: three versions, a charter, a change in discussion."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from governance.actions.bylaws import record_version, save_bylaws
from governance.actions.clause_comment import comment_on_clause, hide_clause_comment
from governance.actions.discussion import open_discussion
from governance.actions.motion import second_motion
from governance.actions.proposal import draft_proposal
from governance.actions.typo import decide_typo, report_typo
from governance.demonstrations.acts import Act
from governance.demonstrations.texts import Question
from governance.models import Body, Bylaws, Motion, Proposal, Version
from portal.accounts.demonstration import FRANK, person
from portal.accounts.models import User

FOLDER = Path(__file__).parent
FOUNDATION, COUNCIL = "foundation", "council"
INES, KEMI, JONAS, LENA = "Ines Duarte", "Kemi Adeyemi", "Jonas Weber", "Lena Sorensen"
DANA, PAVEL, MIRA = "Dana Petrova", "Pavel Novak", "Mira Solano"
DAY = timedelta(days=1)


def text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text()


def record(*, actor: User | None, board: Body, founded: date, at: datetime) -> None:
    """What was adopted before votes were held here."""
    foundation = _named(actor, board, FOUNDATION, "Bylaws", "Bylaw", "bylaws", 10)
    charter = _named(
        actor, board, COUNCIL, "Charter of the engineering council", "Charter", "ordinary", 20
    )
    grown = date(at.year - 4, 5, 12)
    for bylaws, name, day, note in (
        (foundation, "foundation-1", founded, "Adopted by the founders"),
        (foundation, "foundation-2", grown, "Adopted by the general meeting: a council, elections"),
        (charter, "council-1", grown, "Adopted by the board with the bylaws of that day"),
    ):
        record_version(
            actor=actor,
            bylaws=bylaws,
            text=text(name),
            adopted_on=day,
            effective_on=day,
            note=note,
        )


def discussed(question: Question, *, at: datetime) -> Motion:
    """The motion of a proposal, discussed for as long as the bylaws ask; its vote opens at `at`."""
    bylaws = Bylaws.objects.get(slug=question.bylaws.partition("-")[0])
    author, other = person(question.by), person(question.second)
    motion = draft_proposal(
        actor=author,
        bylaws=bylaws,
        title=question.title,
        summary=question.summary,
        text=text(question.bylaws),
        at=at - 20 * DAY,
    ).motion
    second_motion(actor=other, motion=motion, at=at - 18 * DAY)
    return open_discussion(actor=author, motion=motion, at=at - 16 * DAY)


def acts(bodies: dict[str, Body], at: datetime) -> Iterator[Act]:
    """A draft that an adopted version has overtaken: both change clause 4.2."""
    yield at - 125 * DAY, partial(_overtaken, at - 125 * DAY)


def _overtaken(at: datetime) -> None:
    one_half = "No more than one half of the directors may be employed by the same organisation."
    three = "No more than three directors may be employed by the same organisation."
    draft_proposal(
        actor=person(MIRA),
        bylaws=Bylaws.objects.get(slug=FOUNDATION),
        title="Count directors of one employer by heads",
        summary="A number is clearer than a share of a board that has vacancies.",
        text=text("foundation-2").replace(one_half, three),
        at=at,
    )


def talk(*, at: datetime) -> None:
    """Slips of spelling, and a change that members discuss."""
    version = Version.objects.in_force(at.date()).get(bylaws__slug=FOUNDATION)
    _typos(version, at)
    _discussed(version.bylaws, at)


def _named(
    actor: User | None, body: Body, slug: str, name: str, cited_as: str, subject: str, place: int
) -> Bylaws:
    bylaws = Bylaws(
        slug=slug, name=name, cited_as=cited_as, body=body, subject=subject, position=place
    )
    return save_bylaws(actor=actor, bylaws=bylaws)


def _typos(version: Version, at: datetime) -> None:
    slip = report_typo(
        actor=person(DANA),
        version=version,
        clause="c3.2",
        wrong="dischages",
        right="discharges",
        at=at - 61 * DAY,
    )
    decide_typo(actor=person(FRANK), typo=slip, accept=True, at=at - 60 * DAY)
    report_typo(
        actor=person(PAVEL),
        version=version,
        clause="c7.1",
        wrong="as its its tier",
        right="as its tier",
        at=at - 3 * DAY,
    )


def _discussed(bylaws: Bylaws, at: datetime) -> None:
    proposal = draft_proposal(
        actor=person(KEMI),
        bylaws=bylaws,
        title="Send the agenda of the general meeting six weeks before",
        summary="Members get the motions in time to discuss them, and may add a matter of their"
        " own.",
        text=text("foundation-4"),
        at=at - 13 * DAY,
    )
    second_motion(actor=person(LENA), motion=proposal.motion, at=at - 12 * DAY)
    open_discussion(actor=person(KEMI), motion=proposal.motion, at=at - 9 * DAY)
    _comments(proposal, at)


def _comments(proposal: Proposal, at: datetime) -> None:
    proposal.motion.refresh_from_db()

    def say(name: str, clause: str, words: str, days: float) -> None:
        comment_on_clause(
            actor=person(name), proposal=proposal, clause=clause, text=words, at=at - days * DAY
        )

    say(JONAS, "c3.1", "Six weeks is long for a motion that is urgent. What of those?", 8)
    first = proposal.comments.get(clause="c3.1")
    comment_on_clause(
        actor=person(KEMI),
        proposal=proposal,
        clause="c3.1",
        text="“That is known by then” leaves room: a later motion is sent when it is known.",
        reply_to=first,
        at=at - 7 * DAY,
    )
    say(DANA, "c3.3", "Twenty of how many? A share would grow with us; 3.4 says a tenth.", 6)
    say(PAVEL, "c3.3", "Vote for my cousin’s company in spring.", 5)
    say(INES, "c3.4", "Ten weeks, because six for the agenda do not fit into six.", 4)
    say(LENA, "", "I like that the whole of article 3 is read at once.", 2)
    hide_clause_comment(
        actor=person(FRANK),
        comment=proposal.comments.get(text__startswith="Vote for"),
        because="Canvassing, not about the clause.",
        at=at - 4.5 * DAY,
    )
