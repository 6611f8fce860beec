"""A user without JavaScript who makes a wanted entry from the forms of a page.

Uses only the HTML of the server: buttons, boxes and fields are chosen, and the submitted form is
read as the service does (`service.web.recorder.forms`). `template` elements do not count; a dimmed
key breaks a rule and counts only for waived entries.
"""

from typing import Any, TypeGuard

from msgspec import DecodeError, Struct, json

from tests.web.entries_read import read_entries
from tests.web.tags import TagReader

Entry = dict[str, Any]
Fields = list[tuple[str, str]]
VOID = {"input", "br", "use", "img", "meta", "link", "hr"}
BOXES = {"radio", "checkbox"}


class Control(Struct):
    """A form control: its possible `values`, and the current ones, `now`."""

    kind: str
    name: str
    values: list[str]
    now: list[str]


class Button(Struct):
    """A button that enters something, or the key of a card, whose entry is that of its group."""

    name: str
    value: str
    dim: bool


class Form(Struct):
    controls: list[Control]
    buttons: list[Button]

    def said(self, button: Button) -> str:
        """Return what a button enters, as JSON."""
        if button.name == "entry":
            return button.value
        field = button.name.replace("key.", "keys.")
        group = next(one.now[0] for one in self.controls if one.name == field)
        return group.replace('"@"', f'"{button.value}"')


class FormsOf(TagReader):
    def __init__(self, html: str) -> None:
        self.forms: list[Form] = []
        self.links: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._option = False
        self.feed(html)

    def handle_starttag(self, tag: str, given: dict[str, str]) -> None:
        """Collect buttons, controls and links."""
        classes = given.get("class", "").split()
        packed = tag == "template" or (any(self._open) and self._open[-1][1])
        if tag not in VOID:
            self._open.append((tag, packed))
        if tag == "form":
            self.forms.append(Form([], []))
        if tag == "a":
            self.links.append(given.get("href", ""))
        if not self.forms or packed:
            return
        form, name, value = self.forms[-1], given.get("name", ""), given.get("value", "")
        if tag == "button" and (name == "entry" or name.startswith("key.")) and value:
            form.buttons.append(Button(name, value, "dim" in classes))
        elif tag == "input" and given.get("type") in BOXES:
            self._box(form, given)
        elif tag == "input" and name:
            form.controls.append(Control(given.get("type", "text"), name, [], [value]))
        elif tag == "select":
            form.controls.append(Control("select", name, [], []))
        elif tag == "option":
            control = form.controls[-1]
            control.values.append(value)
            if "selected" in given or not control.now:
                control.now = [value]

    @staticmethod
    def _box(form: Form, given: dict[str, str]) -> None:
        kind, name, value = given["type"], given.get("name", ""), given.get("value", "")
        same = [one for one in form.controls if (one.kind, one.name) == (kind, name)]
        if not same:
            same = [Control(kind, name, [], [])]
            form.controls += same
        same[0].values.append(value)
        if "checked" in given:
            same[0].now = [*same[0].now, value] if kind == "checkbox" else [value]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._open.pop()


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def made(page: FormsOf, wanted: Entry, *, dimmed: bool = False) -> Fields | None:
    """Return the submitted fields that make an entry; None if no button does."""
    for form in page.forms:
        for button in form.buttons:
            if button.dim and not dimmed:
                continue
            entry = json.decode(form.said(button))
            if not is_object(entry) or entry.get("type") != wanted["type"]:
                continue
            needed: dict[str, list[Any]] = {}
            beside = {one.name[5:] for one in form.controls if one.name.startswith("with.")}
            extra = {k: v for k, v in wanted.items() if k not in entry or k in beside}
            own = {k: v for k, v in entry.items() if k not in extra}
            loose = _boxes(form)
            if not _match(_loosely(own, loose), _loosely(wanted, loose), "", needed):
                continue
            needed |= {f"with.{name}": [value] for name, value in extra.items()}
            sent = [*_send(form, needed), (button.name, button.value)]
            if _reads_as(sent, wanted, form):
                return sent
    return None


