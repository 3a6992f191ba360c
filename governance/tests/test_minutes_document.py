"""The document of the minutes: written, read back, and told what is wrong with it."""

import hashlib
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.meetings.document import (
    CAME,
    Document,
    Filed,
    Item,
    Kind,
    Person,
    Task,
    moment_of,
)
from governance.meetings.presence import (
    Stay,
    Stretch,
    follow_each_other,
    is_there,
    presence,
    stays,
    without_quorum,
)
from governance.meetings.reading import Fault, Problem, ReadingError, faults_of, read
from governance.meetings.sealing import is_sealed, published, published_text, text_hash
from governance.meetings.writing import write

BEGINS = datetime(2026, 11, 20, 14, tzinfo=UTC)
OUTSIDE = ((time(14, 20), time(14, 30)), (time(14, 40), time(14, 41)))
WHOLE = Document(
    title="Board meeting *in winter*",
    body="board",
    begins=BEGINS,
    ends=BEGINS + timedelta(minutes=90),
    place="Online | hall 2",
    opened=time(14, 3),
    closed=time(15, 21),
    people=(
        Person("Ines Duarte", "seat 1, Chair"),
        Person("Bob Okafor", "seat 2", Kind.PRESENT, time(14, 10), time(15), OUTSIDE),
        Person("Noor | Haddad", "Counsel", Kind.EXCUSED),
    ),
    consents=(Filed("2026-12", "Lend | two machines", BEGINS - timedelta(days=3), "ab" * 32),),
    items=(
        Item("Opening"),
        Item(
            "1. Budget #2",
            about="Income and spending.",
            motion="accept-the-budget",
            presenter="Jonas Weber",
            minutes=20,
            result="Carried as resolution 2026-14.",
            text="Two questions.\n\n### Reserve\n\n```\n# not a heading\n```\n\n- eight months",
            tasks=(
                Task("Erin *Vasquez*", "Publish it (as [CSV])", date(2026, 12, 1)),
                Task("Bob Okafor", "Thank the auditor", is_done=True),
            ),
        ),
        Item(
            "Staff",
            is_closed=True,
            salt="5a" * 16,
            text="Salaries.",
            tasks=(Task("Ines Duarte", "Write"),),
        ),
    ),
)


def test_the_document_reads_like_minutes() -> None:
    text = write(WHOLE)
    assert text.startswith("# Board meeting \\*in winter\\*\n\n- Body: board\n- Begins: 2026-11-20")
    assert "| Bob Okafor | seat 2 | present | 14:10 | 15:00 | 14:20–14:30, 14:40–14:41 |" in text
    assert "## 2. 1. Budget #2\n\n- About: Income and spending.\n" in text
    assert "- [ ] **Erin \\*Vasquez\\*** (due 2026-12-01): Publish it (as \\[CSV\\])" in text
    assert "- [x] **Bob Okafor**: Thank the auditor\n\n## 3. Staff\n\n- Session: closed" in text


def test_what_is_written_is_read_back() -> None:
    assert read(write(WHOLE)) == WHOLE
    assert write(read(write(WHOLE))) == write(WHOLE)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "))
LINE = WORDS.map(lambda words: " ".join(words.split()))
NAME = LINE.filter(bool)
CLOCK = st.times().map(lambda clock: clock.replace(second=0, microsecond=0))
TEXT = st.lists(
    LINE | st.sampled_from(["", "```", "~~~", "# x", "    code", "- About: x", "| a | b |", "---"])
).map("\n".join)
PEOPLE = st.lists(
    st.builds(
        Person,
        NAME,
        LINE,
        st.sampled_from(sorted(CAME)),
        st.none() | CLOCK,
        CLOCK,
        st.lists(st.tuples(CLOCK, CLOCK), max_size=2).map(tuple),
    )
    | st.builds(Person, NAME, LINE, st.sampled_from([Kind.ABSENT, Kind.EXCUSED])),
    max_size=3,
    unique_by=lambda person: person.name,
)
CONSENTS = st.lists(
    st.builds(
        Filed,
        NAME,
        NAME,
        st.integers(0, 10**7).map(lambda minutes: BEGINS - timedelta(minutes=minutes)),
        NAME,
    ),
    max_size=2,
)
ITEM = st.builds(
    Item,
    NAME,
    LINE,
    LINE,
    LINE,
    st.none() | st.integers(1, 999),
    st.booleans(),
    st.sampled_from(["", "0f" * 16]),
    st.sampled_from(["", "f0" * 32]),
    LINE,
    TEXT.filter(lambda text: not faults_of(text)).map(lambda text: text.strip("\n")),
    st.lists(st.builds(Task, NAME, NAME, st.none() | st.dates(), st.booleans()), max_size=2).map(
        tuple
    ),
)


