"""What one process knows of games: the folded ones, who waits for them, where long work goes."""

from msgspec import Struct

from service.metrics import WorkMetrics
from service.play.game_cache import GameCache
from service.play.signals import Signals
from service.play.workers import Workers
from service.store.log.events import EventStore


class Runtime(Struct, frozen=True, kw_only=True):
    """What commands and queries of one club's games share within a process."""

    cache: GameCache
    signals: Signals
    workers: Workers
    measured: WorkMetrics


def new_runtime(
    store: EventStore, measured: WorkMetrics | None = None, signals: Signals | None = None
) -> Runtime:
    """Begin with nothing known. `measured` None: nobody is told how long things take."""
    return Runtime(
        cache=GameCache(store),
        signals=signals or Signals(),
        workers=Workers(),
        measured=measured or WorkMetrics(),
    )
