"""A game as a PDF for the fridge door: A4 or A5, tagged, black on white."""

import msgspec

from service.export.formats.typesetter import PrintJob, printed
from service.export.game.game import GameSheet
from service.export.game.paper import PaperSize, paper_of

MEDIA_TYPE = "application/pdf"

_TEMPLATE = "paper.typ"


def game_job(game: GameSheet, size: PaperSize = "a4") -> PrintJob:
    """Say how a game is to be printed: some milliseconds."""
    data = msgspec.json.encode(paper_of(game, size)).decode()
    return PrintJob(template=_TEMPLATE, data=data, made=int(game.log[-1].recorded_at.timestamp()))


def game_pdf(game: GameSheet, size: PaperSize = "a4") -> bytes:
    """Write a game on paper: some 20 ms, for a thousand deals two seconds."""
    return printed(game_job(game, size))
