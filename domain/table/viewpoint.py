"""A game as one seat could know it: private cards of the other seats are masked.

The masked record is judged again like any other record, so its knowledge is what that seat could
deduce. `Manifest.private` and `Manifest.players_see_hands` define which cards are private.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.table import judgement
from domain.table.history import History, Step, move_number
from domain.table.manifest import Manifest
from domain.table.rules import Game
from schemas.entries import Entry, Seat, is_amend, is_splice


def deal_in_progress(history: History) -> tuple[Game, list[Step]]:
    """Return the game before the deal in progress, and the steps of that deal, oldest first."""
    deal: list[Step] = []
    step = history.head(history.version)
    while step is not None and step.game.deal is not None:
        deal.append(step)
        step = step.before
    return (step.game if step else history.opening), deal[::-1]


def mask_game(manifest: Manifest, history: History, eyes: Seat | None) -> Game:
    """Return the game as one seat could know it; `eyes` None: as all seats could.

    Only the deal in progress is judged again.
    """
    game, deal = deal_in_progress(history)
    for seen in mask_steps(manifest, game, deal, eyes):
        game = seen.game
    return game


def mask_steps(
    manifest: Manifest, before: Game, deal: Iterable[Step], eyes: Seat | None
) -> Iterator[Step]:
    """Yield the steps of one deal with masked entries and the games that follow from them.

    `before` is the game before the first step. The yielded steps have no `before`.
    """
    for step in deal:
        entry = mask_entry(manifest, step.entry, eyes)
        before = judgement.apply_trusted(before, entry, move_number(step.version, step.part))
        yield Step(step.version, entry, step.derived, before, None, step.part)


def mask_entry(manifest: Manifest, entry: Entry, eyes: Seat | None) -> Entry:
    """Return an entry without cards that only another seat than `eyes` has seen.

    The moves of a correction are masked. A card becomes `??` or is removed in the same way whether
    it was recorded or not, so the result does not reveal what the recorder knew.
    """
    if is_amend(entry):
        return replace(entry, move=mask_entry(manifest, entry.move, eyes))
    if is_splice(entry):
        return replace(entry, moves=tuple(mask_entry(manifest, move, eyes) for move in entry.moves))
    word = type(entry).__struct_config__.tag
    private = manifest.private.get(str(word))
    if private is not None and getattr(entry, "seat", None) != eyes:
        entry = replace(entry, **{private.name: private.unseen(partial(getattr, entry))})
    hands = getattr(entry, "hands", UNSET)
    if word != "deal" or hands is UNSET:
        return entry
    own = tuple(
        hand if manifest.players_see_hands and seat == eyes else None
        for seat, hand in enumerate(hands)
    )
    return replace(entry, hands=own if any(own) else UNSET)


def mask_json(manifest: Manifest, entry: Mapping[str, Any], eyes: Seat | None) -> Mapping[str, Any]:
    """Return the JSON of an entry, masked as by `mask_entry`."""
    kind = entry["type"]
    if kind == "amend":
        return {**entry, "move": mask_json(manifest, entry["move"], eyes)}
    if kind == "splice":
        return {**entry, "moves": [mask_json(manifest, move, eyes) for move in entry["moves"]]}
    private = manifest.private.get(kind)
    if private is not None and entry.get("seat") != eyes:
        unseen = private.unseen(entry.get)
        rest = {name: value for name, value in entry.items() if name != private.name}
        # Decoded JSON has lists instead of tuples.
        shown = list(unseen) if isinstance(unseen, tuple) else unseen
        return rest if unseen is UNSET else {**rest, private.name: shown}
    if kind != "deal" or "hands" not in entry:
        return entry
    own = [
        hand if manifest.players_see_hands and seat == eyes else None
        for seat, hand in enumerate(entry["hands"])
    ]
    rest = {name: value for name, value in entry.items() if name != "hands"}
    return {**rest, "hands": own} if any(own) else rest
