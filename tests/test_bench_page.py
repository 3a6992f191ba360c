"""The page about the measurements, made from the results of a run."""

import dataclasses
import json
import xml.etree.ElementTree as ET
from pathlib import Path

from bench import Cost, Measurement, _page
from bench.__main__ import domains


def row(peer: str, ours: float, theirs: float, *, reached: bool) -> Measurement:
    costs = [Cost(seconds, seconds / 2, 30) for seconds in (ours, theirs)]
    return Measurement("counting", "1,000 papers", costs[0], "quicker", reached, 3, peer, costs[1])


def written(folder: Path, **results: list[Measurement]) -> tuple[str, str]:
    """The page and its picture, from these results."""
    for name, rows in results.items():
        text = json.dumps([one.as_json() for one in rows])
        (folder / f"{name.replace('_', '.')}.json").write_text(text)
    page = _page.write(folder, folder)
    return page.read_text(), page.with_suffix(".svg").read_text()


def test_each_row_has_both_times_their_ratio_and_what_was_not_reached(tmp_path: Path) -> None:
    page, _svg = written(
        tmp_path,
        governance=[
            row("plain <counter>", 0.5, 2.0, reached=True),
            row("other | one", 3.0, 1.5, reached=False),
        ],
    )
    first, second = (line for line in page.splitlines() if line.startswith("| counting"))
    assert first.count("|") == second.count("|") == 10
    assert "| 500.00 ms | plain <counter> | 2.00 s | 4× | 4× | quicker | reached |" in first
    assert "| other / one | 1.50 s | 0.5× | 0.5× | quicker | **not reached** |" in second


def test_the_parts_of_a_domain_stand_in_one_table(tmp_path: Path) -> None:
    page, _svg = written(
        tmp_path,
        feedback_intake=[row("one", 1, 2, reached=True)],
        feedback_month=[row("other", 1, 2, reached=True)],
    )
    assert page.count("## Usage reports") == 1
    assert page.index("| one |") < page.index("| other |")


def test_the_picture_places_the_quicker_right_of_one_and_the_slower_left(tmp_path: Path) -> None:
    _text, svg = written(
        tmp_path,
        governance=[
            row("slower <than us>", 1, 10, reached=True),
            row("quicker", 10, 1, reached=True),
        ],
    )
    tree = ET.fromstring(svg)  # noqa: S314 - our own text
    name = "{http://www.w3.org/2000/svg}"
    _legend, slower, quicker = (
        float(one.attrib["cx"]) for one in tree.iter(f"{name}circle") if one.attrib["r"] == "5"
    )
    [one] = [line for line in tree.iter(f"{name}path") if line.attrib["stroke"] == "#1f2933"]
    middle = float(one.attrib["d"].split()[0].removeprefix("M"))
    assert quicker < middle < slower


def test_a_row_of_the_picture_names_its_size_where_there_are_several(tmp_path: Path) -> None:
    one = row("peer", 1, 2, reached=True)
    larger = dataclasses.replace(one, size="2,000 papers")
    _page, single = written(tmp_path, governance=[one, one])
    assert single.count("counting: peer") == 1
    _page, several = written(tmp_path, governance=[one, larger])
    assert several.count("counting, 1,000 papers: peer") == 1
    assert several.count("counting, 2,000 papers: peer") == 1


def test_every_domain_that_is_measured_has_a_title() -> None:
    assert domains().keys() == _page.NAMES.keys()
