"""People and their names."""

from uuid import uuid4

import pytest

from service.errors import NotFound
from service.store.club.players import Players
from service.store.read_models.projections import GameIndex
from tests.store.samples import Table


async def test_people_are_listed_in_the_order_they_came(players: Players) -> None:
    made = [await players.create(uuid4(), name) for name in ("Zoë", "Ann", "Émile")]
    assert await players.all() == made


async def test_a_new_name_is_read_everywhere(players: Players) -> None:
    player_id = (await players.create(uuid4(), "Ann")).player_id
    await players.rename(player_id, "Anna")
    assert (await players.many([player_id]))[player_id].name == "Anna"


async def test_a_forgotten_person_keeps_the_games_and_loses_the_name(
    players: Players, games: GameIndex, table: Table
) -> None:
    game_id = await table.started()
    await players.forget(table.players[0])
    assert (await players.many(table.players))[table.players[0]].name is None
    assert (await games.game(game_id)).players == table.players


async def test_who_is_not_known_is_left_out(players: Players) -> None:
    assert await players.many([uuid4()]) == {}


async def test_nobody_is_renamed_who_is_not_there(players: Players) -> None:
    player_id = uuid4()
    with pytest.raises(NotFound) as refused:
        await players.rename(player_id, "Ann")
    assert refused.value.id == player_id


async def test_nobody_is_forgotten_who_is_not_there(players: Players) -> None:
    with pytest.raises(NotFound):
        await players.forget(uuid4())
