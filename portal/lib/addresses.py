"""The network address of a client: what the proxies of ours say, never what the client says."""

import ipaddress
from collections.abc import Mapping

UNKNOWN = "0.0.0.0"  # noqa: S104  (no address to listen on: a client that we cannot name)


def client_address(meta: Mapping[str, str], *, trusted_proxies: int) -> str:
    """The address that the outermost of `trusted_proxies` proxies saw.

    Each proxy appends to X-Forwarded-For the address it was called from; only as many entries as
    there are proxies of ours can be believed, counted from the end. `meta` is `request.META`.
    """
    hops = [hop.strip() for hop in meta.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
    believed = hops[-trusted_proxies:] if trusted_proxies else []
    told = believed[0] if believed else meta.get("REMOTE_ADDR", "")
    try:
        return str(ipaddress.ip_address(told))
    except ValueError:
        return UNKNOWN


def counted_address(address: str) -> str:
    """What a limit counts as one visitor: an IPv4 address, or the /64 of an IPv6 address.

    A /64 is the least that a connection gets, and any program behind it may use all of it.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)
