import pytest

from portal.lib.addresses import UNKNOWN, client_address

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
