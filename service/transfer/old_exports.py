"""Exports of formats 1 and 2, whose hash chains do not cover the players."""

from uuid import UUID

from msgspec import structs

from service.store.log.chain import entry_hash, seating_hash
from service.transfer.export_lines import EntryPart, ExportedGameLine

_FIRST_HASH = bytes(32)  # what the first entry of a chain followed then


def upgrade(line: ExportedGameLine, club_id: UUID) -> ExportedGameLine:
    """Return a game of an old export with the hashes of format 3.

    The old chain is verified: after the first entry with a wrong hash, hashes are left unchanged,
    so that the import refuses the game and names that entry.

    Raises:
        ValueError: an entry has no type, or an invalid hash or salt.
    """
    old, new = _FIRST_HASH, seating_hash(line.players)
    parts: list[EntryPart] = []
    whole = True
    for part, link in zip(line.entries, line.links(), strict=True):
        whole = whole and link.entry.hash == entry_hash(club_id, link, old)
        old, new = link.entry.hash, entry_hash(club_id, link, new)
        parts.append(structs.replace(part, hash=new.hex()) if whole else part)
    return structs.replace(line, entries=tuple(parts))
