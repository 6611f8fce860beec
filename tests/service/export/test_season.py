from collections.abc import Sequence
from io import BytesIO

import pytest
from msgspec.structs import replace

from projections.ratings import Rating
from service.export.history.ranking import Ranking, lines
from service.export.history.rows import PlayedGame
from service.export.history.season import PdfSeason
from service.export.history.writer import ExportContext
from service.language.sentence import LANGUAGES
from service.store.records import Description
from tests.service.export.finished_games import context, played, ranking
from tests.service.export.pages import Page, pages

A4 = (210, 297)
MARGIN = 14


def set_pages(
    games: Sequence[PlayedGame], lang: str = "en", filters: Sequence[str] = ("Euchre",)
) -> list[Page]:
    return set_ranked(games, ranking(games), context(lang, filters))


def set_ranked(games: Sequence[PlayedGame], ranked: Ranking, told: ExportContext) -> list[Page]:
    out = BytesIO()
    writer = PdfSeason(out, told)
    writer.add(games[::-1])
    writer.rank(ranked)
    writer.finish()
    found = pages(out.getvalue())
    # A no-break space joins a name and its total.
    return [replace(page, text=page.text.replace("\u00a0", " ")) for page in found]


def test_who_won_how_often_and_every_game_are_on_it() -> None:
    games = [played(number, ("Ann", "Bob"), (10, -4)) for number in range(5)]
    (page,) = set_pages([*games, played(5, ("Ann", "Bob"), (2, 0), status="open")])
    for said in ("Games played", "Euchre", "Standings", "100%", "−4", "in progress", "★"):
        assert said in page.text
    assert page.text.count("Ann") == 1 + 6
    assert "Games (6)" in page.text
    assert "Jan 2, 2026" in page.text


def test_where_a_game_was_played_and_its_tags_stand_below_its_totals() -> None:
    long = 60 * "W"
    said = Description(place="#panic() at the lake", tags=("*Noël*", "with Grandpa", long[:40]))
    games = [
        played(0, ("Ann", "Bob"), (10, -4), said=said),
        played(1, ("Ann", "Bob"), (1, 0), said=Description(place=long)),
        played(2, ("Ann", "Bob"), (2, 0), said=Description(tags=("at night",))),
    ]
    (page,) = set_pages(games)
    assert "#panic() at the lake · *Noël* · with Grandpa" in page.text
    assert page.text.index("#panic()") > page.text.index("Ann 10")
    assert page.text.index("at night") > page.text.index("Ann 2")
    assert "· at night" not in page.text
    assert page.right <= A4[0] - MARGIN + 0.5


def test_a_rating_of_few_games_is_in_brackets() -> None:
    (few,) = set_pages([played(0, ("Ann", "Bob"), (10, -4))])
    (enough,) = set_pages([played(number, ("Ann", "Bob"), (10, -4)) for number in range(5)])
    assert "(3.4)" in few.text
    assert "(" not in enough.text.split("Ann")[1].split("\n")[0]


def test_a_rating_that_is_as_good_as_nothing_has_no_sign() -> None:
    game = played(0, ("Ann", "Bob"), (10, -4))
    ranked = ranking([game])
    (table,) = ranked.rulesets
    first, last = table.standings
    nothing = replace(first, rating=Rating(mu=24.99, sigma=8.331))
    shown = replace(ranked, rulesets=(replace(table, standings=(nothing, last)),))
    (page,) = set_ranked([game], shown, context())
    assert "(0.0)" in page.text
    line = next(lines(shown, context().words))
    assert "-0.0" not in [*map(str, line)]


def test_an_unranked_player_is_not_first() -> None:
    game = played(0, ("Ann", "Bob"), (10, -4))
    nobody = replace(game, game=replace(game.game, places=(None, None)))
    (page,) = set_ranked([nobody], ranking([nobody]), context())
    assert "★" not in page.text.replace("(★ first)", "")


def test_nobody_wins_at_durak() -> None:
    (page,) = set_pages([played(0, ("Ann", "Bob"), (10, -4), "durak")])
    assert "1st places" in page.text
    assert "Times durak" in page.text
    assert "Won" not in page.text


def test_nobody_is_first_where_nothing_was_played() -> None:
    game = played(0, ("Ann", "Bob"), (0, 0))
    nothing = replace(game, game=replace(game.game, took_part=(False, False)), deals=0)
    (page,) = set_pages([nothing])
    assert "★" not in page.text.replace("(★ first)", "")


def test_who_was_forgotten_is_told_so() -> None:
    (page,) = set_pages([played(0, ("Ann", None), (10, -4))])
    assert "forgotten player" in page.text
    assert "player 2" in page.text


@pytest.mark.parametrize("name", ["#panic()", "*Ben* _x_", "=1+1", "$x$ @y <z> \\ //"])
def test_what_somebody_wrote_is_never_markup(name: str) -> None:
    (page,) = set_pages([played(0, (name, "Bob"), (10, -4))], filters=(name,))
    assert page.text.count(name) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_long_names_stay_on_the_paper(lang: str) -> None:
    names = ("W" * 100, "Donaudampfschifffahrt " * 4, "Εύα", "Łukasz", "İğneci", "Анна")
    totals = (-1_000_000, 5, 4, 3, 2, 1)
    for page in set_pages([played(0, names, totals)], lang):
        assert page.size == A4
        assert page.right <= A4[0] - MARGIN + 0.5


def test_many_games_go_over_many_pages_that_say_which_they_are() -> None:
    games = [played(number, ("Ann", "Bob"), (10, -4)) for number in range(200)]
    found = set_pages(games)
    assert len(found) > 2
    for number, page in enumerate(found, 1):
        assert f"Page {number} of {len(found)}" in page.text
        assert "Players and totals" in page.text


def test_no_games_are_a_sheet_too() -> None:
    (page,) = set_pages([])
    assert "Games (0)" in page.text


def test_the_same_games_give_the_same_bytes() -> None:
    def made() -> bytes:
        out = BytesIO()
        games = [played(0, ("Ann", "Bob"), (10, -4))]
        writer = PdfSeason(out, context())
        writer.add(games)
        writer.rank(ranking(games))
        writer.finish()
        return out.getvalue()

    assert made() == made()
