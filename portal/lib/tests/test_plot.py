import datetime as dt
import re
import xml.etree.ElementTree as ET
from math import isclose

import pytest

from portal.lib import plot
from portal.lib.plot.drawing import spread, width_of

WORDS = plot.Text('Servers & "systems"', "Rises <fast>.")
MONTHS = ["Jan", "Feb", "Mar"]
DAY = dt.date


def drawings(svg: str) -> list[ET.Element]:
    """The small and the wide drawing, parsed: a chart that is not XML fails here."""
    return list(ET.fromstring(f"<both>{svg}</both>"))  # noqa: S314 - our own text


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in drawings(svg)[1].iter("text")]


def every_chart() -> dict[str, str]:
    return {
        "lines": plot.lines(WORDS, MONTHS, [plot.Line("all", [1, None, 3])], words=str, area=True),
        "stack": plot.stack(
            WORDS,
            MONTHS,
            [plot.Share("a", [40, 50, 60]), plot.Share("b", [60, 50, 40], 2)],
            words=str,
        ),
        "ranking": plot.ranking(WORDS, [plot.Bar("C", 10, "10", low=9, high=12)]),
        "roadmap": plot.roadmap(
            WORDS,
            [plot.Series("1.0", [plot.Span(DAY(2025, 1, 1), DAY(2027, 1, 1))])],
            DAY(2026, 1, 1),
        ),
        "forest": plot.forest(WORDS, [plot.Ratio("select", 1.1, 1.2, 1.3)]),
    }


@pytest.mark.parametrize("name", every_chart())
def test_a_chart_is_drawn_small_and_wide_and_says_what_it_is(name: str) -> None:
    small, wide = drawings(every_chart()[name])
    assert [small.get("viewBox", "").split()[2], wide.get("viewBox", "").split()[2]] == [
        "340",
        "920",
    ]
    for drawing in (small, wide):
        assert drawing.get("role") == "img"
        named = [
            drawing.find(f"*[@id='{key}']") for key in drawing.get("aria-labelledby", "").split()
        ]
        assert [node.text for node in named if node is not None] == [WORDS.title, WORDS.description]


@pytest.mark.parametrize("name", every_chart())
def test_a_chart_keeps_the_policy_and_its_own_edges(name: str) -> None:
    svg = every_chart()[name]
    assert "style=" not in svg
    for drawing in drawings(svg):
        _, _, width, height = (float(part) for part in drawing.get("viewBox", "").split())
        for node in drawing.iter():
            for key in ("x", "x1", "x2", "cx"):
                assert -0.1 <= float(node.get(key, 0)) <= width + 0.1
            for key in ("y", "y1", "y2", "cy"):
                assert -0.1 <= float(node.get(key, 0)) <= height + 0.1
            assert "nan" not in ET.tostring(node, encoding="unicode").lower()


def test_the_ids_of_two_charts_on_a_page_differ() -> None:
    both = "".join(every_chart().values())
    ids = re.findall(r' id="([^"]+)"', both)
    assert len(ids) == len(set(ids))


def test_without_data_nothing_is_drawn() -> None:
    assert plot.lines(WORDS, [], [], words=str) == ""
    assert plot.lines(WORDS, MONTHS, [plot.Line("none", [None, None, None])], words=str) == ""
    assert plot.stack(WORDS, [], [], words=str) == ""
    assert plot.ranking(WORDS, []) == ""
    assert plot.roadmap(WORDS, [], DAY(2026, 1, 1)) == ""
    assert plot.forest(WORDS, []) == ""


@pytest.mark.parametrize(
    ("maximum", "ticks"),
    [
        (71, [0, 20, 40, 60, 80]),
        (184_207, [0, 50_000, 100_000, 150_000, 200_000]),
        (16_000, [0, 4_000, 8_000, 12_000, 16_000]),
        (0.3, [0, 0.1, 0.2, 0.3]),
        (1, [0, 0.25, 0.5, 0.75, 1]),
        (0, [0, 1]),
    ],
)
def test_ticks_are_round_cover_the_values_and_are_few(maximum: float, ticks: list[float]) -> None:
    assert plot.nice_ticks(maximum) == ticks


