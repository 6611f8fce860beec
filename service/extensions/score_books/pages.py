"""Tables to fill in and import: empty, headed by the people of the club."""

import io

from litestar import get
from litestar.response import Response

from service.dependencies import Now, PageRequest, ThePlayers
from service.export.formats import dialects, xlsx
from service.web.format.render import HEADERS, Reader
from service.web.people.players import known

ADDRESS = "/import/scores"
_PEOPLE_IN_TEMPLATE = 8
# The dialect of Excel by language; English spreadsheets use RFC 4180.
_DIALECTS = {"fr": dialects.DIALECTS["excel-fr"], "de": dialects.DIALECTS["excel-de"]}


@get(f"{ADDRESS}/template.xlsx")
async def template_xlsx(request: PageRequest, players: ThePlayers, now: Now) -> Response[bytes]:
    out = io.BytesIO()
    title = Reader(request).gettext("Scores")
    header = await _header(Reader(request), players)
    table = xlsx.Table(title=title, header=header, lines=())
    xlsx.write_workbook(out, [table], title=title, made=now())
    return _file_response(out.getvalue(), xlsx.MEDIA_TYPE, "xlsx")


@get(f"{ADDRESS}/template.csv")
async def template_csv(request: PageRequest, players: ThePlayers) -> Response[bytes]:
    """Return an empty table as CSV in the spreadsheet dialect of the reader's language."""
    reader = Reader(request)
    header = await _header(reader, players)
    dialect = _DIALECTS.get(reader.language, dialects.RFC_4180)
    text = "".join(dialects.csv_lines([header], dialect)).removeprefix("\ufeff")
    return _file_response(f"\ufeff{text}".encode(), dialects.MEDIA_TYPE, "csv")


async def _header(reader: Reader, players: ThePlayers) -> list[str]:
    names = [player.name or "" for player in known(await players.all())][:_PEOPLE_IN_TEMPLATE]
    people = names or [f"{reader.gettext('Player')} {number}" for number in (1, 2)]
    return [reader.gettext("Day"), reader.gettext("Game"), *people, reader.gettext("Remark")]


def _file_response(content: bytes, media_type: str, suffix: str) -> Response[bytes]:
    name = f'attachment; filename="carnet-scores.{suffix}"'
    return Response(content, media_type=media_type, headers=HEADERS | {"Content-Disposition": name})
