"""Who the names of an import are: known, new, or asked about where a name is like another."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from schemas.names import folded, read_name
from service.store.club.players import NameBook
from service.store.records import Player
from service.web.format.render import uuid_of

NEW = "new"
_FIELD = "who:"


class NameAsked(Struct, frozen=True, kw_only=True):
    """A name of an import. `known`: who has it; `like`: whose names are much like it."""

    name: str
    known: tuple[Player, ...]
    like: tuple[Player, ...]

    @property
    def field(self) -> str:
        """The field of the form in which somebody chooses who is meant."""
        return _FIELD + self.name

    @property
    def choice(self) -> tuple[Player, ...]:
        """The people to choose from; nobody where it is clear who is meant."""
        if self.known:
            return self.known if len(self.known) > 1 else ()
        return self.like


def names_asked(names: Iterable[str | None], book: NameBook) -> tuple[NameAsked, ...]:
    """Look up the names of an import, each once, in their order."""
    read = [name for given in names if (name := read_name(given or "")) is not None]
    return tuple(
        NameAsked(name=name, known=book.called(name), like=book.like(name))
        for name in {folded(name): name for name in reversed(read)}.values()
    )[::-1]


def read_choices(
    form: Mapping[str, str], asked: Sequence[NameAsked]
) -> tuple[dict[str, UUID], bool]:
    """Read who is meant, by the folded name, and whether everything that was asked is answered."""
    choices: dict[str, UUID] = {}
    complete = True
    for one in asked:
        chosen = uuid_of(form.get(one.field, ""))
        if chosen is not None and chosen in {player.player_id for player in one.choice}:
            choices[folded(one.name)] = chosen
        elif one.choice and (one.known or form.get(one.field) != NEW):
            complete = False
    return choices, complete
