"""Style sheets and scripts, at addresses that change with their content."""

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
    "mp4": "video/mp4",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webm": "video/webm",
    "webmanifest": "application/manifest+json",
}
_BESIDE = "+"
FOREVER = "public, max-age=31536000, immutable"
# A JSDoc comment; a line that is a comment; what a line begins with. No text of ours has `/**`, and
# none of a style sheet's has `/*`.
_UNSENT = {
    ".js": re.compile(rb"/\*\*.*?\*/[ \t]*|^[ \t]*//[^\n]*\n|^[ \t]+", re.MULTILINE | re.DOTALL),
    ".css": re.compile(rb"^[ \t]*/\*.*?\*/\n|/\*.*?\*/[ \t]*|^[ \t]+", re.MULTILINE | re.DOTALL),
}


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

    def sheets(self, *names: str | None) -> str:
        """Return where style sheets are found as one, in this order; None: there is none.

        Raises:
            KeyError: no such sheet.

        """
        known = [name for name in names if name is not None]
        for name in known:
            self.address(f"{name}.css")
        return f"/static/{self.digest}/{_BESIDE.join(known)}.css"

    def own_sheet(self, ruleset: str) -> str | None:
        """Return the name of a game's style sheet, if it has one."""
        return ruleset if f"{ruleset}.css" in self.content else None

    def found(self, name: str) -> bytes:
        """Return a file, or several style sheets as one.

        Raises:
            KeyError: no such file; a sheet that is asked for twice.

        """
        stem, _, suffix = name.rpartition(".")
        parts = stem.split(_BESIDE) if suffix == "css" else [stem]
        if len({*parts}) < len(parts):
            raise KeyError(name)
        return b"".join(self.content[f"{part}.{suffix}"] for part in parts)


def _files() -> list[Path]:
    pages = Path(__file__).parent.parent
    return [*pages.glob("*/static/*"), *pages.glob("games/*")]


@lru_cache
def static_files() -> StaticFiles:
    """Read every static file, once."""
    content = {
        file.name: stripped(file.read_bytes(), file.suffix)
        for file in sorted(_files(), key=lambda file: file.name)
        if file.suffix[1:] in TYPES
    }
    digest = sha256(b"".join(content.values())).hexdigest()[:12]
    return StaticFiles(digest=digest, content=content)


def stripped(content: bytes, suffix: str) -> bytes:
    """Return a script or style sheet without comments and indentation, other files as they are.

    Every statement of a script stays on its line.
    """
    unsent = _UNSENT.get(suffix)
    return unsent.sub(b"", content) if unsent else content


@get("/offline.js", opt={"public": True}, include_in_schema=False)
async def worker() -> Response[bytes]:
    """Send the worker that shows tables without a network: from the root, which it may serve."""
    return Response(
        static_files().content["offline.js"],
        media_type=TYPES["js"],
        headers={"Cache-Control": "no-cache"},
    )


@get("/static/{digest:str}/{name:str}", opt={"public": True}, include_in_schema=False)
async def static_file(digest: Word, name: Word) -> Response[bytes]:
    """Send a file; an old page that asks under an old digest gets today's, uncached."""
    files = static_files()
    try:
        content = files.found(name)
    except KeyError as unknown:
        raise NotFoundException from unknown
    return Response(
        content,
        media_type=TYPES[name.rpartition(".")[2]],
        headers={"Cache-Control": FOREVER if digest == files.digest else "no-store"},
    )
