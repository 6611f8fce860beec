"""The owner's link, as text and as a QR code."""

import io
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal
from urllib.parse import quote, urlsplit

import segno

from service.access.network import is_loopback, is_wildcard, own_address, url_host
from service.errors import StartupError
from service.settings import Settings

EVERYWHERE = "0.0.0.0"  # noqa: S104 for `--lan`
_USUAL_PORTS = {"http": 80, "https": 443}
_WHITE_ON_BLACK, _AS_BEFORE = "\x1b[97;40m", "\x1b[0m"


def owner_link(
    host: str, port: int, key: str | None, scheme: Literal["http", "https"] = "http"
) -> str:
    """Return the address of the service, with a key as a sign-in link."""
    place = "" if port == _USUAL_PORTS[scheme] else f":{port}"
    return f"{scheme}://{url_host(host)}{place}/" + (
        f"login?key={quote(key, safe='')}" if key else ""
    )


def name_in_network(own: str) -> str | None:
    """Return the mDNS name of this machine (RFC 6762), None if it has none.

    It has one if the system resolves it to `own`, its address.
    """
    name = f"{socket.gethostname().partition('.')[0]}.local"
    try:
        addresses = {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    except OSError:
        return None
    return name if own in addresses else None


def reachable_host(host: str) -> str:
    """Return `host`, or this machine's own address if `host` means all addresses."""
    return own_address() or "127.0.0.1" if is_wildcard(host) else host


def show_link(sentence: str, link: str) -> None:
    """Print a link, and its QR code if a phone can open it."""
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


@contextmanager
def reserved(settings: Settings) -> Generator[int]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as shared:
        try:
            # Without SO_REUSEPORT first: services that share a port do not notice each other.
            with socket.create_server((settings.host, settings.port), family=family) as alone:
                address = alone.getsockname()
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            shared.bind(address)
        except OSError as error:
            raise StartupError(
                f"{settings.host} port {settings.port} is not usable: {error.strerror or error}",
                "Set CARNET_HOST and CARNET_PORT to an address that is free",
            ) from error
        yield int(address[1])


def numeric_host(settings: Settings) -> str:
    return str(socket.getaddrinfo(settings.host, None, type=socket.SOCK_STREAM)[0][4][0])
