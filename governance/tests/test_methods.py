"""Each method of counting is known wherever one has to be: to count, to mark a paper, to say it."""

import re
from pathlib import Path

import pytest

from governance.elections import report, rules_in_words, voting, what_if
from governance.models import Contest
from governance.recount import code
from governance.tally import contest, question

SCRIPT = Path(__file__).resolve().parents[2] / "static" / "js" / "election" / "paper.js"
METHODS = [Contest.Method(name) for name in contest.METHODS]


def test_what_can_be_chosen_is_what_can_be_counted() -> None:
    assert set(Contest.Method.values) == contest.METHODS.keys(), "governance/models/contest.py"


@pytest.mark.parametrize("method", METHODS)
def test_a_method_has_its_words(method: Contest.Method) -> None:
    assert method in rules_in_words.METHODS, "what it does: governance/elections/rules_in_words.py"
    assert report.method_name(method), "its name: governance/elections/report.py"


@pytest.mark.parametrize("method", METHODS)
def test_the_browser_fills_in_the_kind_of_paper_that_the_page_shows(method: Contest.Method) -> None:
    table = re.search(r"KINDS = \{([^}]*)\}", SCRIPT.read_text())
    assert table is not None
    kinds = dict(re.findall(r'"?([\w-]+)"?: "(\w+)"', table[1]))

    assert kinds.get(method) == voting.KINDS.get(method, "order"), "static/js/election/paper.js"


def test_a_ranking_can_be_counted_by_every_method_that_reads_one() -> None:
    """A question is none: its papers say yes or no."""
    assert set(what_if.FROM_RANKING) == contest.METHODS.keys() - {question.METHOD}


def test_every_module_that_counts_is_in_the_bundle() -> None:
    imported = re.findall(r"^from governance\.tally import (.*)$", _source("contest"), re.M)
    wanted = {f"{code.FOLDER}governance/tally/{name}.py" for name in imported[0].split(", ")}

    assert wanted <= code.modules().keys(), "_MODULES in governance/recount/code.py"


def _source(name: str) -> str:
    return Path(contest.__file__).with_name(f"{name}.py").read_text()
