from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from domain.replay import opening
from domain.table.hidden import COMMON_KINDS, Hidden
from domain.table.history import History
from schemas.catalogue import decode_record, type_of
from schemas.dutch import Deal, Draw, Options

RECORDS = Path(__file__).parents[1] / "games"
FOLLOWED = [game for game, manifest in GAMES.items() if manifest.tracks_cards]


def record_of(game: str) -> Any:  # noqa: ANN401 of any game
    lines = (RECORDS / game / "true.jsonl").read_bytes().splitlines()
    records: list[Any] = [decode_record(line) for line in lines]
    return next(one for one in records if type_of(one.log[0]) == "deal")


def hidden(game: str, *, dealt: bool, exact: bool = True) -> Hidden | None:
    record = record_of(game)
    history = History(opening(game, record.options, record.seats, exact=exact))
    for entry in record.log if dealt else ():
        if history.game.deal is None:
            history.judge(entry)
    assert (history.game.deal is not None) == dealt
    return GAMES[game].hidden(history.game)


@pytest.mark.parametrize("game", FOLLOWED)
def test_hidden__nothing_is_between_two_deals(game: str) -> None:
    assert hidden(game, dealt=False) is None


@pytest.mark.parametrize("game", FOLLOWED)
def test_hidden__nothing_is_told_where_no_cards_are_followed(game: str) -> None:
    assert hidden(game, dealt=True, exact=False) is None


@pytest.mark.parametrize("game", FOLLOWED)
def test_hidden__every_card_has_a_place_once_they_are_dealt(game: str) -> None:
    told = hidden(game, dealt=True)
    assert told is not None
    assert told.knowledge.world.pools
    places = {place for location in told.locations for place in location.places}
    nowhere = {pool.place for pool in told.knowledge.world.pools} - places
    assert not nowhere, f"the manifest's `hidden` of {game} gives no location for {nowhere}"


@pytest.mark.parametrize("game", FOLLOWED)
def test_hidden__a_place_is_of_a_kind_that_all_games_have_or_the_game_declares(game: str) -> None:
    record = record_of(game)
    history = History(opening(game, record.options, record.seats))
    kinds: set[str] = set()
    for entry in record.log:
        history.judge(entry)
        told = GAMES[game].hidden(history.game)
        kinds |= {location.kind for location in told.locations} if told else set()
    own = set(GAMES[game].locations)
    assert own <= kinds <= own | set(COMMON_KINDS)


@pytest.mark.parametrize(("drawn", "seats"), [(False, []), (True, [1])], ids=["before", "drawn"])
def test_hidden__in_dutch_a_card_drawn_is_with_whoever_drew_it(
    drawn: bool,  # noqa: FBT001 an example
    seats: list[int],
) -> None:
    history = History(opening("dutch", Options(), 3))
    for entry in (Deal(dealer=0, up="9C"), Draw(seat=1))[: 1 + drawn]:
        history.judge(entry)
    told = GAMES["dutch"].hidden(history.game)
    assert told is not None
    assert [one.seat for one in told.locations if one.kind == "drawn"] == seats
