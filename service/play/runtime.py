"""What one process knows of games: the folded ones, who waits for them, where long work goes."""

from msgspec import Struct

from service.metrics import WorkMeasured
from service.play.game_cache import Folds
from service.play.signals import Signals
from service.play.workers import Workers
from service.store.log.events import EventStore


class Process(Struct, frozen=True, kw_only=True):
    """What commands and queries of one club's games share within a process."""

    folds: Folds
    signals: Signals
    workers: Workers
    measured: WorkMeasured


def new_process(
    store: EventStore, measured: WorkMeasured | None = None, signals: Signals | None = None
) -> Process:
    """Begin with nothing known. `measured` None: nobody is told how long things take."""
    return Process(
        folds=Folds(store),
        signals=signals or Signals(),
        workers=Workers(),
        measured=measured or WorkMeasured(),
    )
