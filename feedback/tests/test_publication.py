import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.publication import OTHER, SMALLEST, publish, publish_groups, publish_yes


@pytest.mark.parametrize(
    ("cells", "shown", "hidden"),
    [
        ({}, {}, 0),
        ({"a": 9}, {}, 1),
        ({"a": 10}, {"a": 10}, 0),
        ({"a": 40, "b": 12, "c": 4}, {"a": 40, OTHER: 16}, 2),
        ({"a": 40, "b": 12, "c": 4, "d": 7}, {"a": 40, "b": 12, OTHER: 11}, 2),
        ({"a": 40, OTHER: 3}, {OTHER: 43}, 1),
        ({"a": 40, OTHER: 12, "b": 2}, {"a": 40, OTHER: 14}, 1),
        ({"a": 40, "b": 0}, {"a": 40}, 0),
        ({"a": 6, "b": 6}, {OTHER: 12}, 2),
    ],
)
def test_small_cells_join_other_and_take_a_neighbour_with_them(
    cells: dict[str, int], shown: dict[str, int], hidden: int
) -> None:
    published = publish(cells)
    assert dict(published.cells) == shown
    assert published.hidden == hidden
    assert list(published.cells) == list(shown)


@given(st.dictionaries(st.sampled_from("abcdefgh" + OTHER[0]), st.integers(0, 60)))
def test_no_published_cell_is_small_and_the_total_stays(cells: dict[str, int]) -> None:
    published = publish(cells)
    assert all(n >= SMALLEST for n in published.cells.values())
    total = sum(cells.values())
    assert published.base == (total if total >= SMALLEST else 0)


def test_versions_of_a_series_cannot_be_subtracted_from_it() -> None:
    groups = {
        "10.11": {"10.11.19": 25, "10.11.18": 5},
        "11.4": {"11.4.2": 30, "11.4.1": 12, "11.4.0": 2},
        "9.1": {"9.1.1": 3},
        "9.2": {"9.2.1": 9},
    }
    published = publish_groups(groups)
    assert dict(published["10.11"].cells) == {OTHER: 30}
    assert dict(published["11.4"].cells) == {"11.4.2": 30, OTHER: 14}
    assert dict(published[OTHER].cells) == {OTHER: 12}
    assert "9.1" not in published


@pytest.mark.parametrize(
    ("count", "base", "shown"),
    [(50, 100, 50), (9, 100, None), (95, 100, None), (100, 100, 100), (0, 100, 0)],
)
def test_neither_users_nor_refusers_of_a_feature_are_a_small_group(
    count: int, base: int, shown: int | None
) -> None:
    assert publish_yes(count, base) == shown
