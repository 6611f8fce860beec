"""Those who came by a link, told apart: a link has no name, so it has a number.

Promises: pure; a number stays with its link for good, revoked or not.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from service.store.records import Link


def numbered(links: Sequence[Link]) -> list[tuple[int, Link]]:
    """Give the links of a game, in the order they were made, numbers from 1."""
    return list(enumerate(links, 1))


def recorders(links: Sequence[Link], recorded: Mapping[int, UUID]) -> dict[int, int]:
    """Tell by the number of which link what was recorded, by version; the rest is the owner's."""
    numbers = {link.link_id: number for number, link in numbered(links)}
    return {version: numbers[link] for version, link in recorded.items() if link in numbers}
