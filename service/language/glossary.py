"""The words of the table: what things and games are called, and what nobody calls them here.

Words of every game stand in `glossary.toml`, a game's own, and its name, in its `clauses.toml`.
"""

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, convert

from service.language.clause_files import COMMON, GameName, Term, Terms, clause_files


class Glossary(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of the table; `terms` by game (`COMMON`: of every game), language and thing."""

    games: dict[str, GameName]
    terms: dict[str, Terms]

    def of(self, lang: str) -> Iterator[tuple[str, str, Term]]:
        """Yield a language's terms: whose, what it is, how it is called."""
        for game, terms in self.terms.items():
            for thing, term in terms.get(lang, {}).items():
                yield game, thing, term


@lru_cache
def glossary() -> Glossary:
    """Return the words of the table, read once."""
    raw = tomllib.loads(files("service.language").joinpath("glossary.toml").read_text("utf-8"))
    own = {game: file for game, file in clause_files().items() if game != COMMON}
    return Glossary(
        games={game: file.name for game, file in own.items() if file.name},
        terms={COMMON: convert(raw, Terms)} | {game: file.terms for game, file in own.items()},
    )
