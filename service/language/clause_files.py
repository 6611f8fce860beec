"""Reader for `clauses.toml`: the clauses, sentences and words of a game."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct, convert, field

from schemas.catalogue import SHAPES
from service.language.sentence import Sentence

# The type of a fact in a refusal decides its wording: `place` counts from 0 in a record and from 1
# for people, `hand` is a number of cards, `seat` a person, and its number as `{number}`.
FactKind = Literal["card", "cards", "hand", "person", "phase", "place", "seat", "suit"]
COMMON = ""


class SentenceForm(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One sentence of a refusal, used if its facts match `when`."""

    when: dict[str, str] = field(default_factory=dict[str, str])


class Clause(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A clause for people: its kind (P, R, D, S), its source and the sentences of its refusals.

    `refused` are the forms of that sentence, the most specific first. `defines`: no entry breaks
    it, whatever its kind.
    """

    kind: str
    source: str
    defines: bool = False
    refused: tuple[SentenceForm, ...] = ()


class Expected(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A decoder's expectation in words; `pattern` is the decoder's own message."""

    pattern: str


class GameName(Sentence, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The name of a game; `also`: its other names; `alike`: similar games that a search finds."""

    also: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


class Term(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The word for a concept in a language, and words that are not used for it.

    `own`: it applies only to the clauses of its game.
    """

    say: str
    never: tuple[str, ...]
    also: tuple[str, ...] = ()
    own: bool = False


Terms = dict[str, dict[str, Term]]


class ClauseFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One parsed `clauses.toml`.

    `name`: the name of the game. `terms`: by language, then by concept. `refused`: the game's own
    sentences for common clauses, by clause id. `acts`: what an entry that is cited showed, by its
    type. `facts`: the types of facts in its refusals, by name.
    """

    clauses: dict[str, Clause]
    name: GameName | None = None
    terms: Terms = field(default_factory=dict[str, dict[str, Term]])
    refused: dict[str, tuple[SentenceForm, ...]] = field(
        default_factory=dict[str, tuple[SentenceForm, ...]]
    )
    acts: dict[str, tuple[SentenceForm, ...]] = field(
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
    common = _read("domain")
    shared = common.pop("shared")
    own = {game: _read("domain", game) for game in SHAPES}
    return {file: _clause_file(raw, shared) for file, raw in ({COMMON: common} | own).items()}


def _read(*package: str) -> dict[str, Any]:
    return tomllib.loads(files(".".join(package)).joinpath("clauses.toml").read_text("utf-8"))


def _clause_file(raw: dict[str, Any], shared: dict[str, Any]) -> ClauseFile:
    rest = {key: raw.pop(key) for key in _BESIDE_CLAUSES & raw.keys()}
    for rule, clause in raw.items():
        if (like := clause.pop("like", None)) is not None:
            raw[rule] = {**shared[like], **clause}
    return convert({"clauses": raw, **rest}, ClauseFile)
