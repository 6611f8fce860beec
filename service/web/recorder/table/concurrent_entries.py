"""Entries of other recorders since a form was opened: the same facts or different ones."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from schemas.entries import Entry, Version
from service.access.principal import Principal
from service.play.snapshots import GameSnapshot
from service.play.views import EntryView
from service.store.records import Recorder
from service.web.format.render import Reader, names_of
from service.web.recorder.table.entry_data import DERIVED, read_entry, to_plain

Json = dict[str, Any]
_ASIDE = ("at", "unsure")


class ConcurrentEntry(Struct, frozen=True, kw_only=True):
    """An entry of another recorder: `had` if it equals the submitted one, else `noted`."""

    version: Version
    entry: Json
    had: str
    noted: str


class ConcurrentEntries(Struct, frozen=True, kw_only=True):
    """The entries submitted since a version; `same` counts those equal to the sent ones.

    `version` is that of the last one.
    """

    lines: tuple[ConcurrentEntry, ...] = ()
    same: int = 0
    version: Version = 0


class Others(Struct, frozen=True, kw_only=True):
    """The other recorders of a game, by id, as seen by one of them."""

    reader: Reader
    who: Principal
    recorders: Mapping[UUID, Recorder]

    def since(
        self, moment: GameSnapshot, version: Version, sent: Sequence[Entry]
    ) -> ConcurrentEntries:
        """Return the entries after `version`, and whether they begin with all that was sent."""
        rows = [row for row in moment.log(version) if row.type not in DERIVED]
        facts = [fact(read_entry(row)) for row in rows]
        wanted = [fact(to_plain(entry)) for entry in sent]
        same = len(wanted) if wanted == facts[: len(wanted)] else 0
        return ConcurrentEntries(
            lines=tuple(self._concurrent_entry(moment, row) for row in rows),
            same=same,
            version=rows[same - 1].version if same else 0,
        )

    def had(self, moment: GameSnapshot, version: Version) -> str:
        """Return the recorder of `version` in words; empty if there is no such entry."""
        found = [row for row in moment.log(version - 1)[:1] if row.type not in DERIVED]
        return self._concurrent_entry(moment, found[0]).had if version > 1 and found else ""

    def _concurrent_entry(self, moment: GameSnapshot, row: EntryView) -> ConcurrentEntry:
        reader, entry = self.reader, read_entry(row)
        words = reader.say(entry, moment.ruleset, names_of(reader, moment.players))
        said = {"who": self._recorder_name(moment, row.version), "entry": words}
        return ConcurrentEntry(
            version=row.version,
            entry=fact(entry),
            had=reader.gettext("%(who)s had it already: %(entry)s") % said,
            noted=reader.gettext("%(who)s noted meanwhile: %(entry)s") % said,
        )

    def _recorder_name(self, moment: GameSnapshot, version: Version) -> str:
        holder_id = moment.loaded.rows[version - 1].recorded_by
        if holder_id == self.who.recorded_as(moment.id):
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
    """Return the content of an entry without times and marks."""
    return {name: value for name, value in entry.items() if name not in _ASIDE}
