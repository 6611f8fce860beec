"""True deals of each game, generated with hands hidden."""

from collections.abc import Callable
from random import Random
from typing import Any

from domain.replay import opening
from schemas import durak, dutch, euchre, rami
from tests.domain.listed import played
from tests.generation import (
    durak_deal,
    durak_play,
    dutch_deal,
    dutch_watched,
    euchre_deal,
    rami_deal,
)

Entry = dict[str, Any]


def _read_words(options: Any) -> Entry:  # noqa: ANN401 any game's options
    return {name: getattr(options, name) for name in options.__struct_fields__}


def _euchre(chance: Random, _seats: int, _language: str) -> list[Entry]:
    habits = euchre_deal.Habits(given=0)
    script = euchre_deal.RealDeal(chance, _read_words(euchre.Options()), 0, habits).run()
    return [_laid_away(happened.entry) for happened in script.happened]


def _laid_away(entry: Entry) -> Entry:
    away = entry["type"] == "accept" or entry.get("take")
    return {"discard": "??"} | entry if away else entry


def _durak(chance: Random, seats: int, language: str) -> list[Entry]:
    rules = durak.Options(rules="de" if language == "de" else "fr")
    options = _read_words(durak.complete_options(rules, seats))
    real = durak_deal.RealDeal(chance, options, seats, 0, None)
    script = durak_play.Played(chance, real, durak_deal.Habits(given=0)).run()
    return [_by_suit(happened.entry) for happened in script.happened]


def _by_suit(entry: Entry) -> Entry:
    if "cards" not in entry:
        return entry
    return entry | {"cards": sorted(entry["cards"], key=lambda card: "SHDC".index(card[1]))}


def _dutch(chance: Random, seats: int, _language: str) -> list[Entry]:
    habits = dutch_watched.Habits()
    script = dutch_deal.RealDeal(chance, _read_words(dutch.Options()), seats, 0, habits).run()
    told: list[Entry] = []
    for happened in script.happened:
        told.append(_as_it_lies(_from_the_left(happened.entry), told, seats))
    return told


def _from_the_left(entry: Entry) -> Entry:
    if entry["type"] != "look":
        return entry
    order = sorted(range(2), key=lambda one: entry["slots"][one])
    return entry | {
        name: [entry[name][one] for one in order] for name in ("slots", "cards") if name in entry
    }


def _as_it_lies(entry: Entry, before: list[Entry], seats: int) -> Entry:
    if entry["type"] != "reveal" or "??" not in entry.get("cards", ()):
        return entry
    game = played(opening("dutch", dutch.Options(), seats), before)
    row = game.rules.situation(game).table["rows"][entry["seat"]]
    cards = [
        lying["card"] or "??" if card == "??" else card
        for lying, card in zip(row, entry["cards"], strict=True)
    ]
    told = entry | {"cards": cards}
    return (
        told if {"??", "K?"} & {*cards} else {name: told[name] for name in told.keys() - {"points"}}
    )


def _rami(chance: Random, seats: int, _language: str) -> list[Entry]:
    habits = rami_deal.Habits(given=0, named=0)
    script = rami_deal.RealDeal(chance, _read_words(rami.Options()), seats, 0, habits).run()
    lying: list[list[str]] = []
    told: list[Entry] = []
    for happened in script.happened:
        entry = happened.entry
        if entry["type"] == "meld":
            lying += [list(cards) for cards in entry["melds"]]
        told += _card_by_card(entry, lying) if entry["type"] == "add" else [entry]
    return told


def _card_by_card(entry: Entry, lying: list[list[str]]) -> list[Entry]:
    """Split an addition into single cards, each next to the run as it is then."""
    run, cards = lying[entry["meld"] - 1], list(entry["cards"])
    if run[0][0] == run[1][0]:
        return [entry | {"cards": [card]} for card in cards]
    ranks = "A23456789TJQKA"
    found: list[Entry] = []
    while cards:
        below, above = ranks[ranks.index(run[0][0]) - 1], ranks[ranks.index(run[-1][0]) + 1]
        card = next(card for card in cards if card[0] in below + above)
        run.insert(0 if card[0] == below else len(run), card)
        cards.remove(card)
        found.append(entry | {"cards": [card]})
    return found


DEALS: dict[str, Callable[[Random, int, str], list[Entry]]] = {
    "euchre": _euchre,
    "durak": _durak,
    "dutch": _dutch,
    "rami": _rami,
}


def true_deal(ruleset: str, seed: int, seats: int, language: str) -> list[Entry]:
    chance = Random(seed)  # noqa: S311 games, not secrets
    dealt, *others = DEALS[ruleset](chance, seats, language)
    if not any(dealt.get("hands", ())):
        dealt = {name: value for name, value in dealt.items() if name != "hands"}
    return [dealt, *others]
