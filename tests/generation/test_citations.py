"""The entry that a refusal cites satisfies its definition, in true games with one misread entry.

In a second record in which the cited entry proves nothing, the refused entry must be legal; without
a citation no single entry may have that effect. Permuting suits, seats or lists of cards does not
change the citation.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import decode_record, shapes
from schemas.entries import Amend, Entry, Splice, seats_named
from schemas.strict_json import Malformed
from tests.generation.makers import FOLLOWED, MAKERS
from tests.generation.mistakes import Mistake, mistakes
from tests.generation.sizes import games

Record = dict[str, Any]
CORRECTIONS = {"amend", "splice", "take_back"}
LIES_A_GAME, CORRECTIONS_A_GAME, ENTRIES_A_GAME = 12, 8, 160
# Clauses that cite a visible event instead of a proof, such as the last entry that named a card.
NAMED_OR_VISIBLE = {"cards.seen", "table.result", "table.phase"}


def first_refusal(record: Record) -> tuple[int, Refusal, History] | None:
    decoded = decode_record(msgspec.json.encode(record))
    if isinstance(decoded, Malformed):
        return None
    history = History(opening(record["ruleset"], decoded.options, record["seats"]))
    for place, entry in enumerate(decoded.log):
        judged = history.judge(entry)
        if isinstance(judged, Refusal):
            return place, judged, history
    return None


def prove(history: History, record: Record) -> bool:
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed)
    found = judgement.judge(history.game, decoded.log[-1], history.version + 1)
    return isinstance(found, Refusal) and bool(found.suspects)


def true_record(game: str, seed: int) -> Record:
    profiles = list(MAKERS[game].PROFILES)
    record = MAKERS[game].true_game(seed, MAKERS[game].PROFILES[profiles[seed % len(profiles)]])
    log = list(takewhile(lambda entry: entry["type"] not in CORRECTIONS, record["log"]))
    return {**record, "log": log[:ENTRIES_A_GAME]}


def mistakes_in(record: Record, seed: int, tries: int) -> Iterator[tuple[Mistake, Record]]:
    """Yield mistakes in a true record, each with the record that it makes."""
    chance, log = Random(seed), record["log"]  # noqa: S311 games, not secrets
    cards = sorted({card for entry in log for card in cards_in(entry)})
    if not cards or len(log) < 2:
        return
    for mistake in mistakes(chance, log, cards, record["seats"], tries):
        rest = [*mistake.moves, *log[mistake.place + mistake.drop :]]
        yield mistake, {**record, "log": [*log[: mistake.place], *rest]}


def lies(game: str, seed: int) -> Iterator[Record]:
    for _, lie in mistakes_in(true_record(game, seed), seed, LIES_A_GAME):
        found = first_refusal(lie)
        if found is not None:
            yield {**lie, "log": lie["log"][: found[0] + 1]}


def check_corrections(game: str, seed: int) -> int:
    """Correct a true game wrongly; expect the entry that the wrong record cites.

    A later entry that becomes illegal is cited itself, a move of the same splice never. Returns the
    number of refusals.
    """
    record, count = true_record(game, seed), 0
    history, numbers = History(opening_of(record)), list[int | None]()
    for entry in decoded_log(record):
        numbers.append(history.version + 1)
        assert not isinstance(history.judge(entry), Refusal)
    for mistake, lie in mistakes_in(record, -seed, CORRECTIONS_A_GAME):
        found = first_refusal(lie)
        if found is None:
            continue
        place, afresh, before = found
        at, after = mistake.place, mistake.place + len(mistake.moves)
        moves = tuple(decoded_log(lie)[at:after])
        correction: Amend[Entry] | Splice[Entry] = Splice(
            version=int(numbers[at] or 0), drop=mistake.drop, moves=moves
        )
        now = [*numbers[:at], *[None for _ in moves], *numbers[at + mistake.drop :]]
        if mistake.drop == len(moves) == 1:
            correction, now = Amend(version=correction.version, move=moves[0]), numbers
        judged = history.copy().judge(correction)
        why = (game, seed, correction, judged, afresh)
        assert isinstance(judged, Refusal), why
        assert history.preview(correction).refusal == judged, why
        cited = afresh.contradicts and now[versions_of(before).index(afresh.contradicts)]
        falls = {"falls": now[place]} if place >= after else {}
        assert judged.contradicts == (now[place] if falls else cited), why
        assert judged.rule == afresh.rule, why
        assert judged.facts == {**afresh.facts, **falls}, why
        count += 1
    return count


def opening_of(record: Record) -> Game:
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed)
    return opening(record["ruleset"], decoded.options, record["seats"])


def decoded_log(record: Record) -> Sequence[Entry]:
    decoded = decode_record(msgspec.json.encode(record))
    assert not isinstance(decoded, Malformed)
    return decoded.log


def versions_of(history: History) -> list[int]:
    return [step.version for step in history.steps()]


def cards_in(entry: object) -> Iterator[str]:
    match entry:
        case dict():
            for key, value in entry.items():
                if key != "type":
                    yield from cards_in(value)
        case list() | tuple():
            for value in entry:
                yield from cards_in(value)
        case str() if len(entry) == 2 and entry[0] in "AKQJT98765432" and entry[1] in "SHDC":
            yield entry
        case _:
            pass


def proving_nothing(entry: Mapping[str, Any]) -> Record:
    return {key: value for key, value in entry.items() if key != "hands"} | {"unsure": True}


def is_legal_without(record: Record, place: int) -> bool:
    log = list(record["log"])
    log[place] = proving_nothing(log[place])
    return first_refusal({**record, "log": log}) is None


def deal_of(log: Sequence[Record]) -> range:
    begins = max(place for place, entry in enumerate(log) if entry["type"] == "deal")
    return range(begins, len(log) - 1)


def mapped(value: object, suits: Mapping[int, int], name: str = "") -> Any:  # noqa: ANN401 JSON
    match value:
        case dict():
            return {key: mapped(one, suits, str(key)) for key, one in value.items()}
        case list() | tuple():
            return [mapped(one, suits, name) for one in value]
        case str() if name not in {"type", "reason", "text", "waive", "rules", "next_lead"}:
            return value.translate(suits) if len(value) <= 3 else value
        case _:
            return value


def suits_permuted(record: Record, chance: Random) -> Record:
    alike: str = MAKERS[record["ruleset"]].ALIKE
    new = "".join(chance.sample(alike, len(alike)))
    log = mapped(record["log"], str.maketrans(alike, new))
    return {**record, "log": log}


def lists_permuted(record: Record, chance: Random) -> Record:
    """Change the order where it has no meaning: of hands, cards laid, and melds laid at once."""
    game, log = record["ruleset"], record["log"]

    def shuffled(value: Any) -> Any:  # noqa: ANN401 JSON
        if isinstance(value, dict):
            return {**value, "cards": shuffled(value["cards"])} if "cards" in value else value
        return chance.sample(value, len(value)) if isinstance(value, list) else value

    def permuted(place: int, entry: Record) -> Record:
        new = dict(entry)
        if game == "dutch":
            if entry["type"] == "look" and "cards" in entry:
                pairs = shuffled(list(zip(entry["slots"], entry["cards"], strict=True)))
                new["slots"], new["cards"] = map(list, zip(*pairs, strict=True))
            return new
        for name, value in entry.items():
            # An added run begins with its first card; later entries number melds in this order.
            if (name == "cards" and entry["type"] != "add") or (
                name == "melds" and place == len(log) - 1
            ):
                new[name] = shuffled(value)
            elif name in {"hands", "places"}:
                new[name] = [shuffled(one) for one in value]
        return new

    return {**record, "log": [permuted(place, entry) for place, entry in enumerate(log)]}


BY_SEAT = {"hands", "totals"}  # lists with one item per seat, besides those of numbers
OF_A_ROW = {"place", "a", "b"}  # a seat and a slot


def numbers_by_seat(record: Record) -> set[str]:
    """Return the fields with one number per seat, as the choices of a new game have them."""
    fields = [choice.fields for choice in judgement.choices(opening_of(record))]
    return {
        name
        for one in fields
        for name, free in one.items()
        if not isinstance(free, tuple) and free["shape"] == "integers"
    }


def rotations(record: Record) -> list[int]:
    """Return by how many seats players can move so that each team keeps its place in lists."""
    seats, teams = record["seats"], GAMES[record["ruleset"]].teams
    options = msgspec.convert(record["options"], shapes(record["ruleset"]).options)
    sides = [set(side) for side in teams(options, seats)] if teams else []
    moved = {by: [{(seat + by) % seats for seat in side} for side in sides] for by in range(seats)}
    return [by for by in range(1, seats) if moved[by] == sides] or [0]


def test_rotations__keep_partners_together() -> None:
    pairs = {"ruleset": "scores", "seats": 4, "options": {"teams": [[0, 2], [1, 3]]}}
    assert rotations(pairs) == [2]
    assert rotations({**pairs, "options": {}}) == [1, 2, 3]


def seats_rotated(record: Record, chance: Random) -> Record:
    seats = record["seats"]
    by = chance.choice(rotations(record))
    by_seat = BY_SEAT | numbers_by_seat(record)
    seat_fields = {
        kind.__struct_config__.tag: seats_named(kind)
        for kind in GAMES[record["ruleset"]].rules.judges
    }

    def rotated(kind: str, name: str, value: Any) -> Any:  # noqa: ANN401 JSON
        match value:
            case list() | tuple() if name in OF_A_ROW:
                return [(value[0] + by) % seats, value[1]]
            case list() | tuple() if name == "places":
                return [[(seat + by) % seats for seat in together] for together in value]
            case list() | tuple() if name in by_seat and len(value) == seats:
                return [value[place - by] for place in range(seats)]
            case int() if name in seat_fields.get(kind, ()):
                return (value + by) % seats
            case _:
                return value

    log = [
        {name: rotated(entry["type"], name, value) for name, value in entry.items()}
        for entry in record["log"]
    ]
    return {**record, "log": log}


def check(game: str, seed: int) -> int:
    chance, count = Random(seed), 0  # noqa: S311 games, not secrets
    for record in lies(game, seed):
        found = first_refusal(record)
        assert found is not None
        _, refusal, history = found
        count += 1
        why = (game, seed, record["log"][-1], refusal)
        if not prove(history, record):
            assert refusal.contradicts is None or refusal.rule in NAMED_OR_VISIBLE, why
        elif refusal.contradicts is not None:
            assert is_legal_without(record, versions_of(history).index(refusal.contradicts)), why
        elif "search" not in refusal.facts:
            alone = [place for place in deal_of(record["log"]) if is_legal_without(record, place)]
            assert not alone, (*why, alone)
        if refusal.rule == "cards.seen" and refusal.contradicts is not None:
            assert names_last(record, versions_of(history).index(refusal.contradicts), refusal), why
        for permuted in (suits_permuted, lists_permuted, seats_rotated):
            twin = first_refusal(permuted(record, chance))
            same = f"{game} {seed}: {refusal.rule} is refused, and after {permuted.__name__} also"
            assert twin is not None, f"{same}: nothing was; {record}"
            cited = twin[1].rule, twin[1].contradicts
            assert cited == (refusal.rule, refusal.contradicts), f"{same}: {cited}; {record}"
    return count + check_corrections(game, seed)


def names_last(record: Record, place: int, refusal: Refusal) -> bool:
    card = str(refusal.facts.get("card"))
    marks = ("XX", "*") if card == "XX" else (card,)
    shown = [str(shown_by(entry)) for entry in record["log"][place:-1]]
    naming = [any(mark in one for mark in marks) for one in shown]
    return naming[0] and (record["ruleset"] == "rami" or not any(naming[1:]))


def shown_by(entry: Record) -> Record:
    if entry.get("unsure") and entry["type"] != "deal":
        return {}
    return {"with": entry["with"]} if "with" in entry else entry


@pytest.mark.parametrize("game", FOLLOWED)
def test_cited__is_the_one_entry_without_which_the_refused_one_stands(game: str) -> None:
    assert sum(check(game, seed) for seed in games(610_000, share=2))
