"""Indices put together from buckets that are compressed once."""

from __future__ import annotations

import gzip
from dataclasses import dataclass

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from releases.repository import buckets
from releases.repository.buckets import DamagedError, Parts, Stored


@dataclass(frozen=True)
class Named:
    name: str
    version: str = "1"
    architecture: str = "amd64"

    @property
    def slot(self) -> int:
        return buckets.slot(self.name)


NUMBERS = st.integers(1, 3000)


@given(st.integers(0, buckets.SLOTS - 1), NUMBERS)
def test_a_slot_lies_in_the_span_of_its_bucket(slot: int, number: int) -> None:
    span = buckets.span_of(buckets.bucket_of(slot, number), number)
    assert span.first <= slot < span.end


@given(NUMBERS)
def test_the_spans_cover_every_slot_once(number: int) -> None:
    (whole,) = buckets.spans_of(range(number), number)
    assert whole == buckets.Span(0, buckets.SLOTS)


def test_spans_that_do_not_touch_stay_apart() -> None:
    assert len(buckets.spans_of([0, 1, 3], 4)) == 2


@given(st.lists(st.text("abc", min_size=1), unique=True), NUMBERS, NUMBERS)
def test_the_order_does_not_depend_on_the_number_of_buckets(
    names: list[str], one: int, other: int
) -> None:
    entries = [Named(name) for name in names]
    orders = [
        [entry for _, found in sorted(buckets.sort(some, number).items()) for entry in found]
        for number, some in ((one, entries), (other, entries[::-1]))
    ]
    assert orders[0] == orders[1]


@pytest.mark.parametrize(("packages", "number"), [(0, 32), (2048, 32), (2049, 33), (10**9, 65536)])
def test_the_number_of_buckets_fits_the_packages(packages: int, number: int) -> None:
    assert buckets.fitting(packages) == number


def stored(texts: list[bytes]) -> Stored:
    members = [buckets.pack(text, 1) for text in texts]
    return Stored(
        [member.count for member in members[1:-1]],
        Parts(b"".join(one.gz for one in members), [len(one.gz) for one in members]),
        Parts(b"".join(one.zst for one in members), [len(one.zst) for one in members]),
    )


@given(st.lists(st.binary(max_size=9), min_size=2, max_size=9), st.data())
def test_new_buckets_take_the_place_of_old_ones(texts: list[bytes], data: st.DataObject) -> None:
    old = stored(texts)
    numbers = st.sampled_from(range(len(texts)))
    changed = data.draw(st.dictionaries(numbers, st.binary(max_size=9)))
    now = [changed.get(number, text) for number, text in enumerate(texts)]
    new = {number: buckets.pack(text) for number, text in changed.items()}

    gz = {number: member.gz for number, member in new.items()}
    zst = {number: member.zst for number, member in new.items()}
    whole = b"".join(old.gz.spliced(gz))
    assert whole == stored(now).gz.data
    assert not whole or gzip.decompress(whole) == b"".join(now)
    assert b"".join(old.zst.spliced(zst)) == stored(now).zst.data
    assert old.gz.sizes_with(gz) == list(stored(now).gz.sizes)
    assert b"".join(old.zst.texts({n: changed[n] for n in changed})) == b"".join(now)


def test_one_part_is_found_among_the_others() -> None:
    old = stored([b"", b"first", b"", b"third", b"tail"])
    assert buckets.unpack_gz(old.gz.part(3)) == b"third"
    assert buckets.unpack_zst(old.zst.part(1)) == b"first"
    assert buckets.unpack_gz(old.gz.part(2)) == b""


def test_an_index_without_packages_is_a_valid_file() -> None:
    parts = buckets.ends(b"", b"", packages=0, buckets=32)
    assert gzip.decompress(parts[0].gz) == b""
    assert zstandard.ZstdDecompressor().decompress(parts[0].zst) == b""
    assert parts[33].gz == b""
    assert buckets.ends(b"", b"", packages=1, buckets=32)[0].gz == b""


def test_damage_is_seen() -> None:
    gz, zst = bytearray(buckets.gz(b"text" * 99)), bytearray(buckets.zst(b"text" * 99))
    gz[-6] ^= 1
    zst[-2] ^= 1
    with pytest.raises(DamagedError):
        buckets.unpack_gz(bytes(gz))
    with pytest.raises(DamagedError):
        buckets.unpack_zst(bytes(zst))
