"""Find the winner of the latest trick, while players still look at it."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.euchre.trumps import trumps
from schemas.cards import Suit
from schemas.entries import Seat
from schemas.euchre import Options


def find_trick_winner(
    options: Options, table: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> Seat | None:
    """Return the winner of the last complete trick of `entries` in JSON form (`euchre.trick`).

    `table` has the trump, or the `detail` of an ended deal; None if it cannot be known.
    """
    ended = next((entry for entry in reversed(entries) if entry["type"] == "deal_ended"), None)
    suit: Suit | None = table.get("trump") or (ended["detail"]["trump"] if ended else None)
    by_hand = [entry for entry in entries if entry["type"] not in {"deal_ended", "game_ended"}]
    trick = by_hand[-2:]
    if suit is None or [entry["type"] for entry in trick] != ["play", "play"]:
        return None
    led, answer = trick
    beats = trumps(options.deck, suit).beats(answer["card"], led["card"])
    winner: Seat = answer["seat"] if beats else led["seat"]
    return winner
