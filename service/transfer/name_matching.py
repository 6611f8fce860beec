"""Names of an import matched to players: known, new, or ambiguous and to be asked."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from schemas.names import normalized_name, read_name, similar_spellings
from service.store.club.name_book import NameBook
from service.store.records import Player

_NEW = "new"
_FIELD = "who:"
_AS = "as:"


class NameMatch(Struct, frozen=True, kw_only=True):
    """A name of an import. `known`: players with this name; `like`: players with a similar name.

    `others`: similar new names of the import, of people who never sat at a table with this one.
    """

    name: str
    known: tuple[Player, ...]
    like: tuple[Player, ...]
    others: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        return _FIELD + self.name

    @property
    def choice(self) -> tuple[tuple[str, str], ...]:
        """Form value and name of all who may be meant; empty if the match is unambiguous."""
        players = self.known if len(self.known) > 1 else () if self.known else self.like
        return (
            *((str(player.player_id), player.name or "") for player in players),
            *((_AS + name, name) for name in self.others),
        )


def match_names(tables: Iterable[Sequence[str | None]], book: NameBook) -> tuple[NameMatch, ...]:
    """Match the names of each game of an import."""
    names: dict[str, str] = {}
    spellings: dict[str, set[str]] = {}
    for table in dict.fromkeys(tuple(names) for names in tables):
        sat = {
            normalized_name(name): name
            for raw in table
            if (name := read_name(raw or "")) is not None
        }
        for key, name in sat.items():
            names.setdefault(key, name)
            spellings.setdefault(key, set()).update(sat)
    matches: list[NameMatch] = []
    spelled: dict[str, list[str]] = {}
    for key, name in names.items():
        known, like = book.find_all(name), book.like(name)
        others: dict[str, None] = {}
        if not known:
            for spelling in similar_spellings(name):
                similar = spelled.setdefault(spelling, [])
                others |= dict.fromkeys(
                    name for name in similar if normalized_name(name) not in spellings[key]
                )
                similar.append(name)
        matches.append(NameMatch(name=name, known=known, like=like, others=tuple(others)))
    return tuple(matches)


def read_choices(
    form: Mapping[str, str], asked: Sequence[NameMatch]
) -> tuple[dict[str, UUID | str], bool]:
    """Return the chosen player, or new name, by folded name, and whether all is answered."""
    choices: dict[str, UUID | str] = {}
    complete = True
    for match in asked:
        chosen = form.get(match.field, "")
        if chosen not in {value for value, _ in match.choice}:
            if match.choice and (match.known or chosen != _NEW):
                complete = False
        elif chosen.startswith(_AS):
            other = chosen.removeprefix(_AS)
            choices[normalized_name(match.name)] = choices.get(normalized_name(other), other)
        else:
            choices[normalized_name(match.name)] = UUID(chosen)
    return choices, complete
