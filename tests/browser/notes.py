"""What a table notes on paper: the results of an evening, drawn from a seed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.browser.hands import Answer

Entry = dict[str, Any]
PEOPLE = (
    *("Léa", "Günter", "Zoë", "Ann", "Björn", "Chloé"),
    *("Jürgen", "Eve", "Marie-Françoise", "Max", "Lou", "Fritz"),
)


@dataclass(frozen=True)
class Note:
    """A result on paper: what is tapped before the numbers, the numbers, and the entry."""

    entry: Entry
    answers: dict[str, Answer] = field(default_factory=dict)
    # Names or words that are tapped one after the other; of a result without a number all of it.
    asked: tuple[str, ...] = ()
    # The last number follows from the others.
    filled: bool = False


@dataclass(frozen=True)
class Kind:
    ruleset: str
    seats: int
    draw: Callable[[Random, list[str]], Note]
    options: Entry = field(default_factory=dict)
    # Options with which some evenings end before the last result.
    ends: Entry = field(default_factory=dict)


def number(chance: Random, least: int = 0, most: int = 120) -> int:
    """Draw a number as they occur: small ones, with a zero inside, of two and three digits."""
    some = [one for one in (0, 1, 5, 10, 20, 35, 50, 100, 104, 110) if least <= one <= most]
    return chance.choice([*some, chance.randint(least, min(most, 40)), chance.randint(least, most)])


def typed(value: int) -> Answer:
    return Answer(str(value).replace("-", "±"), shown=str(value))


def scored(chance: Random, names: list[str]) -> Note:
    """Draw a round: positive and negative points, sums, and a player who sat out."""
    points: list[int | None] = []
    answers = {}
    for name in names:
        value = number(chance)
        way = chance.random()
        if way < 0.12 and any(one is not None for one in points):
            points.append(None)
            answers[name] = Answer(key="Sat out", shown="")
        elif way < 0.3:
            parts = (number(chance, 1, 30), number(chance, 1, 30))
            points.append(sum(parts))
            answers[name] = Answer("+".join(map(str, parts)))
        elif way < 0.45 and value:
            points.append(-value)
            answers[name] = Answer(f"{value}±", shown=str(-value))
        else:
            points.append(value)
            answers[name] = typed(value)
    return Note({"type": "result", "points": points}, answers)


def small(chance: Random, names: list[str]) -> Note:
    values = [number(chance, 0, 30) for _ in names]
    return Note(
        {"type": "result", "points": values},
        {name: typed(value) for name, value in zip(names, values, strict=True)},
    )


def zero_sum(chance: Random, names: list[str]) -> Note:
    values = [number(chance) * chance.choice((1, -1)) for _ in names[1:]]
    values.append(-sum(values))
    answers = {name: typed(value) for name, value in zip(names, values, strict=True)}
    return Note({"type": "result", "points": values}, answers, filled=chance.random() < 0.6)


def teams(chance: Random, names: list[str]) -> Note:
    values = [number(chance, 0, 162) for _ in range(2)]
    answers = {" + ".join(names[side::2]): typed(value) for side, value in enumerate(values)}
    return Note({"type": "result", "points": values * 2}, answers)


def rami(chance: Random, names: list[str]) -> Note:
    winner = chance.randrange(len(names))
    is_dry = chance.random() < 0.15
    hands: list[Entry | None] = []
    answers = {}
    for seat, name in enumerate(names):
        if seat == winner:
            hands.append(None)
        elif is_dry or chance.random() < 0.3:
            hands.append({"opened": False})
            answers[name] = Answer(key="Not opened")
        else:
            points = number(chance, 2, 100)
            hands.append({"opened": True, "points": points})
            answers[name] = typed(points)
    return Note({"type": "result", "winner": winner, "hands": hands}, answers, (names[winner],))


def dutch(chance: Random, names: list[str]) -> Note:
    totals = [number(chance, 0, 50) for _ in names]
    caller: int | None = chance.randrange(len(names))
    if chance.random() < 0.25:
        totals[chance.randrange(len(names))] = 0
        caller = None
    entry = {"type": "result", "caller": caller, "counter": None, "totals": totals}
    said = "a row ran empty" if caller is None else names[caller]
    answers = {name: typed(total) for name, total in zip(names, totals, strict=True)}
    return Note(entry, answers, (said,))


def durak(chance: Random, names: list[str]) -> Note:
    order = chance.sample(range(len(names)), len(names))
    entry = {"type": "result", "places": [[seat] for seat in order], "durak": order[-1]}
    return Note(entry, asked=tuple(names[seat] for seat in order[:-1]))


def euchre(chance: Random, _names: list[str]) -> Note:
    maker, tricks = chance.randrange(2), chance.randrange(6)
    entry = {"type": "result", "maker": maker, "tricks": tricks}
    return Note(entry, asked=(f"{maker}:{tricks}",))


KINDS = {
    "highest": Kind("scores", 3, scored, {"wins": "highest"}),
    "rami": Kind("rami", 3, rami, {"target": 5000}, {"target": 200}),
    "lowest": Kind("scores", 4, small, {"wins": "lowest"}, {"rounds": 3}),
    "dutch": Kind("dutch", 4, dutch, {"target": None}, {"target": 100}),
    "zero_sum": Kind("scores", 3, zero_sum, {"zero_sum": True}),
    "durak": Kind("durak", 6, durak, {"rules": "fr"}, {"deals": 4}),
    "teams": Kind("scores", 4, teams, {"teams": [[0, 2], [1, 3]]}, {"target": 301}),
    "euchre": Kind("euchre", 2, euchre, ends={"target": 3}),
    "eight": Kind("scores", 8, scored, {"target": 100_000}, {"target": 150}),
    "twelve": Kind("scores", 12, scored),
    "pair": Kind("rami", 2, rami, {"target": 5000}),
}
