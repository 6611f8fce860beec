import asyncio
from uuid import uuid4

import pytest

from service.errors import AlreadyMerged, NameTaken, NotFound, SameGame
from service.store.club.players import Players
from service.store.read_models.listing import GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import Player
from tests.store.samples import SampleTable, play


async def test_people_are_listed_in_the_order_they_came(players: Players) -> None:
    made = [await players.create(uuid4(), name) for name in ("Zoë", "Ann", "Émile")]
    assert await players.all() == made


async def test_a_new_name_is_read_everywhere(players: Players) -> None:
    player_id = (await players.create(uuid4(), "Ann")).player_id
    await players.rename(player_id, "Anna")
    assert (await players.by_ids([player_id]))[player_id].name == "Anna"


async def test_a_forgotten_person_keeps_the_games_and_loses_the_name(
    players: Players, games: GameIndex, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await players.forget(table.players[0])
    assert (await players.by_ids(table.players))[table.players[0]].name is None
    assert (await games.game(game_id)).players == table.players


async def test_who_is_not_known_is_left_out(players: Players) -> None:
    assert await players.by_ids([uuid4()]) == {}


async def test_nobody_is_renamed_who_is_not_there(players: Players) -> None:
    player_id = uuid4()
    with pytest.raises(NotFound) as refused:
        await players.rename(player_id, "Ann")
    assert refused.value.id == player_id


async def test_nobody_is_forgotten_who_is_not_there(players: Players) -> None:
    with pytest.raises(NotFound):
        await players.forget(uuid4())


@pytest.mark.parametrize(
    ("first", "second"),
    [("Ann", "ANN"), ("Chlo\u00e9", "CHLOE\u0301"), ("Strauß", "STRAUSS"), ("Zoë", "zoë")],
)
async def test_a_name_is_given_once(players: Players, first: str, second: str) -> None:
    known = await players.create(uuid4(), first)
    with pytest.raises(NameTaken) as refused:
        await players.create(uuid4(), second)
    assert refused.value.player_id == known.player_id
    assert await players.all() == [known]


async def test_two_people_share_a_name_if_somebody_says_so(players: Players) -> None:
    both = [await players.create(uuid4(), "Ben", same_name=True) for _ in range(2)]
    with pytest.raises(NameTaken):
        await players.create(uuid4(), "ben")
    assert (await players.names()).find_all("BEN") == tuple(both)


async def test_a_name_that_was_forgotten_or_changed_is_free(players: Players) -> None:
    ann, bob = [await players.create(uuid4(), name) for name in ("Ann", "Bob")]
    await players.forget(ann.player_id)
    await players.rename(bob.player_id, "Rob")
    for name in ("Ann", "Bob"):
        await players.create(uuid4(), name)


async def test_nobody_is_renamed_to_somebody_else_by_accident(players: Players) -> None:
    ann, ben = [await players.create(uuid4(), name) for name in ("Ann", "Ben")]
    with pytest.raises(NameTaken) as refused:
        await players.rename(ann.player_id, "ben")
    assert refused.value.player_id == ben.player_id
    assert (await players.rename(ann.player_id, "ANN")).name == "ANN"
    assert (await players.rename(ann.player_id, "Ben", same_name=True)).name == "Ben"


async def test_of_many_who_add_one_name_at_once_one_does(players: Players) -> None:
    attempts = [players.create(uuid4(), "Ann") for _ in range(8)]
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(one, Player) for one in outcomes) == 1
    assert sum(isinstance(one, NameTaken) for one in outcomes) == 7


async def test_names_that_differ_in_accents_hyphens_or_spaces_are_alike(players: Players) -> None:
    for name in ("Léa", "Jean-Luc", "Jürgen", "Bob"):
        await players.create(uuid4(), name)
    names = await players.names()
    alike = {
        name: [one.name for one in names.like(name)] for name in ("lea", "Jean Luc", "Juergen")
    }
    assert alike == {"lea": ["Léa"], "Jean Luc": ["Jean-Luc"], "Juergen": ["Jürgen"]}
    assert names.like("Léa") == ()
    assert names.like("Rob") == ()
    assert names.find("LÉA") is not None


