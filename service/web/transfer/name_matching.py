"""Names of an import matched to players: known, new, or ambiguous and to be asked."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from schemas.names import folded, read_name
from service.store.club.players import NameBook
from service.store.records import Player
from service.web.format.render import uuid_of

NEW = "new"
_FIELD = "who:"


class NameMatch(Struct, frozen=True, kw_only=True):
    """A name of an import. `known`: players with this name; `like`: players with a similar name."""

    name: str
    known: tuple[Player, ...]
    like: tuple[Player, ...]

    @property
    def field(self) -> str:
        return _FIELD + self.name

    @property
    def choice(self) -> tuple[Player, ...]:
        """The players to choose from; empty if the match is unambiguous."""
        if self.known:
            return self.known if len(self.known) > 1 else ()
        return self.like


def match_names(names: Iterable[str | None], book: NameBook) -> tuple[NameMatch, ...]:
    valid_names = [name for raw_name in names if (name := read_name(raw_name or "")) is not None]
    return tuple(
        NameMatch(name=name, known=book.find_all(name), like=book.like(name))
        for name in {folded(name): name for name in reversed(valid_names)}.values()
    )[::-1]


def read_choices(
    form: Mapping[str, str], asked: Sequence[NameMatch]
) -> tuple[dict[str, UUID], bool]:
    """Return the chosen player by folded name, and whether every question is answered."""
    choices: dict[str, UUID] = {}
    complete = True
    for match in asked:
        chosen = uuid_of(form.get(match.field, ""))
        if chosen is not None and chosen in {player.player_id for player in match.choice}:
            choices[folded(match.name)] = chosen
        elif match.choice and (match.known or form.get(match.field) != NEW):
            complete = False
    return choices, complete
