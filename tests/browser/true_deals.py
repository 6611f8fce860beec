"""True deals of each game, by chance: played with real cards, told with hands hidden."""

from collections.abc import Callable
from random import Random
from typing import Any

from schemas import durak, dutch, euchre, rami
from tests.generation import (
    durak_deal,
    durak_play,
    dutch_deal,
    dutch_watched,
    euchre_deal,
    rami_deal,
)

Entry = dict[str, Any]


def _said(options: Any) -> Entry:  # noqa: ANN401 any game's options
    return {name: getattr(options, name) for name in options.__struct_fields__}


def _euchre(chance: Random, _seats: int, _language: str) -> list[Entry]:
    habits = euchre_deal.Habits(given=0)
    script = euchre_deal.RealDeal(chance, _said(euchre.Options()), 0, habits).run()
    return [_laid_away(happened.entry) for happened in script.happened]


def _laid_away(entry: Entry) -> Entry:
    """Say that the card laid away was not seen, as the form does."""
    away = entry["type"] == "accept" or entry.get("take")
    return {"discard": "??"} | entry if away else entry


def _durak(chance: Random, seats: int, language: str) -> list[Entry]:
    rules = durak.Options(rules="de" if language == "de" else "fr")
    options = _said(durak.settled(rules, seats))
    real = durak_deal.RealDeal(chance, options, seats, 0, None)
    script = durak_play.Played(chance, real, durak_deal.Habits(given=0)).run()
    return [_by_suit(happened.entry) for happened in script.happened]


def _by_suit(entry: Entry) -> Entry:
    """Tell of cards of one rank in the order of the keys."""
    if "cards" not in entry:
        return entry
    return entry | {"cards": sorted(entry["cards"], key=lambda card: "SHDC".index(card[1]))}


def _dutch(chance: Random, seats: int, _language: str) -> list[Entry]:
    habits = dutch_watched.Habits()
    script = dutch_deal.RealDeal(chance, _said(dutch.Options()), seats, 0, habits).run()
    return [_from_the_left(happened.entry) for happened in script.happened]


def _from_the_left(entry: Entry) -> Entry:
    """Tell of slots looked at in the order in which they lie."""
    if entry["type"] != "look":
        return entry
    order = sorted(range(2), key=lambda one: entry["slots"][one])
    return entry | {
        name: [entry[name][one] for one in order] for name in ("slots", "cards") if name in entry
    }


def _rami(chance: Random, seats: int, _language: str) -> list[Entry]:
    habits = rami_deal.Habits(given=0, named=0)
    script = rami_deal.RealDeal(chance, _said(rami.Options()), seats, 0, habits).run()
    return [happened.entry for happened in script.happened]


DEALS: dict[str, Callable[[Random, int, str], list[Entry]]] = {
    "euchre": _euchre,
    "durak": _durak,
    "dutch": _dutch,
    "rami": _rami,
}


def true_deal(ruleset: str, seed: int, seats: int, language: str) -> list[Entry]:
    """Return the entries of a whole deal by the options a new game has in a language."""
    return DEALS[ruleset](Random(seed), seats, language)  # noqa: S311 games, not secrets