def test_a_line_with_a_gap_is_two_strokes_and_is_named_by_its_last_value() -> None:
    svg = plot.lines(
        WORDS, ["1", "2", "3", "4"], [plot.Line("all", [1, 2, None, 4])], words=lambda v: f"{v:g}!"
    )
    wide = drawings(svg)[1]
    assert len([p for p in wide.iter("path") if p.get("class") == "line c1"]) == 2
    assert "4! all" in texts(svg)


def test_one_month_is_a_point_in_the_middle_and_a_whole_band() -> None:
    points = drawings(plot.lines(WORDS, ["Jan"], [plot.Line("all", [5])], words=str))[1]
    circle = next(points.iter("circle"))
    assert 300 < float(circle.get("cx", 0)) < 600
    band = drawings(plot.stack(WORDS, ["Jan"], [plot.Share("all", [100])], words=str))[1]
    corners = next(band.iter("path")).get("d", "")
    assert corners.count("L") == 3


def test_a_note_stands_at_its_label() -> None:
    svg = plot.lines(
        WORDS, MONTHS, [plot.Line("all", [1, 2, 3])], words=str, notes=[plot.Note(1, "11.8.5")]
    )
    assert "11.8.5" in texts(svg)
    assert any(line.get("class") == "today" for line in drawings(svg)[1].iter("line"))


def test_of_a_few_things_no_step_is_shown_twice() -> None:
    for most in (1, 2, 3):
        drawn = [plot.Line("all", [0, 0, most])]
        svg = plot.lines(WORDS, MONTHS, drawn, words=lambda v: f"{v:.0f}")
        for drawing in drawings(svg):
            steps = [
                "".join(node.itertext())
                for node in drawing.iter("text")
                if node.get("text-anchor") == "end"
            ]
            assert len(set(steps)) == len(steps), steps


def test_the_first_label_does_not_touch_the_second() -> None:
    days = [f"{n} September" for n in range(10, 70)]
    small = drawings(plot.lines(WORDS, days, [plot.Line("all", [1.0] * 60)], words=str))[0]
    first, second = [
        node for node in small.iter("text") if (node.text or "").endswith("September")
    ][:2]
    assert first.get("text-anchor") is None
    end = float(first.get("x", 0)) + width_of(first.text or "")
    assert end < float(second.get("x", 0)) - width_of(second.text or "") / 2


def test_many_labels_are_thinned_so_that_they_do_not_touch() -> None:
    labels = [f"Month {n}" for n in range(60)]
    svg = plot.lines(WORDS, labels, [plot.Line("all", list(range(60)))], words=str)
    shown = [text for text in texts(svg) if text.startswith("Month")]
    assert 3 < len(shown) < 14
    assert shown[0] == "Month 0"


def test_names_at_the_ends_are_spread_and_stay_inside() -> None:
    rows = spread([10, 11, 12, 90], gap=18, lowest=90)
    assert rows == [10, 28, 46, 90]
    low = spread([85, 88, 90], gap=18, lowest=90)
    assert low == [54, 72, 90]


@pytest.mark.parametrize("name", ["FEATURE_VECTOR", "FEATURE_" + "X" * 120, "x" * 128])
def test_a_long_name_at_the_end_of_a_line_stays_inside(name: str) -> None:
    svg = plot.lines(WORDS, MONTHS, [plot.Line(name, [1, 2, 3])], words=str)
    for drawing, width in zip(drawings(svg), (340, 920), strict=True):
        ends = [
            (float(node.get("x", "")), "".join(node.itertext())) for node in drawing.iter("text")
        ]
        assert all(x + width_of(said) <= width for x, said in ends if "X" in said or "V" in said)
        assert any(said.removeprefix("3").strip()[:8] == name[:8] for _, said in ends)


