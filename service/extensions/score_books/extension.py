"""Score books as an extension: its pages, and the files of the import page that it reads."""

from pathlib import Path
from typing import ClassVar

from service.extension import Extension
from service.extensions.score_books import pages as book_pages
from service.extensions.score_books.tables import TABLE_BYTES_MAX
from service.transfer.record_files import ZIP_BEGINNING
from service.web.transfer.sent_forms import SentFile
from service.web.transfer.upload_routing import UploadPage

_TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
# A ZIP archive lists its file names uncompressed; every workbook contains one of these.
_WORKBOOK_MARKS = (b"[Content_Types].xml", b"application/vnd.oasis.opendocument.spreadsheet")


def _is_table(file: SentFile, path: Path) -> bool:
    if file.name.casefold().endswith(_TABLES):
        return True
    if not file.head.startswith(ZIP_BEGINNING) or file.size > TABLE_BYTES_MAX:
        return False
    data = path.read_bytes()
    return any(mark in data for mark in _WORKBOOK_MARKS)


class ScoreBookExtension(Extension):
    pages: ClassVar = (
        book_pages.show_upload,
        book_pages.upload_scores,
        book_pages.template_xlsx,
        book_pages.template_csv,
        book_pages.show_scores,
        book_pages.import_scores,
    )
    uploads: ClassVar = (UploadPage(book_pages.ADDRESS, _is_table),)
