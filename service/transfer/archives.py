"""Unpacks uploaded archives within limits on count and size (zip bombs)."""

import io
import zipfile
import zlib
from collections.abc import Iterator

UNPACKED_BYTES_MAX = 64 * 1024 * 1024
MEMBERS_MAX = 2_000
_LOCKED = 0x1
_AT_ONCE = 1 << 16


class BadArchive(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """An invalid archive, or one over the limits. `large`: its content is too large."""

    def __init__(self, *, large: bool = False) -> None:
        super().__init__("too large" if large else "unreadable")
        self.large = large


def unpack(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file in a zip archive. Raises: BadArchive."""
    left = UNPACKED_BYTES_MAX
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MEMBERS_MAX or sum(member.file_size for member in members) > left:
                raise BadArchive(large=True)
            for member in members:
                if member.flag_bits & _LOCKED:
                    raise BadArchive
                content = _read_member(archive, member, left)
                left -= len(content)
                yield member.filename, content
    except (
        *(zipfile.BadZipFile, zlib.error, ValueError, OSError),
        # `zipfile` raises IndexError for a member without a name.
        *(NotImplementedError, RuntimeError, EOFError, IndexError),
    ):
        raise BadArchive from None


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Read a file of the archive, at most `most` bytes; its declared size may be false."""
    parts: list[bytes] = []
    size = 0
    with archive.open(member) as stream:
        while part := stream.read(_AT_ONCE):
            size += len(part)
            if size > most:
                raise BadArchive(large=True)
            parts.append(part)
    return b"".join(parts)
