"""Static files at addresses that contain a digest of all content."""

import re
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.response import Response
from msgspec import Struct

from service.dependencies import Word

TYPES = {
    "css": "text/css",
    "mp4": "video/mp4",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webm": "video/webm",
    "webmanifest": "application/manifest+json",
}
_COMPRESSIBLE = {"css", "js", "svg", "webmanifest"}
_COMPRESSED_MAX = 256
_SHEET_SEPARATOR = "+"
FOREVER = "public, max-age=31536000, immutable"
# JSDoc blocks, comment lines and indentation; in a style sheet every space that means nothing. Safe
# only because no string in a script contains `/**`, and none in a style sheet `/*` or such spaces.
_STRIPPED = {
    ".js": re.compile(rb"/\*\*.*?\*/[ \t]*|^[ \t]*//[^\n]*\n|^[ \t]+", re.MULTILINE | re.DOTALL),
    ".css": re.compile(rb"/\*.*?\*/\s*|(?<=[:,;{}>])\s+|\s+(?=[{}>])|;\s*(?=\})", re.DOTALL),
}


class StaticFiles(Struct, frozen=True, kw_only=True):
    """All static files by name, with their common digest."""

    digest: str
    content: dict[str, bytes]

    def address(self, name: str) -> str:
        """Return the URL path of a file. Raises: KeyError (no such file)."""
        if name not in self.content:
            raise KeyError(name)
        return f"/static/{self.digest}/{name}"

    def sheets(self, *names: str | None) -> str:
        """Return one URL path for several style sheets in this order; None is skipped.

        Raises: KeyError (no such sheet)
        """
        known = [name for name in names if name is not None]
        for name in known:
            self.address(f"{name}.css")
        return f"/static/{self.digest}/{_SHEET_SEPARATOR.join(known)}.css"

    def own_sheet(self, ruleset: str) -> str | None:
        return ruleset if f"{ruleset}.css" in self.content else None

    def read(self, name: str) -> bytes:
        """Return the content of a file or of concatenated style sheets.

        Raises: KeyError (no such file, or a sheet is named twice)
        """
        stem, _, suffix = name.rpartition(".")
        parts = stem.split(_SHEET_SEPARATOR) if suffix == "css" else [stem]
        if len({*parts}) < len(parts):
            raise KeyError(name)
        return b"".join(self.content[f"{part}.{suffix}"] for part in parts)


def _files() -> list[Path]:
    pages = Path(__file__).parent.parent
    return [*pages.glob("*/static/*"), *pages.glob("games/*")]


@lru_cache
def static_files() -> StaticFiles:
    content = {
        file.name: strip_comments(file.read_bytes(), file.suffix)
        for file in sorted(_files(), key=lambda file: file.name)
        if file.suffix[1:] in TYPES
    }
    digest = sha256(b"".join(content.values())).hexdigest()[:12]
    return StaticFiles(digest=digest, content=content)


def strip_comments(content: bytes, suffix: str) -> bytes:
    """Remove comments and spaces from a script or style sheet; other files are unchanged.

    Lines of a script are preserved, so error positions stay meaningful.
    """
    pattern = _STRIPPED.get(suffix)
    return pattern.sub(b"", content) if pattern else content


@get("/offline.js", opt={"public": True}, include_in_schema=False)
async def service_worker() -> Response[bytes]:
    return Response(
        static_files().content["offline.js"],
        media_type=TYPES["js"],
        # The policy of its script limits what the service worker may fetch.
        headers={
            "Cache-Control": "no-cache",
            "Content-Security-Policy": "default-src 'self'",
        },
    )


@lru_cache(_COMPRESSED_MAX)
def _compressed(name: str) -> bytes:
    # At the highest level, because each file is compressed once for all requests.
    return compress(static_files().read(name), mtime=0)


@get(
    "/static/{digest:str}/{name:str}",
    opt={"public": True, "exclude_from_compression": True},
    include_in_schema=False,
)
async def static_file(request: Request[Any, Any, Any], digest: Word, name: Word) -> Response[bytes]:
    """Return a file; an outdated digest gets the current content with `no-store`."""
    files = static_files()
    suffix = name.rpartition(".")[2]
    headers = {"Cache-Control": FOREVER if digest == files.digest else "no-store"}
    try:
        content = files.read(name)
        if suffix in _COMPRESSIBLE:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("Accept-Encoding", ""):
                content = _compressed(name)
                headers["Content-Encoding"] = "gzip"
    except KeyError as error:
        raise NotFoundException from error
    return Response(content, media_type=TYPES[suffix], headers=headers)
