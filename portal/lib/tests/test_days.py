import pytest
from django.core.exceptions import ValidationError

from portal.lib.days import DayField, MomentField


@pytest.mark.parametrize("text", ["0001-01-01", "1899-12-31", "3000-01-01", "9999-12-31"])
def test_a_day_that_has_no_neighbours_is_refused(text: str) -> None:
    for field, typed in ((DayField(), text), (MomentField(), f"{text} 23:59")):
        with pytest.raises(ValidationError):
            field.clean(typed)


def test_days_of_our_times_and_none_at_all_are_taken() -> None:
    assert str(DayField().clean("2024-02-29")) == "2024-02-29"
    assert DayField(required=False).clean("") is None