async def test_two_who_are_merged_are_one_in_games_and_names(
    players: Players, games: GameIndex, table: SampleTable
) -> None:
    ann, bob = table.players
    twin = (await players.create(uuid4(), "Anne")).player_id
    game_id = await table.start_game()
    hashes = [entry.hash for entry in await table.events.read(game_id)]
    await players.merge(ann, twin)

    assert (await games.game(game_id)).players == (twin, bob)
    assert [one.player_id for one in await players.all()] == [bob, twin]
    seated = (await table.events.news(game_id)).seated
    assert [one.name for one in seated] == ["Anne", "Bob"]
    for one in (ann, twin):
        found = await games.games(GameFilter(player=one))
        assert [game.game_id for game in found.games] == [game_id]
        assert (await games.count(GameFilter(player=bob, others=(one,)))) == 1
    assert [entry.hash for entry in await table.events.read(game_id)] == hashes
    assert [verdict.broken async for verdict in table.events.verify()] == [None]

    await players.undo_merge(ann)
    assert (await games.game(game_id)).players == (ann, bob)
    assert [one.name for one in (await table.events.news(game_id)).seated] == ["Ann", "Bob"]


async def test_a_game_that_starts_after_a_merge_is_the_persons(
    players: Players, games: GameIndex, table: SampleTable
) -> None:
    ann, bob = table.players
    twin = (await players.create(uuid4(), "Anne")).player_id
    await players.merge(ann, twin)
    game_id = await table.start_game()
    assert (await games.game(game_id)).players == (twin, bob)
    await table.append(game_id, 1, play(0, "AH"))
    assert (await games.game(game_id)).players == (twin, bob)


async def test_merges_are_undone_one_by_one(players: Players) -> None:
    one, two, three = [(await players.create(uuid4(), name)).player_id for name in "ABC"]
    await players.merge(one, two)
    await players.merge(two, three)
    assert {known.player_id for known in (await players.by_ids([one, two])).values()} == {three}
    await players.undo_merge(two)
    assert [person.player_id for person in await players.all()] == [two, three]
    assert (await players.by_ids([one]))[one].player_id == two
    with pytest.raises(NotFound):
        await players.undo_merge(two)


async def test_two_who_sat_in_one_game_are_not_one(players: Players, table: SampleTable) -> None:
    game_id = await table.start_game()
    with pytest.raises(SameGame) as refused:
        await players.merge(*table.players)
    assert refused.value.game_id == game_id


async def test_an_entry_that_is_merged_is_not_merged_into_somebody_else(players: Players) -> None:
    one, two, three = [(await players.create(uuid4(), name)).player_id for name in "ABC"]
    await players.merge(one, two)
    assert (await players.merge(one, two)).player_id == two
    for pair in ((one, three), (two, one)):
        with pytest.raises(AlreadyMerged):
            await players.merge(*pair)


async def test_the_name_of_a_merged_entry_leads_to_the_person(players: Players) -> None:
    one, two = [await players.create(uuid4(), name) for name in ("Lea", "Lena")]
    await players.merge(one.player_id, two.player_id)
    names = await players.names()
    assert names.find("lea") == two
    assert names.merged_into(two.player_id) == ((one.player_id, "Lea"),)
    with pytest.raises(NameTaken) as refused:
        await players.create(uuid4(), "lea")
    assert refused.value.player_id == two.player_id
    assert (await players.rename(one.player_id, "Lea")).player_id == two.player_id
    await players.undo_merge(one.player_id)
    assert [person.name for person in await players.all()] == ["Lea", "Lea"]


async def test_who_is_forgotten_is_forgotten_under_every_name(players: Players) -> None:
    one, two = [await players.create(uuid4(), name) for name in ("Lea", "Lena")]
    await players.merge(one.player_id, two.player_id)
    await players.forget(one.player_id)
    await players.undo_merge(one.player_id)
    assert [person.name for person in await players.all()] == [None, None]
    with pytest.raises(NotFound):
        await players.merge(one.player_id, two.player_id)
