import pytest

from portal.lib.addresses import UNKNOWN, client_address, counted_address

HOPS = "203.0.113.9, 198.51.100.2, 192.0.2.1"


@pytest.mark.parametrize(
    ("forwarded", "proxies", "told"),
    [
        (HOPS, 0, "10.0.0.1"),
        (HOPS, 1, "192.0.2.1"),
        (HOPS, 2, "198.51.100.2"),
        ("192.0.2.1", 2, "192.0.2.1"),
        ("", 1, "10.0.0.1"),
        ("evil, 2001:db8::1", 1, "2001:db8::1"),
        ("nonsense", 1, UNKNOWN),
    ],
)
def test_only_our_own_proxies_are_believed(forwarded: str, proxies: int, told: str) -> None:
    meta = {"HTTP_X_FORWARDED_FOR": forwarded, "REMOTE_ADDR": "10.0.0.1"}
    assert client_address(meta, trusted_proxies=proxies) == told


def test_a_client_behind_a_socket_has_no_address() -> None:
    assert client_address({}, trusted_proxies=0) == UNKNOWN


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::"),
        (UNKNOWN, UNKNOWN),
    ],
)
def test_a_limit_counts_a_whole_network_of_ipv6_as_one(address: str, counted: str) -> None:
    assert counted_address(address) == counted
