"""A game as a PDF: A4 or A5, tagged, black on white."""

import msgspec

from service.export.formats.typesetter import PaperSize, PrintJob, run_job
from service.export.game.game import GameSheet
from service.export.game.paper import layout_paper

MEDIA_TYPE = "application/pdf"

_TEMPLATE = "paper.typ"


def game_job(game: GameSheet, size: PaperSize = "a4") -> PrintJob:
    data = msgspec.json.encode(layout_paper(game, size)).decode()
    return PrintJob(template=_TEMPLATE, data=data, made=int(game.log[-1].recorded_at.timestamp()))


def game_pdf(game: GameSheet, size: PaperSize = "a4") -> bytes:
    """Print a game; takes 20 ms, for a thousand deals two seconds."""
    return run_job(game_job(game, size))
