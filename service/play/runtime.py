"""Shared state of commands and queries in one process: cache, followers, threads."""

from msgspec import Struct

from service.metrics import WorkMetrics
from service.play.game_cache import GameCache
from service.play.signals import Signals
from service.play.workers import Workers
from service.store.log.events import EventStore


class Runtime(Struct, frozen=True, kw_only=True):
    cache: GameCache
    signals: Signals
    workers: Workers
    measured: WorkMetrics


def new_runtime(
    store: EventStore, measured: WorkMetrics | None = None, signals: Signals | None = None
) -> Runtime:
    return Runtime(
        cache=GameCache(store),
        signals=signals or Signals(),
        workers=Workers(),
        measured=measured or WorkMetrics(),
    )