def test_shares_lie_on_each_other_and_reach_the_top() -> None:
    svg = every_chart()["stack"]
    paths = [path.get("d", "") for path in drawings(svg)[1].iter("path")]
    top_of_last = float(paths[-1].removeprefix("M").split("L")[0].split()[1])
    assert isclose(top_of_last, 10)


def test_a_bar_is_as_long_as_its_value() -> None:
    svg = plot.ranking(WORDS, [plot.Bar("a", 100, "100"), plot.Bar("b", 25, "25")])
    widths = [float(rect.get("width", 0)) for rect in drawings(svg)[1].iter("rect")]
    assert isclose(widths[0], 4 * widths[1], rel_tol=0.01)
    assert plot.ranking(WORDS, [plot.Bar("nothing", 0, "0")])


def test_the_roadmap_marks_kinds_and_today() -> None:
    rows = [
        plot.Series(
            "12.2", [plot.Span(DAY(2026, 11, 1), DAY(2027, 8, 1), "candidate")], "", "Aug 2027"
        ),
        plot.Series("11.8", [plot.Span(DAY(2022, 6, 1), DAY(2030, 6, 1))], "Long term", "Jun 2030"),
        plot.Series("10.6", [plot.Span(DAY(2022, 7, 1), DAY(2026, 7, 1), "ended")], "", "Jul 2026"),
        plot.Series(
            "13.0", [plot.Span(DAY(2030, 1, 1), DAY(2030, 12, 1), "planned")], "", "Dec 2030"
        ),
    ]
    svg = plot.roadmap(WORDS, rows, DAY(2026, 11, 20))
    kinds = [rect.get("class") for rect in drawings(svg)[1].iter("rect")]
    assert kinds == ["f3", "f1", "mute", "f5"]
    shown = texts(svg)
    assert {"12.2", "Long term", "Jun 2030", "Aug 2027", "Dec 2030", "2022", "2030"} <= set(shown)


def test_a_span_that_ends_before_the_next_year_lies_between_the_grid_lines() -> None:
    svg = plot.roadmap(
        WORDS, [plot.Series("1", [plot.Span(DAY(2025, 7, 2), DAY(2026, 1, 1))])], DAY(2025, 12, 1)
    )
    wide = drawings(svg)[1]
    grid = [float(line.get("x1", 0)) for line in wide.iter("line") if line.get("class") == "grid"]
    rect = next(wide.iter("rect"))
    start = float(rect.get("x", 0))
    assert isclose(start, (grid[0] + grid[1]) / 2, abs_tol=1)
    assert isclose(start + float(rect.get("width", 0)), grid[1], abs_tol=1)


@pytest.mark.parametrize(
    ("low", "high", "higher_is_better", "tone"),
    [
        (1.1, 1.3, True, 1),
        (1.1, 1.3, False, 3),
        (0.7, 0.9, True, 3),
        (0.7, 0.9, False, 1),
        (0.9, 1.1, True, 5),
        (1.0, 1.1, True, 5),
    ],
)
def test_an_interval_that_touches_one_shows_nothing(
    low: float, high: float, higher_is_better: bool, tone: int
) -> None:
    ratio = plot.Ratio("x", low, (low + high) / 2, high, higher_is_better=higher_is_better)
    assert ratio.tone == tone


def test_a_ratio_that_shows_nothing_is_hollow() -> None:
    svg = plot.forest(WORDS, [plot.Ratio("x", 0.9, 1.0, 1.1), plot.Ratio("y", 9.0, 12.0, 16.0)])
    dots = [circle.get("class") for circle in drawings(svg)[1].iter("circle")]
    assert dots == ["hollow c5", "f1"]
    assert "1×" in texts(svg)
