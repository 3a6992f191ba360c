import pytest
from django.template.loader import render_to_string


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2.54, 'up">2.5 %'), (-2.54, 'down">2.5 %'), (0, 'up">0.0 %')],
)
def test_a_change_is_told_by_an_arrow_and_without_a_sign(value: float, shown: str) -> None:
    assert shown in render_to_string("feedback/change.html", {"value": value, "unit": " %"})