@settings(max_examples=120, deadline=None)
@given(
    title=NAME,
    place=LINE,
    people=PEOPLE,
    consents=CONSENTS,
    items=st.lists(ITEM, max_size=3),
    opened=CLOCK,
)
def test_every_document_survives_the_round_trip(
    title: str,
    place: str,
    people: list[Person],
    consents: list[Filed],
    items: list[Item],
    opened: time,
) -> None:
    written = Document(
        title,
        "board",
        BEGINS,
        BEGINS + timedelta(hours=1),
        place,
        opened,
        None,
        tuple(people),
        tuple(consents),
        tuple(items),
    )
    assert read(write(written)) == written


def test_who_writes_a_hyphen_is_understood_and_older_rows_have_five_cells() -> None:
    text = write(WHOLE).replace("14:20–14:30, 14:40–14:41", "14:20 - 14:30,14:40-14:41")
    assert read(text) == WHOLE
    assert read(text.replace(" |  |  |  |\n", " |  |  |\n")) == WHOLE


def test_windows_line_ends_and_stars_for_bullets_are_read() -> None:
    text = write(WHOLE).replace("- Body", "* Body").replace("\n", "\r\n")
    assert read(text) == WHOLE


HEAD = "# Board\n\n- Body: board\n- Begins: 2026-11-20 14:00 UTC\n- Ends: 2026-11-20 15:00 UTC\n\n"
TASK = "## 1. A\n\n### Action items\n\n- [ ] **B** (due {}): c\n"
FILED = "## Written consents\n\n| Resolution | Decided | Effective | SHA-256 |\n|---|---|---|---|\n"
ROLL = "## Attendance\n\n| Name | Seat | Attendance | Arrived | Left |\n|---|---|---|---|---|\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", Problem(1, Fault.NO_TITLE)),
        ("Board\n", Problem(1, Fault.NO_TITLE)),
        ("## 1. Opening\n", Problem(1, Fault.NO_TITLE)),
        ("# Board\n", Problem(1, Fault.MISSING, "Begins")),
        (HEAD.replace("14:00", "noon"), Problem(4, Fault.NOT_A_MOMENT, "2026-11-20 noon UTC")),
        (HEAD.replace("15:00", "13:00"), Problem(1, Fault.ENDS_FIRST)),
        (HEAD + "We met.\n", Problem(7, Fault.STRAY, "We met.")),
        (HEAD.replace("\n\n## ", "") + "- Place: A\n", Problem(7, Fault.STRAY, "- Place: A")),
        (HEAD.rstrip() + "\n- Adjourned: late\n", Problem(6, Fault.NOT_A_TIME, "late")),
        (HEAD.rstrip() + "\n- Body: council\n", Problem(6, Fault.TWICE, "Body")),
        (HEAD + ROLL + "| A | x | y |\n", Problem(11, Fault.NOT_A_ROW, "| A | x | y |")),
        (HEAD + ROLL + "Ines\n", Problem(11, Fault.NOT_A_ROW, "Ines")),
        (HEAD + ROLL + "| Ines | 1 | here | | |\n", Problem(11, Fault.NOT_A_KIND, "here")),
        (HEAD + ROLL + "| A | 1 | absent | 9:00 | |\n", Problem(11, Fault.ABSENT_WITH_TIMES, "A")),
        (HEAD + ROLL + "| A | | present | 9 | |\n", Problem(11, Fault.NOT_A_TIME, "9")),
        (HEAD + ROLL + "| A | | present | | | 9:00 |\n", Problem(11, Fault.NOT_A_SPAN, "9:00")),
        (HEAD + ROLL + "| A | | present | | | a–b |\n", Problem(11, Fault.NOT_A_SPAN, "a–b")),
        (HEAD + ROLL + "|A||excused ||| 9:00-9:05 |\n", Problem(11, Fault.ABSENT_WITH_TIMES, "A")),
        (HEAD + "## 1. A\n\n- Salt: ab\n", Problem(9, Fault.NOT_A_SALT, "ab")),
        (HEAD + "## 1. A\n\n- Sealed: AB\n", Problem(9, Fault.NOT_A_SEAL, "AB")),
        (HEAD + ROLL + "| A | | present | | |\n" * 2, Problem(1, Fault.TWICE, "A")),
        (HEAD + FILED + "| 2026-1 | a | noon | b |\n", Problem(11, Fault.NOT_A_MOMENT, "noon")),
        (HEAD + FILED + "| 2026-1 |\n", Problem(11, Fault.NOT_FILED, "| 2026-1 |")),
        (HEAD + "## 1. A\n\n- Minutes: many\n", Problem(9, Fault.NOT_A_NUMBER, "many")),
        (HEAD + "## 1. A\n\n- Session: secret\n", Problem(9, Fault.NOT_A_SESSION, "secret")),
        (HEAD + "# Another\n", Problem(7, Fault.HEADING, "# Another")),
        (HEAD + "## 1. A\n\n### Action items\n\n- call\n", Problem(11, Fault.NOT_A_TASK, "- call")),
        (HEAD + TASK.format("2026-02-30"), Problem(11, Fault.NOT_A_DATE, "2026-02-30")),
        (HEAD + "## 1. A\n\n```\n## 2. B\n", Problem(10, Fault.OPEN_CODE)),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text: str, problem: Problem) -> None:
    with pytest.raises(ReadingError) as refused:
        read(text)
    assert problem in refused.value.problems
    assert refused.value.problems == sorted(refused.value.problems)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ReadingError) as refused:
        read(HEAD + ROLL + "| A |\n| B | | gone | | |\n\n## 1. C\n\n- Minutes: 0\n")
    assert [one.fault for one in refused.value.problems] == [
        Fault.NOT_A_ROW,
        Fault.NOT_A_KIND,
        Fault.NOT_A_NUMBER,
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("# Title", Fault.HEADING),
        ("a\n\n## Title", Fault.HEADING),
        ("### Action items", Fault.HEADING),
        ("```\ncode", Fault.OPEN_CODE),
        ("- Motion: x", Fault.STRAY),
    ],
)
def test_the_text_of_an_item_that_would_break_the_document(text: str, fault: Fault) -> None:
    assert [one.fault for one in faults_of(text)] == [fault]


