"""QR codes of links."""

from urllib.parse import urlsplit

import segno
from markupsafe import Markup

from service.access.hosts import shared_base
from service.access.network import is_loopback
from service.dependencies import PageRequest


def qr_code(request: PageRequest, url: str) -> Markup | None:
    """Draw a link as SVG; None if it points to localhost, which other phones cannot open."""
    if only_here(request):
        return None
    drawing = segno.make(url, micro=False).svg_inline(border=4, light="#fff", omitsize=True)
    return Markup(drawing)  # noqa: S704 segno draws it


def only_here(request: PageRequest) -> str:
    """Return the host of links if it is a loopback address, else ""."""
    base = urlsplit(shared_base(request))
    return base.netloc if is_loopback(base.hostname or "") else ""
