"""Restores the submitted values of a form in the page that reports a refusal."""

import re
from collections.abc import Iterable
from html import escape, unescape
from typing import Any

_TAG = re.compile(r"<(input|select|option)\b([^>]*)>")
_ATTRIBUTE = re.compile(r"""([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?""")
_STATE = re.compile(r" (?:checked|selected)\b(?![-=])")
_VALUE = re.compile(r' value="[^"]*"')
_BOXES = {"radio", "checkbox"}
_UNTOUCHED = {"hidden", "submit", "button"}


def refill(page: str, fields: Iterable[tuple[str, Any]]) -> str:
    """Return the page with its form fields set to the submitted values."""
    sent: dict[str, list[str]] = {}
    for name, value in fields:
        if isinstance(value, str):
            sent.setdefault(name, []).append(value)
    typed = {name: iter(values) for name, values in sent.items()}
    selected: str | None = None

    def again(tag: re.Match[str]) -> str:
        nonlocal selected
        kind, whole = tag[1], tag[2]
        attributes = {
            name: unescape(double_quoted or quoted or bare)
            for name, double_quoted, quoted, bare in _ATTRIBUTE.findall(whole)
        }
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if kind == "select":
            selected = next(typed[name], None) if name in typed else None
        elif kind == "option" and selected is not None:
            return _set_state("option", whole, "selected", on=value == selected)
        elif kind == "input" and name in sent and attributes.get("type") in _BOXES:
            return _set_state("input", whole, "checked", on=value in sent[name])
        elif kind == "input" and name in sent and attributes.get("type") not in _UNTOUCHED:
            value = next(typed[name], value)
            return f'<input{_VALUE.sub("", whole)} value="{escape(value)}">'
        return tag[0]

    return _TAG.sub(again, page)


def _set_state(kind: str, attributes: str, state: str, *, on: bool) -> str:
    return f"<{kind}{_STATE.sub('', attributes)}{f' {state}' if on else ''}>"
