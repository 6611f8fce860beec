"""Every entry of generated true games can be made by the visible form alone.

Only the HTML of the server counts (`form_filler`): each shape of entry of each profile at its first
occurrences, and some others at random. Waived entries are made on dimmed keys, or on the form of
the seat that acted out of turn, and then confirmed.
"""

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec import json
from msgspec.structs import replace

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game
from schemas.catalogue import SHAPES, decode_record
from schemas.entries import CORRECTIONS, Entry
from schemas.strict_json import Malformed
from service.play.views import GameView, PlayerView, game_view
from tests.generation.sizes import games
from tests.generic.walks import LATER
from tests.web.form_filler import FormsOf, made
from tests.web.recorder_page import recorder_page

FIRST_SEED = 83_000
GAME = UUID(int=7)
OF_A_SHAPE = 1  # moments tried for each kind of entry and profile
OTHERS = 0.02
# Entries common to all games have their own page (`table_actions`).
EVERYWHERE = {"note", "adjust", "void", "finish", "set_aside"}

Json = dict[str, Any]


def _profiles() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for ruleset in sorted(SHAPES):
        module = import_module(f"tests.generation.{ruleset}")
        found += [(ruleset, profile) for profile in module.PROFILES]
    return found


@pytest.mark.parametrize(("ruleset", "profile"), _profiles())
def test_every_entry_of_a_true_game_is_made_on_the_form(ruleset: str, profile: str) -> None:
    module = import_module(f"tests.generation.{ruleset}")
    seen = Counter[tuple[Any, ...]]()
    missing = [
        (seed, written)
        for seed in games(FIRST_SEED, share=20)
        for written, game, entry in _moments(module.true_game(seed, module.PROFILES[profile]))
        if _choose(written, game, seed, seen) and not _reaches(game, written, entry)
    ]
    assert missing == []
    assert seen


def _choose(written: Json, game: Game, seed: int, seen: Counter[tuple[Any, ...]]) -> bool:
    if written["type"] in EVERYWHERE:
        return False
    phase = judgement.situation(game).phase
    shape = (*sorted(written), written["type"], phase, *written.get("waive", ()))
    seen[shape] += 1
    chance = Random(f"{seed} {seen.total()}")  # noqa: S311 games, not secrets
    return seen[shape] <= OF_A_SHAPE or chance.random() < OTHERS


def _moments(record: Json) -> Iterator[tuple[Json, Game, Entry]]:
    decoded = decode_record(json.encode({k: v for k, v in record.items() if k != "expect"}))
    assert not isinstance(decoded, Malformed), decoded
    history = History(opening(record["ruleset"], decoded.options, record["seats"]))
    for written, entry in zip(record["log"], decoded.log, strict=True):
        if type(entry) not in CORRECTIONS:
            yield written, history.game, entry
        assert not isinstance(history.judge(entry), Refusal)


def _reaches(game: Game, written: Json, entry: Entry) -> bool:
    unruly = judgement.refuse(game, replace(entry, waive=()), LATER) is not None
    players = tuple(PlayerView(id=UUID(int=seat), name=f"P{seat}") for seat in range(game.seats))
    view = game_view(GAME, 2, game, (), players, judgement.choices(game))
    wanted = list(_same_facts(view, written))
    by = "result" if written["type"] == "result" else "cards"
    first = _form(view, view.to_act[0] if view.to_act else None, by)
    if any(made(first, one, dimmed=unruly) for one in wanted):
        return True
    who = written.get("seat", written.get("dealer"))
    if who is None or (not unruly and not any(f"?seat={who}" in link for link in first.links)):
        return False
    page = _form(view, who, by, out=unruly)
    return any(made(page, one, dimmed=unruly) for one in wanted)


def _same_facts(view: GameView, written: Json) -> Iterator[Json]:
    plain = {name: value for name, value in written.items() if name not in {"waive", "at"}}
    if plain.get("hands") == [None] * len(view.players):
        del plain["hands"]
    yield plain
    due = written["type"] == "result" and (view.phase != "deal" or len(view.to_act) == 1)
    if due:
        yield {name: value for name, value in plain.items() if name != "dealer"}
    offered = [one for one in view.choices if one.type == plain["type"]]
    for choice in offered:
        for name, values in choice.fields.items():
            if name not in plain and isinstance(values, tuple) and "??" in values:
                yield {**plain, name: "??"}
            elif name == "dealer" and not due:
                yield from ({"dealer": dealer, **plain} for dealer in view.to_act)
    yield from _known_suit(offered, plain)


def _known_suit(offered: list[Choice], plain: Json) -> Iterator[Json]:
    card = str(plain.get("card", ""))
    for choice in offered:
        if "card" not in choice.fields:
            continue
        same = all(plain.get(name) in list(values) for name, values in choice.fields.items())
        named = [one for one in choice.fields.get("card", ()) if one[0] == card[:1]]
        suited = [one for one in named if one[1] != "?"]
        if card.endswith("?") and same and choice.seat == plain.get("seat") and len(suited) == 1:
            yield {**plain, "card": suited[0]}


def _form(view: GameView, actor: int | None, by: str, *, out: bool = False) -> FormsOf:
    return FormsOf(recorder_page(view, actor, by, lately=[{"type": "x"}], out=out))
