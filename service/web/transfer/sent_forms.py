"""Streaming parser of forms with files: files go to disk, text fields are limited."""

from collections.abc import AsyncIterator
from contextlib import ExitStack
from urllib.parse import parse_qsl

from litestar.exceptions import ClientException
from msgspec import Struct
from multipart import (  # type: ignore[import-untyped]
    MultipartError,
    MultipartSegment,
    ParserLimitReached,
    PushMultipartParser,
    parse_options_header,
)

from service.club.temporary_files import TemporaryFiles, UnfinishedFile
from service.dependencies import PageRequest
from service.errors import UnreadableForm
from service.transfer.uploads import BYTES_MAX

HEAD_BYTES = 400
# URL-encoding can triple the size of a text.
_TEXT_BYTES_MAX = 3 * BYTES_MAX + 64 * 1024
_PARTS_MAX = 1_000
_KIND = "application/octet-stream"


class SentFile(Struct, frozen=True, kw_only=True):
    """A file of a form. `stored_name`: its name in the temporary store; `head`: its first bytes."""

    name: str
    stored_name: str
    head: bytes
    size: int


class SentForm(Struct, frozen=True, kw_only=True):
    """A form's text fields (the last value of each) and its files in order."""

    fields: dict[str, str]
    files: tuple[SentFile, ...]


async def read_form(request: PageRequest, uploads: TemporaryFiles) -> SentForm:
    """Parse a form; its files are stored in `uploads`. Raises: UnreadableForm."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == "multipart/form-data" and options.get("boundary"):
        return await _Parts(uploads).read(request.stream(), options["boundary"])
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _TEXT_BYTES_MAX:
            raise _TOO_LONG
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_PARTS_MAX)
    except ValueError:
        raise UnreadableForm from None
    return SentForm(fields=dict(pairs), files=())


_TOO_LONG = ClientException("The texts of this form are too long.", status_code=413)


class _Parts:
    def __init__(self, uploads: TemporaryFiles) -> None:
        self._uploads = uploads
        self._fields: dict[str, str] = {}
        self._files: list[SentFile] = []
        self._text = bytearray()
        self._texts_bytes = 0
        self._draft: UnfinishedFile | None = None
        self._head = b""
        self._size = 0

    async def read(self, stream: AsyncIterator[bytes], boundary: str) -> SentForm:
        try:
            with ExitStack() as drafts, self._parser(boundary) as parser:
                segment: MultipartSegment | None = None
                async for chunk in stream:
                    for part in parser.parse(chunk) if chunk else ():
                        if isinstance(part, MultipartSegment):
                            segment = part
                            if segment.filename:
                                self._draft = drafts.enter_context(self._uploads.draft())
                        elif part:
                            self._add(part)
                        elif segment is not None:
                            self._end(segment)
        except ParserLimitReached:
            raise UnreadableForm(too_large=True) from None
        except (MultipartError, UnicodeDecodeError):
            raise UnreadableForm from None
        return SentForm(fields=self._fields, files=tuple(self._files))

    @staticmethod
    def _parser(boundary: str) -> PushMultipartParser:
        return PushMultipartParser(boundary, max_segment_count=_PARTS_MAX)

    def _add(self, part: bytes | bytearray) -> None:
        if self._draft is None:
            self._text += part
            self._texts_bytes += len(part)
            if self._texts_bytes > _TEXT_BYTES_MAX:
                raise _TOO_LONG
            return
        if len(self._head) < HEAD_BYTES:
            self._head += bytes(part[: HEAD_BYTES - len(self._head)])
        self._size += self._draft.out.write(part)

    def _end(self, segment: MultipartSegment) -> None:
        if self._draft is None:
            self._fields[segment.name or ""] = self._text.decode()
            self._text = bytearray()
            return
        name = segment.filename or ""
        stored_name = self._uploads.keep(self._draft, _KIND, name)
        self._draft.out.close()
        self._files.append(
            SentFile(name=name, stored_name=stored_name, head=self._head, size=self._size)
        )
        self._draft, self._head, self._size = None, b"", 0
