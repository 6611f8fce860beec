"""Several files, an archive, or a history: every game shown, those kept that are wanted."""

from uuid import UUID

import msgspec
from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct

from service.club.spool import KeptFiles
from service.dependencies import (
    PageRequest,
    TheRecognition,
    TheRecords,
    TheUploads,
    Word,
    see_other,
)
from service.transfer.import_several import (
    BATCH_BYTES_MAX,
    GAMES_MAX,
    Batch,
    BatchWords,
    OpenedFile,
    Wanted,
    keep,
    recognised,
)
from service.web.format.render import Reader, names_of, version_of

ADDRESS = "/import/several"
_KIND = "application/json"


class BroughtGame(Struct, frozen=True, kw_only=True):
    """A game in the list. `number`: its place among those brought; `here`: the game it is here."""

    number: int
    piece: OpenedFile
    names: tuple[str, ...]
    here: UUID | None

    @property
    def new(self) -> bool:
        """Whether it would be kept unless somebody says no."""
        piece = self.piece
        return not (piece.problem or piece.kept or self.here or piece.twin is not None)


class _Named(Struct, frozen=True):
    name: str | None


def words_of(reader: Reader) -> BatchWords:
    """Say what points that come without their cards are for."""
    return BatchWords(
        lang=reader.language,
        deal=reader.gettext("Deal {number}"),
        beside=reader.gettext("Awarded beside the deals"),
        ended=reader.gettext("Recorded elsewhere"),
    )


def kept_batch(uploads: KeptFiles, batch: Batch) -> Redirect:
    """Let a batch wait, and lead to its page."""
    with uploads.draft() as draft:
        draft.out.write(msgspec.json.encode(batch))
        name = uploads.keep(draft, _KIND, "")
    return see_other(f"{ADDRESS}/{name}")


@get(f"{ADDRESS}/{{name:str}}")
async def show_several(
    request: PageRequest, uploads: TheUploads, recognition: TheRecognition, name: Word
) -> Response[str]:
    """Show every game that was brought.

    Raises: NotFound (it waited too long), StoreUnavailable
    """
    reader = Reader(request)
    batch = _read(uploads, name)
    here = await recognised(recognition, batch)
    lines = [
        BroughtGame(
            number=number,
            piece=piece,
            names=tuple(names_of(reader, [_Named(one) for one in piece.traits.players]))
            if piece.traits
            else (),
            here=piece.kept or here[number],
        )
        for number, piece in enumerate(batch.pieces)
    ]
    return reader.page(
        "import_several.html",
        name=name,
        lines=lines,
        new=[one for one in lines if one.new],
        known=[one for one in lines if not one.new and not one.piece.problem],
        faulty=[one for one in lines if one.piece.problem],
        kept=[one for one in lines if one.piece.kept],
        games_max=GAMES_MAX,
        bytes_max=BATCH_BYTES_MAX,
    )


@post(f"{ADDRESS}/{{name:str}}")
async def keep_several(
    request: PageRequest, uploads: TheUploads, records: TheRecords, name: Word
) -> Redirect:
    """Keep the games that were chosen, and show what became of them.

    Raises: NotFound, StoreUnavailable
    """
    batch = _read(uploads, name)
    form = list((await request.form()).multi_items())
    chosen = {_number(value) for field, value in form if field == "keep"}
    again = {_number(value) for field, value in form if field == "again"}
    wanted = Wanted(once=chosen, again=again)
    done = await keep(records, batch, wanted, request.user.by(), name)
    return kept_batch(uploads, done)


def _number(value: object) -> int | None:
    return version_of(value) if isinstance(value, str) else None


def _read(uploads: KeptFiles, name: str) -> Batch:
    return msgspec.json.decode(uploads.find(name).path.read_bytes(), type=Batch)
