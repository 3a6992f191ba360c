"""The split key: enough shares make it, fewer do not, wrong ones are named."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.sealed.sharing import ORDER, Share, ShareError, combine, split


def commitments(shares: list[Share]) -> list[str]:
    return [share.commitment for share in shares]


@given(st.integers(1, ORDER - 1), st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_any_shares_that_are_enough_make_the_secret(secret: int, needed: int, more: int) -> None:
    shares = split(secret, needed=needed, shares=needed + more)
    for chosen in combinations(shares, needed):
        assert combine(chosen, needed=needed, commitments=commitments(shares)) == secret
    assert combine(shares, needed=needed, commitments=commitments(shares)) == secret


def test_it_is_a_private_key_of_the_curve() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    secret = key.private_numbers().private_value
    shares = split(secret, needed=2, shares=3)
    again = combine(shares[1:], needed=2, commitments=commitments(shares))
    assert ec.derive_private_key(again, ec.SECP256R1()).public_key() == key.public_key()


def test_too_few_shares_say_how_many_are_missing() -> None:
    shares = split(7, needed=3, shares=5)
    with pytest.raises(ShareError, match="3 shares are needed, 2 are here"):
        combine([shares[0], shares[4], shares[4]], needed=3, commitments=commitments(shares))


def test_fewer_shares_fit_every_secret() -> None:
    """With one point of a line, each value at 0 has a line of its own."""
    drawn = {split(7, needed=2, shares=2)[0].value for _ in range(20)}
    assert len(drawn) == 20


@pytest.mark.parametrize("change", [{"value": 5}, {"place": 3}, {"place": 9}, {"salt": b"x" * 16}])
def test_a_share_that_was_not_given_out_is_named(change: dict[str, object]) -> None:
    shares = split(7, needed=2, shares=3)
    wrong = replace(shares[0], **change)  # type: ignore[arg-type]
    with pytest.raises(ShareError, match=f"share {wrong.place} is not the one"):
        combine([wrong, shares[1]], needed=2, commitments=commitments(shares))


@pytest.mark.parametrize(
    ("secret", "needed", "shares"), [(7, 0, 3), (7, 4, 3), (7, 1, 101), (0, 2, 3), (ORDER, 2, 3)]
)
def test_what_cannot_be_split_is_refused(secret: int, needed: int, shares: int) -> None:
    with pytest.raises(ShareError):
        split(secret, needed=needed, shares=shares)