@pytest.mark.parametrize(
    "text", ["", "### Reserve", "#2 is done", "```\n# comment\n```", "~~~\n```\n~~~", "- Also: x"]
)
def test_the_text_of_an_item_that_is_well(text: str) -> None:
    assert faults_of(text) == []


SESSION = f"""\
## 3. Staff

- Session: closed
- Salt: {"5a" * 16}

Salaries.

### Action items

- [ ] **Ines Duarte**: Write
"""


def test_of_a_closed_session_everybody_reads_the_title_and_a_hash_that_stands_for_it() -> None:
    public = published(WHOLE)
    sealed = hashlib.sha256(SESSION.encode()).hexdigest()
    assert public.items[2] == Item("Staff", is_closed=True, sealed=sealed)
    assert public.items[:2] == WHOLE.items[:2]
    assert "Salaries" not in write(public)
    assert SESSION in write(WHOLE)


def test_the_hash_of_minutes_is_that_of_the_text_that_everybody_reads() -> None:
    public = published_text(write(WHOLE))
    assert text_hash(WHOLE) == hashlib.sha256(public.encode()).hexdigest()
    assert published_text(public) == public
    assert text_hash(read(public)) == text_hash(WHOLE)
    other = replace(WHOLE.items[2], text="Salaries!")
    assert text_hash(replace(WHOLE, items=(*WHOLE.items[:2], other))) != text_hash(WHOLE)


