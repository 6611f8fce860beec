"""Games as standings see them, made for tests: players by a letter."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from projections.standings import GameResult
from projections.summary import places

START = datetime(2026, 1, 1, tzinfo=UTC)


def played(
    number: int,
    players: str,
    totals: tuple[int, ...],
    *,
    ruleset: str = "euchre",
    finished: bool = True,
    deals: int = 10,
    lowest: bool = False,
    teams: tuple[tuple[int, ...], ...] = (),
    **counted: tuple[int, ...],
) -> GameResult[str]:
    """Make the game of a day; the most points win, or the fewest."""
    return GameResult(
        game_id=f"game {number}",
        title=ruleset,
        started_at=START + timedelta(days=number),
        finished=finished,
        deals=deals,
        players=tuple(players),
        totals=totals,
        places=place(totals, lowest=lowest),
        teams=teams,
        counted=counted,
    )


def place(totals: tuple[int, ...], *, lowest: bool = False) -> tuple[int, ...]:
    levels = sorted(set(totals), reverse=not lowest)
    ranked = tuple(
        tuple(seat for seat, total in enumerate(totals) if total == level) for level in levels
    )
    return places(ranked, len(totals))


@st.composite
def games(draw: st.DrawFn) -> list[GameResult[str]]:
    found: list[GameResult[str]] = []
    for number in range(draw(st.integers(0, 30))):
        seats = draw(st.integers(2, 4))
        players = draw(st.permutations("abcde"))[:seats]
        totals = tuple(draw(st.integers(-3, 3)) for _ in players)
        found.append(
            played(
                number,
                "".join(players),
                totals,
                ruleset=draw(st.sampled_from(["euchre", "rami"])),
                finished=draw(st.booleans()),
                deals=draw(st.integers(0, 9)),
                teams=draw(st.sampled_from([(), ((0, 2), (1, 3))])) if seats == 4 else (),
            )
        )
    return found
