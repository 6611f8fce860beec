from collections import Counter
from html.parser import HTMLParser

import pytest
from msgspec import Struct

from tests.generic.games import every_game, walks
from tests.generic.test_forms import form, moments
from tests.web.form_filler import VOID


class Element(Struct):
    tag: str
    label: str
    unseen: bool
    unsaid: bool
    text: str = ""


class Names(HTMLParser):
    """The accessible names of the buttons that are there; `left_out` are classes that are not."""

    def __init__(self, html: str, left_out: set[str]) -> None:
        super().__init__()
        self.found: list[str] = []
        self._left_out = left_out
        self._open: list[Element] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        given = dict(attrs)
        around = self._open[-1] if self._open else Element("", "", unseen=False, unsaid=False)
        classes = set((given.get("class") or "").split())
        self._open.append(
            Element(
                tag,
                given.get("aria-label") or "",
                unseen=around.unseen or "hidden" in given or bool(classes & self._left_out),
                unsaid=around.unsaid or given.get("aria-hidden") == "true",
            )
        )

    def handle_data(self, data: str) -> None:
        if self._open and not self._open[-1].unsaid:
            for element in self._open:
                element.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        element = self._open.pop()
        if element.tag in {"button", "summary"} and not element.unseen:
            self.found.append(" ".join((element.label or element.text).split()))


@every_game
@pytest.mark.parametrize("other", ["by-tap", "by-form"])
@pytest.mark.parametrize("by", ["cards", "result"])
def test_no_two_buttons_share_a_name(ruleset: str, other: str, by: str) -> None:
    found = 0
    for number, one in enumerate(walks(ruleset)):
        for game, _chance in moments(one, number):
            names = Names(form(game, by), {other}).found
            found += len(names)
            assert [name for name, count in Counter(names).items() if count > 1] == []
            assert "" not in names
    assert found
