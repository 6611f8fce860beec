"""Who is meant by a name; apart from the database, because each reader of an upload imports it."""

from collections.abc import Container, Iterable, Mapping, Sequence
from uuid import UUID

from schemas.names import normalized_name, similar_spellings
from service.store.records import Player

Choices = Mapping[str, UUID | str]


class NameBook:
    """All people with a name, indexed by folded names.

    The name of a merged entry leads to its person. `called`: id and name of each entry with its
    person. `choices`: per folded name a chosen person, or another name to use instead.
    """

    def __init__(
        self,
        rows: Sequence[tuple[UUID, str, Player]] = (),
        choices: Choices | None = None,
    ) -> None:
        self._entries = rows
        self._people = {entry: player for entry, _, player in rows}
        self._choices = choices or {}
        self._called: dict[str, list[tuple[str, Player]]] = {}
        self._like: dict[str, list[Player]] = {}
        for _, name, player in rows:
            self._called.setdefault(normalized_name(name), []).append((name, player))
            for key in similar_spellings(name):
                self._like.setdefault(key, []).append(player)

    def with_choices(self, choices: Choices) -> "NameBook":
        """Return the same people with some ambiguous names resolved."""
        return NameBook(self._entries, choices)

    def everybody(self) -> tuple[Player, ...]:
        return _distinct(player for _, _, player in self._entries)

    def merged_into(self, player_id: UUID) -> tuple[tuple[UUID, str], ...]:
        return tuple(
            (entry, name)
            for entry, name, player in self._entries
            if player.player_id == player_id and entry != player_id
        )

    def person(self, player_id: UUID) -> Player | None:
        """Find a person by the id of any of their entries; None: unknown or forgotten."""
        return self._people.get(player_id)

    def find(self, name: str, seated: Container[UUID] = ()) -> Player | None:
        """Find a person of this name who is not `seated`, an exact spelling first."""
        chosen = self.chosen(name)
        if chosen is not None and chosen.player_id not in seated:
            return chosen
        free = [
            (spelling != name, number, player)
            for number, (spelling, player) in enumerate(self._called.get(normalized_name(name), []))
            if player.player_id not in seated
        ]
        return min(free)[2] if free else None

    def chosen(self, name: str) -> Player | None:
        choice = self._choices.get(normalized_name(name))
        return self._people.get(choice) if isinstance(choice, UUID) else None

    def meant(self, name: str) -> str:
        """Return the name that was chosen instead of this one, or this one."""
        choice = self._choices.get(normalized_name(name))
        return choice if isinstance(choice, str) else name

    def find_all(self, name: str) -> tuple[Player, ...]:
        return _distinct(player for _, player in self._called.get(normalized_name(name), []))

    def like(self, name: str) -> tuple[Player, ...]:
        """List people whose names differ from this one in accents, hyphens or spaces only."""
        same = {player.player_id for player in self.find_all(name)}
        players = _distinct(
            player for key in similar_spellings(name) for player in self._like.get(key, [])
        )
        return tuple(player for player in players if player.player_id not in same)


def _distinct(players: Iterable[Player]) -> tuple[Player, ...]:
    return tuple({player.player_id: player for player in players}.values())
