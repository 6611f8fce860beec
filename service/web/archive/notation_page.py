"""The notation page: a summary in the reader's language, then the specification in English."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from litestar import get
from litestar.response import Response
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from service.dependencies import PageRequest
from service.web.format.render import Reader

_BLOCKS = ("fence", "code_block")


@get("/notation", opt={"public": True})
async def notation(request: PageRequest) -> Response[str]:
    return Reader(request).page("notation.html", paper=paper())


@lru_cache
def paper() -> Markup:
    _, _, text = files("domain.notation").joinpath("NOTATION.md").read_text("utf-8").partition("\n")
    reader = MarkdownIt("commonmark", {"html": False})
    for name in _BLOCKS:
        reader.add_render_rule(name, _block)
    return Markup(reader.render(text))  # noqa: S704 made from our own paper, raw HTML escaped


def _block(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _env: EnvType,
) -> str:
    return f'<pre tabindex="0">{escape(tokens[index].content)}</pre>\n'
