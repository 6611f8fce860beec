"""The games that a new game's page offers: the few that the table plays, and all for the search."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.games import TITLED
from schemas.names import similar_spellings
from service.language.known_titles import known_titles
from service.language.texts import texts
from service.store.read_models.descriptions import RecentGame
from service.store.records import Title
from service.web.format.environments import playable

FEW_MAX = 5
MATCHES_MAX = 12
_KNOWN = "known."
# A game counts half as much as the tenth after it.
_FADING = 0.5**0.1
_STRANGERS = 0.1


class OfferedGame(Struct, frozen=True, kw_only=True):
    """A game that can be chosen. `choice`: the value of its button; `also`: its other names.

    `options`: those of a new game by points; None: the game has rules of its own.
    """

    choice: str
    name: str
    also: tuple[str, ...] = ()
    options: Mapping[str, Any] | None = None

    @property
    def spellings(self) -> frozenset[str]:
        return frozenset[str]().union(*map(similar_spellings, (self.name, *self.also)))


def offered_games(titles: Sequence[Title], lang: str) -> list[OfferedGame]:
    """List the rulesets, the club's titles that are not hidden, then other known games."""
    words = texts()
    rulesets = [
        OfferedGame(choice=name, name=words.game(name, lang), also=words.search_names(name))
        for name in playable()
        if name != TITLED
    ]
    own = [
        OfferedGame(
            choice=str(title.title_id),
            name=title.name,
            also=_also(title.name),
            options=title.options,
        )
        for title in titles
        if title.name and not title.hidden
    ]
    taken = frozenset[str]().union(
        *(similar_spellings(title.name) for title in titles if title.name)
    )
    known = [
        OfferedGame(
            choice=f"{_KNOWN}{title.id}",
            name=title.name.of(lang),
            also=title.names,
            options=title.options,
        )
        for title in known_titles().values()
        if not any(similar_spellings(name) & taken for name in title.names)
    ]
    return [*rulesets, *own, *known]


def _also(name: str) -> tuple[str, ...]:
    spellings = similar_spellings(name)
    for title in known_titles().values():
        if any(similar_spellings(one) & spellings for one in title.names):
            return title.names
    return ()


def few_games(
    games: Sequence[OfferedGame], recent: Sequence[RecentGame], people: Collection[UUID]
) -> list[OfferedGame]:
    """Return the games that these people play most and latest, filled up with the rulesets.

    `recent`: the club's last games, the newest first. `people` empty: whoever played.
    """
    weights: dict[str, float] = {}
    for age, game in enumerate(recent):
        choice = str(game.title_id or game.ruleset)
        shared = len({*game.players} & {*people}) / len(people) if people else 1
        weights[choice] = weights.get(choice, 0) + max(shared, _STRANGERS) * _FADING**age
    played = [game for game in games if game.choice in weights]
    played.sort(key=lambda game: -weights[game.choice])
    others = [game for game in games if game.options is None and game.choice not in weights]
    return [*played, *others][:FEW_MAX]


def games_called(games: Sequence[OfferedGame], sought: str) -> list[OfferedGame]:
    """Return the only game of that name, or those whose names contain it, at most a dozen."""
    wanted = similar_spellings(sought)
    exact = [game for game in games if game.spellings & wanted]
    if exact:
        return exact[:1]
    return [
        game
        for game in games
        if any(part in spelling for spelling in game.spellings for part in wanted)
    ][:MATCHES_MAX]
