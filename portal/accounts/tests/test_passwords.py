"""Which passwords are taken: long ones of any kind, and no book."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError


@pytest.mark.parametrize("password", ["π 🐢 ねこ and no digit", "w" * 60 + " " + "v" * 67])
def test_any_letters_up_to_128_are_taken_whole(password: str) -> None:
    validate_password(password)


@pytest.mark.parametrize(
    "password", ["ab" * 64 + "c", "elevenchars", "qwerty123456", "123456789012"]
)
def test_too_long_too_short_and_well_known_ones_are_not(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password)
