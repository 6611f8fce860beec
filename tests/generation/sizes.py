"""How many games a test makes: hundreds with every commit, ten thousand when asked to go deep."""

from collections.abc import Iterable

from hypothesis import settings

COMMIT, DEEP = 60, 1_500


def games(first: int, share: int = 1) -> Iterable[int]:
    """Return the seeds of this run; `share` divides them for tests whose games are costly.

    `deep` is asked for as with Hypothesis (`--hypothesis-profile=deep`).
    """
    deep = settings().max_examples >= settings.get_profile("deep").max_examples
    return range(first, first + (DEEP if deep else COMMIT) // share)
