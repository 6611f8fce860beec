"""The documents, and the blocks of code in them."""

import re
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "deploy/**/*.md", "docs/**/*.md", "domain/**/*.md", "service/**/*.md")
    for path in ROOT.glob(pattern)
)
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


class Block(Struct, frozen=True):
    """A block of code: document, line, language, and code without indentation."""

    document: str
    line: int
    language: str
    code: str


def blocks() -> list[Block]:
    found: list[Block] = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text("utf-8")
        for block in _BLOCK.finditer(text):
            indent, language, code = block.groups()
            lines = [line.removeprefix(indent) for line in code.splitlines()]
            at = 1 + text.count("\n", 0, block.start())
            found.append(Block(document, at, language, "\n".join(lines) + "\n"))
    return found


BLOCKS = blocks()
