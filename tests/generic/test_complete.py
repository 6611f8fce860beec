"""The files of a game fit together: what one of them names, the others have.

`dev.py test --game` runs this first, because everything else fails by what is missing here.
"""

import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from schemas.catalogue import decode_record, shapes
from schemas.strict_json import Malformed
from tests.generic.games import every_game
from tests.generic.values import entry_fields, option_fields

ROOT = Path(__file__).parents[2]
LANGUAGES = {"en", "fr", "de"}
COMMON = {"note", "adjust", "finish", "set_aside", "void", "amend", "splice", "take_back"}
MAKER = ("PROFILES", "true_game")
MAKER_OF_CARDS = ("OPEN", "HIDDEN", "TIMED", "PRIVATE", "HAND_SEEN", "ALIKE")


STALE = """tests/games/{game} was recorded before the shapes changed: {fault}
A game that was never released is recorded anew (docs/adding-a-game.md):
    rm -r tests/games/{game}
    .venv/bin/python -m tests.generic.recorded {game}
    .venv/bin/python -m tests.documents.event_catalogue"""


@every_game
def test_complete__what_one_file_names_the_others_have(ruleset: str) -> None:
    missing = [*clauses(ruleset), *words(ruleset), *code(ruleset)]
    if missing:
        pytest.fail("\n".join(missing), pytrace=False)


@every_game
def test_complete__recorded_games_have_the_shapes_of_the_game(ruleset: str) -> None:
    records = [ROOT / f"tests/games/{ruleset}/{name}.jsonl" for name in ("true", "walks")]
    lines = [line for path in records for line in path.read_bytes().splitlines()]
    faults = [one for one in map(decode_record, lines) if isinstance(one, Malformed)]
    if faults:
        pytest.fail(STALE.format(game=ruleset, fault=faults[0]), pytrace=False)


def clauses(game: str) -> Iterator[str]:
    listed = {one for one in shapes(game).clauses if one.startswith(f"{game}.")}
    described = {one for one in described_in(game) if one.startswith(f"{game}.")}
    rules = (ROOT / f"domain/{game}/RULES.md").read_text("utf-8")
    for one in sorted(listed - described):
        yield f'domain/{game}/clauses.toml lacks ["{one}"], a clause of schemas/{game}.py'
    for one in sorted(described - listed):
        yield f"CLAUSES of schemas/{game}.py lacks {one}, which is in domain/{game}/clauses.toml"
    for one in sorted(listed):
        if f"`{one}`" not in rules:
            yield f"domain/{game}/RULES.md lacks [`{one}`] behind the sentence that says it"


def words(game: str) -> Iterator[str]:
    described = described_in(game)
    for place, sentence in sentences(described):
        for language in sorted(LANGUAGES - sentence.keys()):
            yield f"domain/{game}/clauses.toml: {place} lacks {language}"
    worded = {name.partition(".")[0] for name in described.get("options", {})}
    for field in option_fields(game):
        if field.name not in worded:
            yield f"domain/{game}/clauses.toml lacks {field.name} under [options]"
    for column in facts_of(game).columns if facts_of(game) else ():
        if column.kind != "word" and column.name not in described.get("words", {}):
            yield f"domain/{game}/clauses.toml lacks {column.name} under [words], for the sheet"


def code(game: str) -> Iterator[str]:
    if facts_of(game) is None:
        yield f"projections/{game}.py lacks FACTS"
    manifest = import_module(f"domain.{game}.manifest").MANIFEST
    judged = {str(kind.__struct_config__.tag) for kind in manifest.rules.judges}
    for kind in sorted(entry_fields(game).keys() - COMMON - judged):
        yield f"`judges` of domain/{game}/rules.py lacks the entry type {kind}"
    maker = import_module(f"tests.generation.{game}")
    for name in (*MAKER, *(MAKER_OF_CARDS if manifest.tracks_cards else ())):
        if not hasattr(maker, name):
            yield f"tests/generation/{game}.py lacks {name} (tests/generation/makers.py says what)"


def described_in(game: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / f"domain/{game}/clauses.toml").read_text("utf-8"))


def facts_of(game: str) -> Any:  # noqa: ANN401 of any game
    return getattr(import_module(f"projections.{game}"), "FACTS", None)


def sentences(part: object, place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each table that has a text in some language, with its place in the file."""
    if isinstance(part, dict):
        table: Mapping[str, Any] = part
        if any(isinstance(table.get(language), str) for language in LANGUAGES):
            yield place, table
        for name, inner in table.items():
            yield from sentences(inner, f"{place}.{name}" if place else name)
    elif isinstance(part, list):
        for at, inner in enumerate(part, 1):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # JSON
            yield from sentences(inner, f"{place}, number {at},")
