"""The preview picture of a public link: the table at the link's last version."""

import re

from service.export.formats.printed import format_signed, strip_controls
from service.export.game.picture import CARDS_MAX, Face, Picture, PictureSide
from service.language.texts import texts
from service.play.snapshots import GameSnapshot
from service.play.views import game_view
from service.web.format.render import Reader
from service.web.recorder.table.game_page import LATELY, board_of

# The markup of the macro `face` in `cards.html`.
_FACE = re.compile(r'<span class="card(?: (\w+))?" aria-hidden="true">([^<]*)')
_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RED = frozenset("hd")
_JOKER = "★"


def picture_of(reader: Reader, shown: GameSnapshot) -> Picture:
    lately = shown.last_entries(LATELY)
    view = game_view(shown.id, shown.version, shown.loaded.history.game, (), shown.players, ())
    board = board_of(reader, view, "", lately=lately)
    table = str(reader.game(shown.ruleset).table(board))
    faces = [_face(suit, rank.strip()) for suit, rank in _FACE.findall(table)]
    deal = reader.gettext("Deal %(deal)s") % {"deal": view.deal}
    words = reader.say(lately[-1], shown.ruleset, board.names)
    return Picture(
        lang=reader.language,
        title=texts().game(shown.ruleset, reader.language),
        deal=deal if view.status == "open" else reader.gettext("Finished"),
        players=tuple(
            PictureSide(name=strip_controls(name), total=format_signed(total))
            for name, total in zip(board.names, view.totals, strict=True)
        ),
        cards=tuple(faces[-CARDS_MAX:]),
        said=strip_controls(words[:1].upper() + words[1:]),
    )


def _face(suit: str, rank: str) -> Face:
    sign = _SIGNS.get(suit, "")
    if not sign and not rank:
        return Face(rank="", suit=_JOKER, red=False)
    return Face(rank=rank, suit=sign or "?", red=suit in _RED)
