"""Where a machine stands in its network: its own address, and those that lead nowhere else.

Promises: nothing is sent. Assumes that phones reach a machine by the address it would itself send
from.
"""

import ipaddress
import socket

# Documentation addresses (RFC 5737, RFC 3849): nothing is sent there, the system only says which
# of its own addresses it would send from.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def own_address() -> str | None:
    """Find this machine's address in its network; None without a network."""
    for family, elsewhere in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None


def is_loopback(host: str) -> bool:
    """Tell whether a host leads every machine to itself (names: RFC 6761 §6.3)."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_everywhere(host: str) -> bool:
    """Tell whether a host to listen on means every address of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def in_address(host: str) -> str:
    """Write a host as it stands in an address (RFC 3986 §3.2.2)."""
    return f"[{host}]" if ":" in host else host
