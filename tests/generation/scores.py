"""Random true games of any other game by points: rounds, mistakes corrected, games taken back."""

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.generation.game_log import Effect, Entry, GameLog
from tests.generation.mending import forgetful, insert_corrections

NEVER = 10**9
WORDS = ("pari", "thé", "il est tard", "mal compté")


@dataclass(frozen=True)
class Habits:
    """Shares of rounds that a player sits out, that are mistyped, or taken back.

    `never`: share of the games in which somebody sits out all rounds; `named`: in which the table
    says who won.
    """

    absent: float = 0.1
    mistaken: float = 0.1
    back: float = 0.05
    never: float = 0.2
    named: float = 0.2


class Recorder:
    """Writes one game. `record` is an input of `carnet check` with `expect`."""

    def __init__(self, chance: Random, habits: Habits, mends: Random | None = None) -> None:
        self.chance, self.habits, self.mends = chance, habits, mends
        self.seats = chance.randint(1, 12)
        self.options: Entry = {
            "wins": chance.choice(["lowest", "highest"]),
            "target": chance.choice([None, 20, 100]),
            "rounds": chance.choice([None, 1, 5]),
            "zero_sum": chance.random() < 0.3,
            "teams": self.teams() if chance.random() < 0.3 else None,
        }
        self.game = GameLog(self.seats, self.options["target"] or NEVER)
        self.game.rounds = self.options["rounds"] or NEVER
        self.game.forgets = forgetful(mends)
        self.away = chance.choice(self.sides()) if self.often(habits.never) else []

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def teams(self) -> list[list[int]] | None:
        if self.seats == 1:
            return None
        count = self.chance.randint(2, min(4, self.seats))
        return [list(range(team, self.seats, count)) for team in range(count)]

    def sides(self) -> list[list[int]]:
        return self.options["teams"] or [[seat] for seat in range(self.seats)]

    def round(self) -> tuple[Entry, Effect]:
        sides = [one for one in self.sides() if one != self.away] or self.sides()
        points: list[Any] = [None] * self.seats
        while all(one is None for one in points):
            for side in sides:
                won = None if self.often(self.habits.absent) else self.chance.randint(-5, 30)
                for seat in side:
                    points[seat] = won
        entry: Entry = {"type": "result", "points": points}
        if self.options["zero_sum"] and sum(one or 0 for one in points):
            if self.options["teams"] is None and self.often(0.8):
                seat = next(seat for seat, one in enumerate(points) if one is not None)
                points[seat] -= sum(one or 0 for one in points)
            else:
                entry["waive"] = ["scores.zero-sum"]
        numbered = frozenset(seat for seat, one in enumerate(points) if one is not None)
        return entry, Effect(deal=tuple(one or 0 for one in points), numbered=numbered)

    def finish(self) -> tuple[Entry, Effect]:
        entry: Entry = {"type": "finish", "reason": self.chance.choice(WORDS)}
        if not self.often(self.habits.named):
            return entry, Effect(finishes=True)
        winners = [seat for side in self.sides() if self.often(0.3) for seat in side]
        self.chance.shuffle(winners)
        return entry | {"winners": winners}, Effect(finishes=True, winners=tuple(winners))

    def ranking(self) -> list[list[int]]:
        """Rank by the clauses `scores.win` and `scores.winners`."""
        now = self.game.now
        if now.winners == ():
            return []
        first = sorted(now.winners or ())
        others = now.numbered - set(first)
        best_first = sorted({now.totals[seat] for seat in others})
        if self.options["wins"] == "highest":
            best_first.reverse()
        levels = [sorted(one for one in others if now.totals[one] == best) for best in best_first]
        return [first, *levels] if first else levels

    def record(self) -> Entry:
        game = self.game
        for _ in range(self.chance.choice([0, 1, 3, 8])):
            if self.often(self.habits.back):
                game.take_back(self.chance.choice(game.standing_versions))
            if game.now.over:
                break
            right, wrong = self.round(), self.round()
            if not self.often(self.habits.mistaken):
                game.say(*right)
                self.beside()
                continue
            version = game.write(*wrong)
            if not game.fold(game.amended(version, *right)).broken:
                game.amend(version, *right)
        if not game.now.over and self.often(0.4):
            ended, instead = self.finish(), self.finish()
            version = game.say(*ended)
            if self.often(self.habits.mistaken):
                game.amend(version, *instead)
        insert_corrections(self.mends, game)
        return {
            "ruleset": "scores",
            "options": {name: value for name, value in self.options.items() if value is not None},
            "seats": self.seats,
            "log": game.log,
            "expect": game.expected(0) | ({"ranking": self.ranking()} if game.now.over else {}),
        }

    def beside(self) -> None:
        if self.often(0.1):
            note = {"type": "note", "text": self.chance.choice(WORDS)}
            self.game.say(note, Effect(remark=True))
        if self.often(0.1) and not self.game.now.over:
            seat, points = self.chance.randrange(self.seats), self.chance.randint(-9, 9)
            adjust = {"type": "adjust", "seat": seat, "points": points, "reason": "accord"}
            self.game.say(adjust, Effect(awarded=(seat, points)))


PROFILES = {"plain": Habits(), "unruly": Habits(absent=0.4, mistaken=0.4, back=0.3)}


def true_game(seed: int, habits: Habits, *, mended: bool = False) -> Entry:
    """Return the record of a true game; `mended`: with splices, and perhaps set aside."""
    mends = Random(seed) if mended else None  # noqa: S311 games, not secrets
    return Recorder(Random(seed), habits, mends).record()  # noqa: S311 games, not secrets