def test_nobody_guesses_what_was_said_from_the_hash_alone() -> None:
    """The same words with another salt have another hash; without one there is none."""
    salted = [
        published(replace(WHOLE, items=(replace(WHOLE.items[2], salt=salt),))).items[0].sealed
        for salt in ("00" * 16, "01" * 16, "")
    ]
    assert len(set(salted)) == 3
    assert salted[2] == ""
    assert is_sealed(WHOLE)
    assert not is_sealed(replace(WHOLE, items=(Item("Staff", is_closed=True),)))


@pytest.mark.parametrize(
    ("clock", "begins", "expected"),
    [
        (time(14, 5), BEGINS, BEGINS + timedelta(minutes=5)),
        (time(13, 50), BEGINS, BEGINS - timedelta(minutes=10)),
        (time(0, 20), BEGINS.replace(hour=23), BEGINS.replace(day=21, hour=0, minute=20)),
        (time(23, 50), BEGINS.replace(hour=0), BEGINS.replace(day=19, hour=23, minute=50)),
    ],
)
def test_a_time_of_day_belongs_to_the_meeting(
    clock: time, begins: datetime, expected: datetime
) -> None:
    assert moment_of(clock, begins) == expected


def test_presence_changes_with_who_comes_and_goes() -> None:
    at = [BEGINS + timedelta(minutes=minutes) for minutes in (0, 10, 50)]
    stays = [Stay(), Stay(), Stay(arrived=at[1]), Stay(left=at[2]), Stay(at[1], at[2])]
    assert presence(stays) == [Stretch(None, 3), Stretch(at[1], 5), Stretch(at[2], 3)]
    assert without_quorum(presence(stays), 4) == [Stretch(None, 3), Stretch(at[2], 3)]
    assert without_quorum(presence(stays), 3) == []
    assert presence([]) == [Stretch(None, 0)]
    assert presence([Stay(left=at[1]), Stay(arrived=at[1])]) == [Stretch(None, 1)]


def test_who_goes_out_and_comes_back_is_there_in_between() -> None:
    at = [BEGINS + timedelta(minutes=minutes) for minutes in (0, 10, 20, 30, 40, 50)]
    told = stays(None, at[5], [(at[3], at[4]), (at[1], at[2])])
    assert told == [Stay(None, at[1]), Stay(at[2], at[3]), Stay(at[4], at[5])]
    there = [any(is_there(stay, moment) for stay in told) for moment in at]
    assert there == [True, False, True, False, True, False]
    assert presence([*told, Stay()]) == [
        Stretch(None, 2),
        *(Stretch(moment, count) for moment, count in zip(at[1:], [1, 2, 1, 2, 1], strict=True)),
    ]
    assert follow_each_other(told)


@pytest.mark.parametrize(
    ("arrived", "left", "outings"),
    [
        (20, 10, []),
        (None, 20, [(10, 30)]),
        (15, None, [(10, 20)]),
        (None, None, [(20, 10)]),
        (None, None, [(10, 30), (20, 40)]),
    ],
)
def test_times_that_do_not_follow_each_other(
    arrived: int | None, left: int | None, outings: list[tuple[int, int]]
) -> None:
    def at(minutes: int) -> datetime:
        return BEGINS + timedelta(minutes=minutes)

    told = stays(
        at(arrived) if arrived else None,
        at(left) if left else None,
        [(at(out), at(back)) for out, back in outings],
    )
    assert not follow_each_other(told)
