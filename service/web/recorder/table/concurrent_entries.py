"""What others recorded while a form was filled in: the same fact, or another one, and by whom."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct, json

from schemas.entries import Entry, Version
from service.access.principal import Principal
from service.play.snapshots import GameSnapshot
from service.play.views import EntryView
from service.store.records import Recorder
from service.web.format.render import Reader, names_of
from service.web.recorder.table.board import DERIVED, read_entry

Json = dict[str, Any]
_ASIDE = ("at", "unsure")


class Noted(Struct, frozen=True, kw_only=True):
    """An entry that somebody else recorded: `had` says that they had the same, `noted` what."""

    version: Version
    entry: Json
    had: str
    noted: str


class Meanwhile(Struct, frozen=True, kw_only=True):
    """What was written by hand since a version; `same` counts how many of it were sent too.

    `version`: of the last of those.
    """

    lines: tuple[Noted, ...] = ()
    same: int = 0
    version: Version = 0


class Others(Struct, frozen=True, kw_only=True):
    """Who else records a game (`recorders`, by their ids), seen by somebody."""

    reader: Reader
    who: Principal
    recorders: Mapping[UUID, Recorder]

    def since(self, moment: GameSnapshot, version: Version, sent: Sequence[Entry]) -> Meanwhile:
        """Tell what was recorded after `version`, and whether it begins with all that was sent."""
        rows = [row for row in moment.log(version) if row.type not in DERIVED]
        facts = [fact(read_entry(row)) for row in rows]
        wanted = [fact(json.decode(json.encode(entry))) for entry in sent]
        same = len(wanted) if wanted == facts[: len(wanted)] else 0
        return Meanwhile(
            lines=tuple(self._noted(moment, row) for row in rows),
            same=same,
            version=rows[same - 1].version if same else 0,
        )

    def had(self, moment: GameSnapshot, version: Version) -> str:
        """Say who had recorded `version` already; empty where there is no such entry."""
        found = [row for row in moment.log(version - 1)[:1] if row.type not in DERIVED]
        return self._noted(moment, found[0]).had if version > 1 and found else ""

    def _noted(self, moment: GameSnapshot, row: EntryView) -> Noted:
        reader, entry = self.reader, read_entry(row)
        words = reader.say(entry, moment.ruleset, names_of(reader, moment.players))
        said = {"who": self._who(moment, row.version), "entry": words}
        return Noted(
            version=row.version,
            entry=fact(entry),
            had=reader.gettext("%(who)s had it already: %(entry)s") % said,
            noted=reader.gettext("%(who)s noted meanwhile: %(entry)s") % said,
        )

    def _who(self, moment: GameSnapshot, version: Version) -> str:
        holder_id = moment.loaded.rows[version - 1].recorded_by
        if holder_id == self.who.by(moment.id):
            return self.reader.gettext("Another phone")
        if holder_id is None:
            return self.reader.gettext("The owner")
        known = self.recorders.get(holder_id)
        if known is not None and known.name:
            return known.name
        if known is None or known.number is None:
            return self.reader.gettext("Another phone")
        return self.reader.gettext("Link %(number)s") % {"number": known.number}


def fact(entry: Mapping[str, Any]) -> Json:
    """Return what an entry says of the table."""
    return {name: value for name, value in entry.items() if name not in _ASIDE}
