"""The import form: a file or pasted text, with the chosen seating."""

from codecs import BOM_UTF8
from typing import Literal
from uuid import UUID

from msgspec import Struct

from service.club.temporary_files import TemporaryFiles
from service.transfer.uploads import BYTES_MAX, Format, Seated
from service.web.format.render import uuid_of
from service.web.transfer.sent_forms import SentForm

Wrong = Literal["empty", "large", "packed", "pdf", "utf-16", "binary"]

_BEGINNINGS: tuple[tuple[bytes, Wrong], ...] = (
    (b"PK\x03\x04", "packed"),  # XLSX, ODS, ZIP
    (b"\xd0\xcf\x11\xe0", "packed"),  # XLS
    (b"\x1f\x8b", "packed"),
    (b"%PDF", "pdf"),
    (b"\xff\xfe", "utf-16"),  # Windows calls it Unicode
    (b"\xfe\xff", "utf-16"),
)


class Upload(Struct, frozen=True, kw_only=True):
    """A submitted import form. `name`: the file's name or "".

    `wrong`: why `data` is rejected unread. `text`: the text to show again; None if the bytes are
    not UTF-8. `again`: import a copy although the game exists.
    """

    data: bytes
    name: str
    wrong: Wrong | None
    text: str | None
    imports: bool
    again: bool
    command: str
    hash: str
    who: dict[str, str]

    @property
    def readable(self) -> str:
        """The text with invalid bytes replaced; lines and columns match those of the bytes."""
        return self.data.removeprefix(BOM_UTF8).decode("utf-8", "replace")

    @property
    def form(self) -> Format | None:
        suffix = self.name.casefold().rpartition(".")[2]
        return "json" if suffix == "json" else "text" if suffix == "carnet" else None

    def chosen_players(self, seats: int) -> tuple[Seated, ...]:
        """Return the chosen player of each seat; empty if the form has another number of seats."""
        if f"name.{seats - 1}" not in self.who or f"name.{seats}" in self.who:
            return ()
        return tuple(self._player_of(seat) for seat in range(seats))

    def _player_of(self, seat: int) -> Seated:
        player: UUID | None = uuid_of(self.who.get(f"seat.{seat}", ""))
        name = None if player else self.who[f"name.{seat}"].strip() or None
        return Seated(id=player, name=name, same_name=f"same.{seat}" in self.who)


def read_upload(form: SentForm, uploads: TemporaryFiles) -> Upload:
    """Read the form; a file takes precedence over pasted text."""
    fields = form.fields
    data, name = fields.get("text", "").encode("utf-8", "replace"), ""
    if form.files:
        name = form.files[0].name
        with uploads.find(form.files[0].stored_name).path.open("rb") as file:
            data = file.read(BYTES_MAX + 1)
    return Upload(
        data=data,
        name=name,
        wrong=_wrong(data),
        text=_text(data),
        imports=fields.get("do") in {"import", "again"},
        again=fields.get("do") == "again",
        command=fields.get("command", ""),
        hash=fields.get("hash", ""),
        who={
            key: value
            for key, value in fields.items()
            if key.startswith(("seat.", "name.", "same."))
        },
    )


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _wrong(data: bytes) -> Wrong | None:
    if not data.removeprefix(BOM_UTF8).strip():
        return "empty"
    for beginning, wrong in _BEGINNINGS:
        if data.startswith(beginning):
            return wrong
    if len(data) > BYTES_MAX:
        return "large"
    return "binary" if b"\0" in data else None
