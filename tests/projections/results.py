"""Games as standings see them, made for tests: players by a letter."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from projections.standings import GameResult
from projections.summary import places

START = datetime(2026, 1, 1, tzinfo=UTC)


def played(  # noqa: PLR0913 -- a game made for tests
    number: int,
    players: str,
    totals: tuple[int, ...],
    *,
    ruleset: str = "euchre",
    finished: bool = True,
    deals: int = 10,
    lowest: bool = False,
    teams: tuple[tuple[int, ...], ...] = (),
    unranked: Collection[int] = (),
    absent: Collection[int] = (),
    **counted: tuple[int, ...],
) -> GameResult[str]:
    """Make the game of a day; the most points win, or the fewest.

    `unranked` seats have no place; `absent` ones did not take part either.
    """
    return GameResult(
        game_id=f"game {number}",
        title=ruleset,
        started_at=START + timedelta(days=number),
        deals=deals,
        players=tuple(players),
        totals=totals,
        places=place(totals, lowest=lowest, unranked={*unranked, *absent}),
        took_part=tuple(finished and seat not in absent for seat in range(len(totals))),
        teams=teams,
        counted=counted,
    )


def place(
    totals: tuple[int, ...], *, lowest: bool = False, unranked: Collection[int] = ()
) -> tuple[int | None, ...]:
    ranked = [seat for seat in range(len(totals)) if seat not in unranked]
    levels = sorted({totals[seat] for seat in ranked}, reverse=not lowest)
    groups = tuple(tuple(seat for seat in ranked if totals[seat] == level) for level in levels)
    return places(groups, len(totals))


@st.composite
def games(draw: st.DrawFn) -> list[GameResult[str]]:
    found: list[GameResult[str]] = []
    for number in range(draw(st.integers(0, 30))):
        seats = draw(st.integers(2, 4))
        players = draw(st.permutations("abcde"))[:seats]
        totals = tuple(draw(st.integers(-3, 3)) for _ in players)
        some_seats = st.sampled_from([set[int](), set[int](), {0}, {1, 2}, {*range(seats)}])
        found.append(
            played(
                number,
                "".join(players),
                totals,
                ruleset=draw(st.sampled_from(["euchre", "rami"])),
                finished=draw(st.booleans()),
                deals=draw(st.integers(0, 9)),
                teams=draw(st.sampled_from([(), ((0, 2), (1, 3))])) if seats == 4 else (),
                unranked=draw(some_seats),
                absent=draw(some_seats),
            )
        )
    return found
