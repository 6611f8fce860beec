"""The links of a game, told apart by numbers where nobody named them."""

from collections.abc import Sequence

from service.store.records import Link


def numbered(links: Sequence[Link]) -> list[tuple[int, Link]]:
    """Give the links of a game, in the order they were made, numbers from 1."""
    return list(enumerate(links, 1))
