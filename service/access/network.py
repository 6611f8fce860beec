"""The machine's own address in its network, and the hosts and networks of addresses."""

import ipaddress
import socket

# Documentation addresses (RFC 5737, RFC 3849): connecting a UDP socket sends nothing, it only
# selects the outgoing address.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def own_address() -> str | None:
    """Return this machine's address in its network; None without a network."""
    for family, elsewhere in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None


def is_loopback(host: str) -> bool:
    """Return whether a host is loopback; `localhost` and its subdomains are (RFC 6761 §6.3)."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_wildcard(host: str) -> bool:
    """Return whether a host to listen on means every address of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def url_host(host: str) -> str:
    """Write a host as in a URL: IPv6 in brackets (RFC 3986 §3.2.2)."""
    return f"[{host}]" if ":" in host else host
