"""Score books as an extension: tables of scores in uploads, and empty ones to fill in."""

from typing import ClassVar

from service.extension import Extension
from service.extensions.score_books import pages, source


class ScoreBookExtension(Extension):
    pages: ClassVar = (pages.template_xlsx, pages.template_csv)
    table_source = source.__name__
