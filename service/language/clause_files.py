"""What the rules say to people, as it stands beside them."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct, convert, field

from schemas.catalogue import SHAPES
from service.language.sentence import Sentence

# What a fact of a refusal is, and so how it is said: `place` is counted from 0 by the record and
# from 1 by people, `hand` is a number of cards, `seat` a person, and its number as `{number}`.
FactKind = Literal["card", "cards", "hand", "person", "phase", "place", "seat", "suit"]
COMMON = ""


class SentenceForm(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to say a refusal, where its facts are those of `when`."""

    when: dict[str, str] = field(default_factory=dict[str, str])


class Clause(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A clause for people: its kind (P, R, D, S), where it comes from, what a refusal says.

    `refused` are the forms of that sentence, the one that says most first. `defines`: no entry
    breaks it, whatever its kind.
    """

    kind: str
    source: str
    defines: bool = False
    refused: tuple[SentenceForm, ...] = ()


class Expected(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a decoder expected, in words; `pattern` is how the decoder says it."""

    pattern: str


class GameName(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a game is called; `also`: its other names, which people look for."""

    also: tuple[str, ...] = ()


class Term(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a thing is called in a language, and the words that are not used for it.

    `own`: only in the clauses of the game that says so.
    """

    say: str
    never: tuple[str, ...]
    also: tuple[str, ...] = ()
    own: bool = False


Terms = dict[str, dict[str, Term]]


class ClauseFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One `clauses.toml`, its clauses gathered.

    `name`: what the game is called (every game's file has it). `terms`: by language, then by thing.
    `refused`: what a game has to say beside the forms of a clause that is every game's, by its id.
    `facts`: what the facts of its refusals are, by name; others are said as they are recorded.
    """

    clauses: dict[str, Clause]
    name: GameName | None = None
    terms: Terms = field(default_factory=dict[str, dict[str, Term]])
    refused: dict[str, tuple[SentenceForm, ...]] = field(
        default_factory=dict[str, tuple[SentenceForm, ...]]
    )
    facts: dict[str, FactKind] = field(default_factory=dict[str, FactKind])
    phases: dict[str, Sentence] = field(default_factory=dict[str, Sentence])
    words: dict[str, Sentence] = field(default_factory=dict[str, Sentence])
    options: dict[str, Sentence] = field(default_factory=dict[str, Sentence])
    expected: tuple[Expected, ...] = ()


_BESIDE_CLAUSES = frozenset(ClauseFile.__struct_fields__) - {"clauses"}


@lru_cache
def clause_files() -> dict[str, ClauseFile]:
    """Return every file by its game, that of every game first, under `COMMON`."""
    return {COMMON: _read("domain")} | {game: _read("domain", game) for game in SHAPES}


def _read(*package: str) -> ClauseFile:
    raw = tomllib.loads(files(".".join(package)).joinpath("clauses.toml").read_text("utf-8"))
    rest: dict[str, Any] = {key: raw.pop(key) for key in _BESIDE_CLAUSES & raw.keys()}
    return convert({"clauses": raw, **rest}, ClauseFile)