def _match(open_: Any, wanted: Any, path: str, needed: dict[str, list[Any]]) -> bool:  # noqa: ANN401 JSON
    if is_object(open_) and "each" in open_:
        for at, one in enumerate(wanted or ()):
            if one is not None:
                needed[f"open.{path}.{at}"] = [one]
        return True
    if is_object(open_) and (not open_ or "must" in open_ or "from" in open_):
        needed[f"open.{open_.get('from', path)}"] = [wanted]
        return True
    if open_ == [] and is_list(wanted):
        needed[f"open.{path}"] = wanted
        return True
    if is_object(open_) and "is" in open_:
        chosen, value = open_["is"]
        met = needed.get(f"open.{chosen}") == [value]
        return _match(open_["then" if met else "else"], wanted, path, needed)
    if is_object(open_):
        return _match_object(open_, wanted, path, needed)
    if is_list(open_):
        return (
            is_list(wanted)
            and len(open_) == len(wanted)
            and all(
                _match(one, other, _inside(path, at), needed)
                for at, (one, other) in enumerate(zip(open_, wanted, strict=True))
            )
        )
    return bool(open_ == wanted)


def _match_object(open_: Entry, wanted: Any, path: str, needed: dict[str, list[Any]]) -> bool:  # noqa: ANN401 JSON
    if not is_object(wanted):
        return False
    if "else" in open_ and set(wanted) != set(open_) - {"else"}:
        return _match(open_["else"], wanted, path, needed)
    for name, value in open_.items():
        if name == "else":
            continue
        if name in wanted:
            if not _match(value, wanted[name], _inside(path, name), needed):
                return False
        elif not (is_object(value) and not (value.keys() - {"must", "if", "from", "each"})):
            return False
    return True


def _inside(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def _send(form: Form, needed: dict[str, list[Any]]) -> Fields:
    left = {name: list(values) for name, values in needed.items()}
    several = {name.partition(".")[2]: values[-1] for name, values in needed.items() if values}
    found: Fields = []
    selects: dict[str, int] = {}
    for control in form.controls:
        if control.kind == "select":
            selects[control.name] = selects.get(control.name, 0) + 1
    for control in form.controls:
        found += [(control.name, value) for value in _read_words(control, left, several, selects)]
    return found


def _read_words(
    control: Control, left: dict[str, list[Any]], several: Entry, selects: dict[str, int]
) -> list[str]:
    kind, _, field = control.name.partition(".")
    if kind == "opens":
        return [_together(control, several)]
    if kind == "cards":
        return [_codes(left, f"open.{field}")]
    if control.name not in left:
        if kind == "open" and control.kind in BOXES and "" in control.values:
            return [""]
        if control.kind == "checkbox":
            return []
        return control.now if control.kind in {*BOXES, "select", "hidden"} else [""]
    wanted = left[control.name]
    if control.kind == "select":
        selects[control.name] -= 1
        # more fields than values: leave the first ones empty
        if selects[control.name] >= len(wanted):
            return [""]
        return [_code(wanted.pop(0))] if wanted else [""]
    if control.kind in BOXES:
        return [value for value in control.values if value in {_code(one) for one in wanted}]
    return [_code(wanted.pop(0))] if wanted else [""]


def _together(control: Control, several: Entry) -> str:
    fitting = [
        value
        for value in control.values
        if value and all(several.get(k, v) == v for k, v in json.decode(value).items())
    ]
    overlap = [v for v in fitting if set(json.decode(v)) & set(several)]
    best = sorted(overlap, key=lambda v: -len(set(json.decode(v)) & set(several)))
    return best[0] if best else ""


def _codes(left: dict[str, list[Any]], name: str) -> str:
    values = left.get(name)
    if not values:
        return ""
    one = values.pop(0)
    return " ".join(one) if is_list(one) else ""


def _code(value: object) -> str:
    return value if isinstance(value, str) and value == "" else json.encode(value).decode()


def _reads_as(sent: Fields, wanted: Entry, form: Form) -> bool:
    try:
        read = read_entries(sent)
    except DecodeError:
        return False
    loose = _boxes(form)
    return read is not None and [_sort(one, loose) for one in read] == [_sort(wanted, loose)]


def _boxes(form: Form) -> set[str]:
    return {one.name.partition(".")[2] for one in form.controls if one.kind == "checkbox"}


def _loosely(entry: Entry, boxes: set[str]) -> Entry:
    return entry | {
        name: sorted(entry[name]) for name in boxes if isinstance(entry.get(name), list)
    }


def _sort(entry: Entry, boxes: set[str]) -> bytes:
    return json.encode(_loosely(entry, boxes), order="sorted")
