from collections.abc import Iterator
from itertools import chain, product
from uuid import UUID

import pytest
from msgspec import to_builtins

from domain.replay import opening
from domain.table import judgement
from domain.table.cards import SUITS
from domain.table.history import History
from domain.table.rules import Choice
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from service.play.views import GameView, PlayerView, game_view
from tests.generation.dutch import PROFILES, true_game
from tests.generation.sizes import games
from tests.web.form_reader import Entry, FormReader, code
from tests.web.recorder_page import recorder_page

FIRST_SEED = 61_000
BEFORE_THE_END = 3
GAME = UUID(int=7)
# Entries common to all games have their own page (`table_actions`).
EVERYWHERE = {"note", "adjust", "void", "finish", "set_aside", "take_back", "amend", "splice"}


def _moments(record: Entry) -> Iterator[GameView]:
    decoded = decode_record(_encode(record))
    assert not isinstance(decoded, Malformed)
    seats: int = record["seats"]
    history = History(opening("dutch", decoded.options, seats))
    players = tuple(PlayerView(id=UUID(int=seat), name=f"P{seat}") for seat in range(seats))
    lately: list[GameView] = []
    for entry in decoded.log:
        assert isinstance(history.judge(entry), tuple)
        deal = history.game.deal
        if deal is None or deal.rows_final:
            yield from lately
            lately = []
        elif deal.caller is not None:
            lately = [*lately, _view(history, players)][-BEFORE_THE_END:]


def _view(history: History, players: tuple[PlayerView, ...]) -> GameView:
    return game_view(GAME, 2, history.game, (), players, judgement.choices(history.game))


def _encode(record: Entry) -> bytes:
    return code({name: value for name, value in record.items() if name != "expect"})


def _form(view: GameView, actor: int) -> FormReader:
    return FormReader(recorder_page(view, actor, lately=[{"type": "drop"}]))


def _list(choice: Choice) -> Iterator[Entry]:
    start = (
        {"type": choice.type} if choice.seat is None else {"type": choice.type, "seat": choice.seat}
    )
    for values in product(*choice.fields.values()):
        yield start | dict(zip(choice.fields, to_builtins(values), strict=True))


def _reaches(form: FormReader, made: set[bytes], choice: Choice) -> bool:
    shapes = [to_builtins(value) for value in choice.fields.values() if isinstance(value, dict)]
    if choice.type == "result":
        totals = [name for name in form.numbers if name.startswith("open.totals")]
        counted = len(totals) == shapes[0]["count"]
        said = {*form.chosen.get("open.caller", ()), *chain(*form.selects.get("open.counter", []))}
        wanted = {_word(seat) for name in ("caller", "counter") for seat in choice.fields[name]}
        return counted and wanted <= said
    if choice.type == "reveal":
        entries = [
            one for one in form.buttons if one["type"] == "reveal" and one["seat"] == choice.seat
        ]
        if "points" in choice.fields:
            return any("points" in one for one in entries) and "open.points" in form.numbers
        slots = len(form.selects.get("open.cards", []))
        return any("cards" in one for one in entries) and slots == shapes[0]["count"]
    return all(code(entry) in made or _vaguer(entry, made) for entry in _list(choice))


def _vaguer(entry: Entry, made: set[bytes]) -> bool:
    card = str(entry.get("card", ""))
    return card.endswith("?") and any(code({**entry, "card": card[0] + s}) in made for s in SUITS)


def _word(seat: object) -> str:
    return "null" if seat is None else str(seat)


def _missing(view: GameView) -> list[Choice]:
    first = _form(view, view.to_act[0])
    seats = [seat for seat in view.to_act if any(f"?seat={seat}" in link for link in first.links)]
    forms = [first, *(_form(view, seat) for seat in seats if seat != view.to_act[0])]
    made = [set(form.made()) for form in forms]
    return [
        choice
        for choice in view.choices
        if choice.type not in EVERYWHERE
        and not any(_reaches(form, able, choice) for form, able in zip(forms, made, strict=True))
    ]


@pytest.mark.parametrize("profile", ["hidden hands", "open hands", "unruly", "mistaken"])
def test_every_entry_that_may_be_made_until_a_row_is_counted_is_on_the_form(profile: str) -> None:
    last = 0
    for seed in games(FIRST_SEED, share=5):
        for view in _moments(true_game(seed, PROFILES[profile])):
            last += view.phase == "reveal"
            assert _missing(view) == [], (seed, view.phase)
    assert last
