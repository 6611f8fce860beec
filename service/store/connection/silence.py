"""How long a request may wait for a database that does not answer: once, not for each query."""

import time
from contextvars import ContextVar

# The longest wait. Requests are answered within 10 s.
SILENCE_SECONDS_MAX = 8.0
# Enough to notice that the database answers again.
_LOOK_SECONDS = 0.05

# When the running request began (time.monotonic); None outside of requests.
request_began: ContextVar[float | None] = ContextVar("request_began", default=None)


class Silence:
    """Since when sessions of a pool have been waiting without an answer to any of them.

    A request that begins during a silence waits for `SILENCE_SECONDS_MAX` altogether: its later
    queries, and those that were queued behind the query of another request, fail at once.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._waiting = 0
        self._lasts = False

    @property
    def lasts(self) -> bool:
        """Whether a query got no answer in time, and none was answered since."""
        return self._lasts

    def begin(self) -> None:
        if self._since is None:
            self._since = time.monotonic()
        self._waiting += 1

    def end(self, *, answered: bool | None) -> None:
        """End a wait. `answered`: None if it was cancelled."""
        self._waiting -= 1
        if answered is not None:
            self._lasts = not answered
        if answered or (not self._waiting and not self._lasts):
            self._since = time.monotonic() if self._waiting else None

    def seconds_left(self) -> float:
        """Return how long the running request may wait from now on."""
        now = time.monotonic()
        began = request_began.get()
        if began is None or self._since is None:
            return SILENCE_SECONDS_MAX
        waited = now - max(began, self._since)
        return max(SILENCE_SECONDS_MAX - waited, _LOOK_SECONDS)
