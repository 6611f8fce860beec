"""The entries that the recorder's form can make without JavaScript.

Reads only the HTML. A field that a button leaves open gets one of the choices around it, as in
`service.web.recorder.forms`; dimmed keys and `template` elements do not count.
"""

from collections.abc import Iterator
from itertools import chain, product
from typing import Any

from msgspec import json

from tests.web.tags import TagReader

Entry = dict[str, Any]
VOID = {"input", "br", "use", "img", "meta", "link", "hr"}


class FormReader(TagReader):
    """Buttons that enter something, and the choices around them.

    `chosen`: values of radios and boxes by field; `numbers`: fields that are typed in; `selects`:
    the values of each select by field; `links`: where the form leads.
    """

    def __init__(self, html: str) -> None:
        self.buttons: list[Entry] = []
        self.groups: dict[str, str] = {}
        self._keys: list[tuple[str, str]] = []
        self.chosen: dict[str, list[str]] = {}
        self.numbers: list[str] = []
        self.selects: dict[str, list[list[str]]] = {}
        self.links: list[str] = []
        self._packed: list[bool] = []
        self.feed(html)
        for group, card in self._keys:
            said = json.decode(self.groups[group].replace('"@"', f'"{card}"'))
            self.buttons += said[-1:] if isinstance(said, list) else [said]

    def handle_starttag(self, tag: str, given: dict[str, str]) -> None:
        """Collect buttons and choices."""
        classes = given.get("class", "").split()
        if tag not in VOID:
            self._packed.append(tag == "template" or any(self._packed[-1:]))
        if any(self._packed[-1:]):
            return
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "button" and name == "entry" and value and "dim" not in classes:
            said = json.decode(value)
            self.buttons += said[-1:] if isinstance(said, list) else [said]
        elif tag == "button" and name.startswith("key.") and "dim" not in classes:
            self._keys.append((name.removeprefix("key."), value))
        elif name.startswith("keys."):
            self.groups[name.removeprefix("keys.")] = value
        elif tag == "input" and given.get("type") in {"radio", "checkbox"}:
            self.chosen.setdefault(name, []).append(value)
        elif tag == "input":
            self.numbers.append(name)
        elif tag == "select":
            self.selects.setdefault(name, []).append([])
            self._select = name
        elif tag == "option":
            self.selects[self._select][-1].append(value)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._packed.pop()

    def made(self) -> Iterator[bytes]:
        places: list[Entry] = [
            json.decode(value) if value else {} for value in self.chosen.get("opens.place", [""])
        ]
        for button in self.buttons:
            for place in places:
                yield from self._filled(button, place)

    def _filled(self, button: Entry, place: Entry) -> Iterator[bytes]:
        ways: list[list[tuple[str, Any]]] = []
        for name, value in button.items():
            if is_open(value):
                values = [place[name]] if name in place else self._values(name)
                ways.append([(name, one) for one in values])
            else:
                ways.append([(name, value)])
        for filled in product(*ways):
            yield code(dict(filled))

    def _values(self, name: str) -> list[Any]:
        field = f"open.{name}"
        values = self.chosen.get(field, []) + list(chain(*self.selects.get(field, [])))
        return [json.decode(value) for value in values if value]


def is_open(value: object) -> bool:
    return value == {} or (isinstance(value, dict) and "must" in value)


def code(entry: Entry) -> bytes:
    return json.encode(entry, order="sorted")
