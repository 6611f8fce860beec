"""Filter of the games of an upload: by game, player and days."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date

from msgspec import Struct

from schemas.names import normalized_name

FIELDS = ("game", "player", "from", "to")
# A shorter list needs no filter.
GAMES_MIN = 10


class ImportFilter(Struct, frozen=True, kw_only=True):
    """What to show of an upload. `typed`: the valid fields; `games`, `players`: to choose from."""

    typed: dict[str, str]
    games: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    def fits(self, game: str, players: Iterable[str | None], day: date | None) -> bool:
        names = {normalized_name(player or "") for player in players}
        asked = self.typed.get("player")
        first, last = self.typed.get("from"), self.typed.get("to")
        return (
            self.typed.get("game", game) == game
            and (asked is None or normalized_name(asked) in names)
            and (first is None or (day is not None and first <= day.isoformat()))
            and (last is None or (day is not None and day.isoformat() <= last))
        )


def read_filter(asked: Mapping[str, str]) -> ImportFilter:
    typed = {field: asked[field] for field in FIELDS[:2] if asked.get(field)}
    for field in FIELDS[2:]:
        with suppress(ValueError):
            typed[field] = date.fromisoformat(asked.get(field, "")).isoformat()
    return ImportFilter(typed=typed)


def names_in(tables: Iterable[Iterable[str | None]]) -> tuple[str, ...]:
    """Return the names of all tables, each once, in alphabetical order."""
    names = {normalized_name(name): name for table in tables for name in table if name}
    return tuple(names[key] for key in sorted(names))
