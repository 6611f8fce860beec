"""A link as a QR code, where another phone can open it."""

from urllib.parse import urlsplit

import segno
from markupsafe import Markup

from service.access.hosts import shared_base
from service.access.network import is_loopback
from service.dependencies import PageRequest


def qr_code(request: PageRequest, url: str) -> Markup | None:
    """Draw a link; None: the address leads other machines to themselves."""
    if only_here(request):
        return None
    drawing = segno.make(url, micro=False).svg_inline(border=4, light="#fff", omitsize=True)
    return Markup(drawing)  # noqa: S704 segno draws it


def only_here(request: PageRequest) -> str:
    """Return the host that links name where it leads other machines to themselves, else ""."""
    base = urlsplit(shared_base(request))
    return base.netloc if is_loopback(base.hostname or "") else ""
