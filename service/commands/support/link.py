"""The link a phone is let in by, in characters and as a QR code."""

import io
import socket
import sys
from typing import Literal
from urllib.parse import quote, urlsplit

import segno

from service.access.network import in_address, is_everywhere, is_loopback, own_address

_USUAL_PORTS = {"http": 80, "https": 443}
_WHITE_ON_BLACK, _AS_BEFORE = "\x1b[97;40m", "\x1b[0m"


def owner_link(
    host: str, port: int, key: str | None, scheme: Literal["http", "https"] = "http"
) -> str:
    """Write the address of the service; with a key, the link that lets its holder in."""
    place = "" if port == _USUAL_PORTS[scheme] else f":{port}"
    return f"{scheme}://{in_address(host)}{place}/" + (
        f"login?key={quote(key, safe='')}" if key else ""
    )


def name_in_network(own: str) -> str | None:
    """Return the name by which phones find this machine (mDNS, RFC 6762), if it has one.

    It has where the system resolves it to `own`, its address.
    """
    name = f"{socket.gethostname().partition('.')[0]}.local"
    try:
        found = {str(one[4][0]) for one in socket.getaddrinfo(name, None)}
    except OSError:
        return None
    return name if own in found else None


def reachable_host(host: str) -> str:
    """Return the address a phone can use for `host`: where it means all, this machine's own."""
    return own_address() or "127.0.0.1" if is_everywhere(host) else host


def show_link(sentence: str, link: str) -> None:
    """Print a link, and its QR code where a phone can open it."""
    sys.stdout.write(f"\n{sentence}\n\n    {link}\n\n")
    if not is_loopback(urlsplit(link).hostname or ""):
        sys.stdout.write(qr_code(link, coloured=sys.stdout.isatty()) + "\n")
    sys.stdout.flush()


def qr_code(link: str, *, coloured: bool = True) -> str:
    """Draw a QR code (ISO/IEC 18004, level L) in characters, two modules to one."""
    drawn = io.StringIO()
    segno.make_qr(link, error="l").terminal(drawn, border=2, compact=True)
    lines = drawn.getvalue().splitlines()
    if not coloured:
        return "".join(f"{line}\n" for line in lines)
    return "".join(f"{_WHITE_ON_BLACK}{line}{_AS_BEFORE}\n" for line in lines)
