"""Style sheets and scripts, at addresses that change with their content.

Promises: a file at such an address never changes, so that a phone asks for it once. All files share
one digest, because modules import each other by relative address. Lines of scripts that hold a
comment and nothing else stay here: phones have no use for them, and they are a third of the weight.
"""

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.response import Response
from msgspec import Struct

from service.dependencies import Word

TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_COMMENT_LINES = re.compile(
    rb"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL
)
FOREVER = "public, max-age=31536000, immutable"


class StaticFiles(Struct, frozen=True, kw_only=True):
    """All static files by name, and their common digest."""

    digest: str
    content: dict[str, bytes]

    def address(self, name: str) -> str:
        """Return where a file is found.

        Raises:
            KeyError: no such file.

        """
        if name not in self.content:
            raise KeyError(name)
        return f"/static/{self.digest}/{name}"


def _files() -> list[Path]:
    """Find what every room of the pages brings, and every game; no two share a name."""
    pages = Path(__file__).parent.parent
    return [*pages.glob("*/static/*"), *pages.glob("games/*")]


def _sent(file: Path) -> bytes:
    """Read a file as it is sent."""
    content = file.read_bytes()
    return _COMMENT_LINES.sub(b"", content) if file.suffix == ".js" else content


@lru_cache
def static_files() -> StaticFiles:
    """Read every static file, once."""
    content = {
        file.name: _sent(file)
        for file in sorted(_files(), key=lambda file: file.name)
        if file.suffix[1:] in TYPES
    }
    digest = sha256(b"".join(content.values())).hexdigest()[:12]
    return StaticFiles(digest=digest, content=content)


@get("/static/{digest:str}/{name:str}", opt={"public": True}, include_in_schema=False)
async def static_file(digest: Word, name: Word) -> Response[bytes]:
    """Send a file; an old page that asks under an old digest gets today's, uncached."""
    found = static_files()
    if name not in found.content:
        raise NotFoundException
    return Response(
        found.content[name],
        media_type=TYPES[name.rpartition(".")[2]],
        headers={"Cache-Control": FOREVER if digest == found.digest else "no-store"},
    )
