from collections.abc import Iterator
from random import Random
from uuid import UUID

import pytest
from msgspec import json

from domain.games import GAMES
from domain.table import judgement
from domain.table.rules import Game, Status
from service.language.sentence import LANGUAGES
from service.play.views import GameView, PlayerView, game_view
from tests.generic.games import every_game, walks
from tests.generic.walks import LATER, Walk, Written, filled, result, submitted
from tests.web.entries_read import read_entries
from tests.web.form_reader import FormReader
from tests.web.recorder_page import offline_pad, recorder_page

MOMENTS = 2  # of each walk
PRESSES = 80  # random ways to fill a form, at most
NUMBERS = 30
FILLED_SHARE = 0.8  # how often a number is filled in


def moments(one: Walk, number: int) -> Iterator[tuple[Game, Random]]:
    chance = Random(number)  # noqa: S311 games, not secrets
    for version in (1, *chance.sample(one.history.take_back_targets, MOMENTS)):
        game = one.history.at(version)
        if game.status is Status.OPEN:
            yield game, chance


def seen(game: Game) -> tuple[GameView, int]:
    seats = range(game.seats)
    players = tuple(PlayerView(id=UUID(int=seat), name=f"P{seat}") for seat in seats)
    view = game_view(UUID(int=7), 2, game, (), players, judgement.choices(game))
    return view, view.to_act[0] if view.to_act else 0


def form(game: Game, by: str, lang: str = "en") -> str:
    return recorder_page(*seen(game), by, language=lang)


def press(
    page: FormReader, wanted: Written, chance: Random, numbers: Written | None = None
) -> list[tuple[str, str]]:
    """Press a button that enters a result, and fill in the wanted values.

    Other fields get random values, as do numbers that are not in `numbers`.
    """
    buttons = [one for one in page.buttons if one["type"] == "result"]
    fields = [("entry", json.encode(chance.choice(buttons)).decode())]
    for name, values in page.chosen.items():
        if completes(name):
            fields.append((name, _choose(values, wanted.get(_field(name)), chance)))
    for name, each in page.selects.items():
        parts = _spread(wanted.get(_field(name)), len(each))
        fields += [(name, _choose(*one, chance)) for one in zip(each, parts, strict=True)]
    for name in filter(completes, page.numbers):
        said = _number(numbers or {}, name)
        if said is not None:
            fields.append((name, str(said)))
        elif chance.random() < FILLED_SHARE:
            fields.append((name, str(chance.randrange(NUMBERS))))
    return fields


def _number(wanted: Written, name: str) -> int | None:
    """Return a number of the entry wanted, for a field such as `open.points.2`."""
    _, field, *at = name.split(".")
    said = wanted.get(field)
    if at and isinstance(said, list | tuple) and int(at[0]) < len(said):
        said = said[int(at[0])]
    return said if isinstance(said, int) else None


def completes(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] in {"open", "opens", "with"}


def _spread(said: object, count: int) -> list[object]:
    if count == 1 or not isinstance(said, list | tuple):
        return [said] * count
    parts: list[object] = [*said]
    return [*parts[:-1], *[None] * (count - len(parts)), *parts[-1:]][:count]


def _field(name: str) -> str:
    return name.partition(".")[2]


def _choose(values: list[str], wanted: object, chance: Random) -> str:
    said = {json.encode(json.decode(value)) for value in values if value}
    code = json.encode(wanted)
    if wanted is None and "" in values:
        return ""
    return code.decode() if code in said else chance.choice(values)


def enter(game: Game, fields: list[tuple[str, str]]) -> bool:
    written = read_entries(fields)
    entry = submitted(game.rules.name, written[0]) if written else None
    if entry is None:
        return False
    judged = judgement.judge(game, entry, LATER)
    return isinstance(judged, Game) and judged.outcome is not None


@every_game
def test_form__by_result_ends_any_deal_there_is(ruleset: str) -> None:
    for number, one in enumerate(walks(ruleset)):
        for game, chance in moments(one, number):
            page = FormReader(form(game, "result"))
            offered = [one for one in judgement.choices(game) if one.type == "result"]
            wanted = [filled(game, chance.choice(offered), chance) for _ in range(PRESSES)]
            true = result(game, chance)
            presses = [press(page, one, chance) for one in wanted]
            presses += [press(page, true, chance, numbers=true)] if true else []
            assert any(enter(game, fields) for fields in presses), (
                f"the macro `result` of {ruleset}.html enters no result that ends this deal, such"
                f" as {wanted[-1]}; its buttons: {page.buttons}; its fields: {page.numbers}"
            )


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_form__by_cards_has_something_to_enter_at_any_moment(ruleset: str, lang: str) -> None:
    first = LANGUAGES.index(lang)  # different walks for each language
    for number, one in enumerate(walks(ruleset)[first :: len(LANGUAGES)]):
        for game, _chance in moments(one, number):
            page = FormReader(form(game, "cards", lang))
            offered = {choice.type for choice in judgement.choices(game)}
            buttons = {str(button["type"]) for button in page.buttons}
            assert buttons & offered, f"the macro `keypad` enters {buttons}, not one of {offered}"


@every_game
def test_offline_pad__is_the_same_at_any_moment_of_a_game(ruleset: str) -> None:
    for number, one in enumerate(walks(ruleset)):
        pads = {offline_pad(*seen(game)) for game, _chance in moments(one, number)}
        assert len(pads) == 1, "the macro `offline` differs from board to board"
        assert FormReader(pads.pop()).buttons or not GAMES[ruleset].tracks_cards
