"""How much one server and one network may send."""

import pytest

from feedback.receiver.limits import (
    DAY,
    Buckets,
    Limits,
    Newcomers,
    Rate,
    Verdict,
    network_of,
)

HERE, THERE = network_of("192.88.99.1"), network_of("2a00:1450::1")


def test_a_bucket_gives_its_burst_and_fills_again_by_the_hour() -> None:
    buckets = Buckets(Rate(burst=3, per_hour=60))
    assert [buckets.take(b"a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert buckets.take(b"b", 0.0)
    assert not buckets.take(b"a", 59.0)
    assert buckets.take(b"a", 60.0)
    assert not buckets.take(b"a", 60.0)
    assert [buckets.take(b"a", 9_999.0) for _ in range(4)] == [True, True, True, False]


def test_a_refusal_costs_nothing_of_the_bucket() -> None:
    buckets = Buckets(Rate(burst=1, per_hour=3600))
    assert buckets.take(b"a", 0.0)
    assert not any(buckets.take(b"a", 0.1 * n) for n in range(10))
    assert buckets.take(b"a", 1.0)


def test_what_is_given_back_may_be_taken_again_and_never_more_than_the_burst() -> None:
    buckets = Buckets(Rate(burst=1, per_hour=0))
    assert buckets.take(b"a", 0.0)
    buckets.give_back(b"a")
    buckets.give_back(b"a")
    buckets.give_back(b"nobody")
    assert [buckets.take(b"a", 0.0) for _ in range(2)] == [True, False]


def test_who_was_not_seen_for_longest_is_forgotten_first() -> None:
    buckets = Buckets(Rate(burst=1, per_hour=0), most=2)
    assert buckets.take(b"a", 0.0)
    assert buckets.take(b"b", 0.0)
    assert not buckets.take(b"a", 0.0)  # seen again: b is the oldest now
    assert buckets.take(b"c", 0.0)
    assert not buckets.take(b"a", 0.0)
    assert buckets.take(b"b", 0.0)


def test_the_first_servers_of_a_network_are_welcome_each_day() -> None:
    newcomers = Newcomers(per_day=2)
    assert newcomers.welcome(HERE, b"a", 0.0)
    assert newcomers.welcome(HERE, b"b", 0.0)
    assert not newcomers.welcome(HERE, b"c", 0.0)
    assert newcomers.welcome(HERE, b"a", 0.0)
    assert newcomers.welcome(THERE, b"c", 0.0)
    assert newcomers.welcome(HERE, b"c", DAY)


def test_as_many_networks_as_there_is_room_for_are_remembered() -> None:
    newcomers = Newcomers(per_day=1, most=1)
    assert newcomers.welcome(HERE, b"a", 0.0)
    assert not newcomers.welcome(HERE, b"b", 0.0)
    assert newcomers.welcome(THERE, b"a", 0.0)
    assert newcomers.welcome(HERE, b"b", 0.0)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("8.8.4.77", "8.8.4"),
        ("::ffff:8.8.4.4", "8.8.4"),
        ("2a00:1450:4001:82a::200e", "2a00:1450:4001"),
        ("127.0.0.1", ""),
        ("10.1.2.3", ""),
        ("fe80::1%eth0", ""),
        ("0.0.0.0", ""),  # noqa: S104  (an address that nobody could tell)
        ("nobody", ""),
    ],
)
def test_a_network_is_a_24th_of_ipv4_or_a_48th_of_ipv6(address: str, network: str) -> None:
    packed = {"8.8.4": bytes([8, 8, 4]), "2a00:1450:4001": bytes.fromhex("2a0014504001"), "": b""}
    assert network_of(address) == packed[network]


def test_a_server_a_network_and_its_newcomers_have_limits_of_their_own() -> None:
    limits = Limits(
        servers=Buckets(Rate(burst=2, per_hour=0)),
        networks=Buckets(Rate(burst=4, per_hour=0)),
        newcomers=Newcomers(per_day=1),
    )
    assert limits.judge(b"a", HERE, 0.0) is Verdict.TAKE
    assert limits.judge(b"b", HERE, 0.0) is Verdict.TAKE_IF_KNOWN
    assert limits.judge(b"a", HERE, 0.0) is Verdict.TAKE
    assert limits.judge(b"a", HERE, 0.0) is Verdict.TOO_OFTEN
    assert limits.judge(b"b", HERE, 0.0) is Verdict.TAKE_IF_KNOWN
    assert limits.judge(b"c", HERE, 0.0) is Verdict.NETWORK
    assert limits.judge(b"a", b"", 0.0) is Verdict.TOO_OFTEN
    assert limits.judge(b"", b"", 0.0) is Verdict.TAKE
