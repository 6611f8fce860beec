"""The glossary: the words for things and games, and words that are not used for them."""

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, convert

from service.language.clause_files import COMMON, GameName, Term, Terms, clause_files


class Glossary(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The glossary; `terms` by game (`COMMON`: all games), language and concept."""

    games: dict[str, GameName]
    terms: dict[str, Terms]

    def of(self, lang: str) -> Iterator[tuple[str, str, Term]]:
        """Yield the terms of a language: game, concept, word."""
        for game, terms in self.terms.items():
            for thing, term in terms.get(lang, {}).items():
                yield game, thing, term


@lru_cache
def glossary() -> Glossary:
    raw = tomllib.loads(files("service.language").joinpath("glossary.toml").read_text("utf-8"))
    own = {game: file for game, file in clause_files().items() if game != COMMON}
    return Glossary(
        games={game: file.name for game, file in own.items() if file.name},
        terms={COMMON: convert(raw, Terms)} | {game: file.terms for game, file in own.items()},
    )
