"""Prometheus metrics of appends, choices, the connection pool, and the clubs."""

from collections.abc import Mapping
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

# The target for one list of choices: docs/benchmarks.md.
CHOICES_SECONDS_AIMED = 0.1
_APPEND_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_CHOICES_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, CHOICES_SECONDS_AIMED, 0.25, 1)
_WAIT_SECONDS = (0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10)

# The outcomes of an append. Unreadable batches are not counted.
OUTCOMES = (
    "stored",
    "repeated",
    "refused",
    "conflict",
    "reused",
    "too-long",
    "quota",
    "unavailable",
)


class ClubMetrics:
    """Sizes of clubs, labelled by id; the caller limits how many clubs are labelled."""

    def __init__(self, registry: CollectorRegistry | None) -> None:
        newest = partial(Gauge, multiprocess_mode="mostrecent", registry=registry)
        self._there = newest("carnet_clubs", "Clubs of the installation")
        self._held = {
            what: newest(f"carnet_club_{what}", told, ["club"])
            for what, told in (
                ("games", "Games of a club"),
                ("people", "People of a club who have a name"),
                ("entries", "Entries of a club"),
                ("stored_bytes", "Bytes of a club's entries and texts"),
            )
        }
        self._used = newest(
            "carnet_club_limit_used_ratio",
            "How much of a limit of a club is used, from 0 to 1; none is told where there is none",
            ["club", "limit"],
        )
        self._shown: frozenset[str] = frozenset()
        self._limited: set[tuple[str, str]] = set()

    def set_clubs(self, clubs: int, shown: frozenset[str]) -> None:
        self._there.set(clubs)
        for gone in self._shown - shown:
            self.set_sizes(gone, dict.fromkeys(self._held, 0))
        self._shown = shown

    def set_sizes(self, club: str, held: Mapping[str, int]) -> None:
        for what, size in held.items():
            self._held[what].labels(club).set(size)

    def set_limits(self, club: str, used: Mapping[str, tuple[int, int | None]]) -> None:
        """Set the used share of each limit, from size and limit (None: unlimited)."""
        for limit, (held, most) in used.items():
            if most is not None:
                self._limited.add((club, limit))
                self._used.labels(club, limit).set(held / most if most else 1)
            elif (club, limit) in self._limited:
                self._used.labels(club, limit).set(0)  # it was taken back


class WorkMetrics:
    """Metrics of the work of this process. `registry` None: not exported."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        counter = partial(Counter, registry=registry)
        self._appends = counter("carnet_appends", "Batches of entries sent", ["outcome"])
        seconds = Histogram(
            "carnet_append_seconds",
            "From a batch's being read to what became of it: judged, and on disk if it was stored",
            ["outcome"],
            buckets=_APPEND_SECONDS,
            registry=registry,
        )
        told = "Batches refused, by the clause cited"
        self._refusals = counter("carnet_refusals", told, ["rule"])
        # Resolve the labels in advance, to save time per append and export all outcomes as zero.
        self._outcomes = {
            outcome: (self._appends.labels(outcome), seconds.labels(outcome))
            for outcome in OUTCOMES
        }
        self._choices = Histogram(
            "carnet_choices_seconds",
            "Time to list what may be entered, waiting for a thread included",
            buckets=_CHOICES_SECONDS,
            registry=registry,
        )
        self._choices_late = counter(
            "carnet_choices_late",
            f"Lists of what may be entered that took over {1000 * CHOICES_SECONDS_AIMED:.0f} ms",
        )
        self._waits = Histogram(
            "carnet_pool_wait_seconds",
            "Time a statement waited for a connection to the database",
            buckets=_WAIT_SECONDS,
            registry=registry,
        )
        self.clubs = ClubMetrics(registry)
        self.streams = Gauge(
            "carnet_live_streams",
            "Event streams open: those who follow a game or the feed",
            multiprocess_mode="livesum",
            registry=registry,
        )

    def count_append(self, outcome: str, seconds: float, rule: str | None = None) -> None:
        count, lasted = self._outcomes[outcome]
        count.inc()
        lasted.observe(seconds)
        if rule is not None:
            self._refusals.labels(rule).inc()

    def observe_choices(self, seconds: float) -> None:
        self._choices.observe(seconds)
        if seconds > CHOICES_SECONDS_AIMED:
            self._choices_late.inc()

    def observe_pool_wait(self, seconds: float) -> None:
        self._waits.observe(seconds)
