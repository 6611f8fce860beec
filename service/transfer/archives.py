"""What is packed together: read within limits, so that a small file cannot become a huge one."""

import io
import zipfile
import zlib
from collections.abc import Iterator

UNPACKED_BYTES_MAX = 64 * 1024 * 1024
MEMBERS_MAX = 2_000
_LOCKED = 0x1
_AT_ONCE = 1 << 16


class BadArchive(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """A file that is no archive, or one that is not unpacked. `large`: it holds too much."""

    def __init__(self, *, large: bool = False) -> None:
        super().__init__("too large" if large else "unreadable")
        self.large = large


def unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Unpack an archive, file by file.

    Raises: BadArchive
    """
    left = UNPACKED_BYTES_MAX
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            if len(members) > MEMBERS_MAX or sum(one.file_size for one in members) > left:
                raise BadArchive(large=True)
            for member in members:
                if member.flag_bits & _LOCKED:
                    raise BadArchive
                content = _read(archive, member, left)
                left -= len(content)
                yield member.filename, content
    except (
        *(zipfile.BadZipFile, zlib.error, ValueError, OSError),
        # A member without a name is an IndexError.
        *(NotImplementedError, RuntimeError, EOFError, IndexError),
    ):
        raise BadArchive from None


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Unpack a file, `most` bytes of it: what it says of its size may be a lie."""
    parts: list[bytes] = []
    size = 0
    with archive.open(member) as stream:
        while part := stream.read(_AT_ONCE):
            size += len(part)
            if size > most:
                raise BadArchive(large=True)
            parts.append(part)
    return b"".join(parts)
