import asyncio
import threading
from collections import Counter
from typing import cast
from uuid import uuid4

import msgspec
from msgspec import Struct

from domain.inference import Knowledge, RuledOut, Unseen, knowledge_before_deal
from domain.table.cards import Pack
from domain.table.history import History
from domain.table.rules import Choice, Game, Refuse, Rules
from schemas.catalogue import shapes
from service.play.choices_cache import VERSIONS_MAX, ChoicesCache
from service.play.game_cache import LoadedGame
from service.play.game_rows import Rows
from service.play.workers import Workers, may_take_long
from service.store.records import StoredEntry

STOCK, HAND, TABLE = 0, 1, 2


class RecordingRules:
    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def choices(self, _game: Game, _refuse: Refuse) -> tuple[Choice, ...]:
        self.threads.append(threading.current_thread())
        return (Choice("draw", len(self.threads)),)


class Deal(Struct, frozen=True):
    """A deal that has nothing but knowledge."""

    knowledge: Knowledge


def plain() -> Knowledge:
    return knowledge_before_deal(Pack(("AS", "KS", "QS", "JS")), STOCK)


def doubtful() -> Knowledge:
    return plain().learn_certain(
        Unseen(STOCK, HAND, 1, 1),
        RuledOut(HAND, 1, "some.clause", (0, "S"), 2),
        Unseen(STOCK, HAND, 1, 3),
        Unseen(HAND, TABLE, 1, 4),
    )


def fold(rules: RecordingRules, knowledge: Knowledge) -> LoadedGame:
    game = Game(
        rules=cast("Rules", rules),
        options=None,
        seats=2,
        exact=True,
        totals=(0, 0),
        deal=Deal(knowledge),
    )
    return LoadedGame(
        game_id=uuid4(),
        shapes=shapes("durak"),
        rows=Rows([cast("StoredEntry", None)], {}, [0, 0], [], 1),
        history=History(game),
    )


async def test_a_version_is_judged_once_however_many_ask_at_the_same_moment() -> None:
    for knowledge in (plain(), doubtful()):
        rules = RecordingRules()
        cache, game = ChoicesCache(Workers()), fold(rules, knowledge)
        answers = await asyncio.gather(*(cache.at(game) for _ in range(20)))
        answers.append(await cache.at(game))
        assert len(rules.threads) == 1
        assert len(Counter(map(msgspec.json.encode, answers))) == 1


async def test_who_goes_away_takes_the_answer_from_nobody_else() -> None:
    cache, game = ChoicesCache(Workers()), fold(RecordingRules(), doubtful())
    first = asyncio.ensure_future(cache.at(game))
    second = asyncio.ensure_future(cache.at(game))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second)[0].type == "draw"


async def test_a_later_version_is_judged_anew() -> None:
    rules = RecordingRules()
    cache, game = ChoicesCache(Workers()), fold(rules, plain())
    later = msgspec.structs.replace(game, rows=(*game.rows, *game.rows))
    assert await cache.at(game) != await cache.at(later)
    assert len(rules.threads) == 2


async def test_no_more_than_the_versions_asked_for_last_are_kept() -> None:
    rules = RecordingRules()
    cache, game = ChoicesCache(Workers()), fold(rules, plain())
    await cache.at(game)
    for _ in range(VERSIONS_MAX):
        await cache.at(fold(rules, plain()))
    await cache.at(game)
    assert len(rules.threads) == VERSIONS_MAX + 2


async def test_what_may_take_long_is_judged_beside_the_loop() -> None:
    here = threading.current_thread()
    for knowledge, beside in ((plain(), False), (doubtful(), True)):
        rules = RecordingRules()
        game = fold(rules, knowledge)
        assert may_take_long(game.history.game) == beside
        await ChoicesCache(Workers()).at(game)
        assert [thread is not here for thread in rules.threads] == [beside]
