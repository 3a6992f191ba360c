"""Questions to voters: more yes than no, at least the ratio; otherwise the default option is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.sealed import paper
from governance.tally import question
from governance.tally.contest import Contest, resolve
from governance.tests.papers import LOT, papers


@pytest.mark.parametrize(
    ("yes", "no", "ratio", "carried"),
    [
        (2, 1, (1, 1), True),
        (2, 2, (1, 1), False),  # a tie is the default option's
        (0, 0, (1, 1), False),
        (1, 0, (3, 1), True),
        (4, 2, (2, 1), True),
        (5, 3, (2, 1), False),
        (5, 3, (3, 2), True),
        (4, 3, (3, 2), False),
        (3, 3, (1, 2), False),  # a ratio below one asks for more yes than no all the same
    ],
)
def test_a_proposal_needs_more_yes_than_no_and_the_ratio(
    yes: int, no: int, ratio: tuple[int, int], carried: bool
) -> None:
    found = question.count(papers(f"{yes}: A", f"{no}: B"), candidates=2, ratio=ratio)
    assert (found.yes, found.no, found.is_carried) == (yes, no, carried)
    assert found.elected == ((question.PROPOSAL,) if carried else (question.DEFAULT,))


def test_who_abstains_counts_for_neither_side() -> None:
    found = question.count([*papers("2: A", "B"), *[b""] * 9], candidates=2)
    assert (found.valid, found.is_carried) == (3, True)


def test_a_proposal_that_was_withdrawn_leaves_the_default_option() -> None:
    [only] = resolve(papers("9: A", "B"), Contest("yes-no", 2, 1, {}), lot=LOT, seated=(0,))
    assert only.tally.elected == (question.DEFAULT,)


def test_the_ratio_is_that_of_the_contest() -> None:
    found = papers("3: A", "2: B")
    for ratio, elected in (((1, 1), 0), ((2, 1), 1)):
        [only] = resolve(found, Contest("yes-no", 2, 1, {}, ratio=ratio), lot=LOT)
        assert only.tally.elected == (elected,)


@pytest.mark.parametrize(
    ("marked", "candidates", "ratio", "withdrawn"),
    [
        ([b"\x00\x01"], 2, (1, 1), ()),
        ([b"\x02"], 2, (1, 1), ()),
        ([], 3, (1, 1), ()),
        ([], 2, (0, 1), ()),
        ([], 2, (1, 1), (1,)),
    ],
)
def test_what_cannot_be_is_refused(
    marked: list[bytes], candidates: int, ratio: tuple[int, int], withdrawn: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=r"option|ratio"):
        question.count(marked, candidates=candidates, ratio=ratio, withdrawn=withdrawn)


def test_a_sealed_paper_answers_once() -> None:
    text = paper.write(bytes([question.PROPOSAL, question.DEFAULT]))
    with pytest.raises(paper.PaperError, match="both yes and no"):
        paper.read(text, method=question.METHOD, candidates=2, seats=1)


@given(st.integers(0, 10**6), st.tuples(st.integers(1, 99), st.integers(1, 99)))
def test_one_yes_less_than_needed_carries_nothing(no: int, ratio: tuple[int, int]) -> None:
    needed = question.yes_needed(no, ratio)
    above, below = ratio
    assert needed > no
    assert needed * below >= no * above
    assert needed - 1 <= no or (needed - 1) * below < no * above
