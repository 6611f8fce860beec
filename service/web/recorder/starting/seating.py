"""Who sits where in a new game, as its form says it: who was chosen or typed."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import DecodeError, Struct, field, json

from schemas.names import folded, read_name
from service.web.format.render import uuid_of, version_of

Pairs = Sequence[tuple[str, str]]
OPTIONS = ("with.", "text.")
_ANY_ORDER = 2
_NAMES_MAX = 32
_SAID_MAX = 500


class Sitter(Struct, frozen=True, kw_only=True):
    """Somebody chosen (`id`), or typed (`name`, None: no name); `number`: of the seat, if said."""

    id: UUID | None = None
    name: str | None = None
    number: int | None = None


class NewGame(Struct, frozen=True, kw_only=True):
    """A form for a new game as somebody left it.

    `numbers`: beside whom or which name, by id or by the place of the field; `options`: by game, as
    fields. `dealer`: the seat that deals first, from 1, if somebody said. `instead`: a game in
    which nothing is recorded yet, whose place this one takes. `two`: people of one name are two.
    `place`: where it is played; `tags`: with commas between them.
    `path` and `expected`: why it was refused, if it was; `path` "order": nobody knows who sits
    where; "same": two people would have one name, `expected`; "begun": a card was recorded.
    """

    ruleset: str
    players: list[str] = field(default_factory=list[str])
    names: list[str] = field(default_factory=list[str])
    numbers: dict[str, str] = field(default_factory=dict[str, str])
    options: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict[str, list[tuple[str, str]]]
    )
    dealer: str = ""
    instead: str = ""
    two: bool = False
    place: str = ""
    tags: str = ""
    path: str = ""
    expected: str = ""

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """The options of its own game, as fields."""
        return self.options.get(self.ruleset, [])


def read_new_game(pairs: Pairs) -> NewGame:
    """Read the form; what belongs to other games is kept beside."""
    given = dict(pairs)
    ruleset = given.get("ruleset", "")
    # Fields do not come in the order they were sent.
    typed = {at: given[f"name.{at}"] for at in range(_NAMES_MAX) if given.get(f"name.{at}")}
    names = [typed.get(at, "") for at in range(max(typed, default=-1) + 1)]
    own = [pair for pair in pairs if pair[0].startswith(OPTIONS)]
    return NewGame(
        ruleset=ruleset,
        players=[value for name, value in pairs if name == "player"],
        names=names,
        numbers={
            name.removeprefix("number."): value.strip()
            for name, value in pairs
            if name.startswith("number.") and value.strip()
        },
        options=_elsewhere(given.get("elsewhere", "")) | {ruleset: own},
        dealer=given.get("dealer", ""),
        instead=given.get("instead", ""),
        two=given.get("same") == "two",
        place=given.get("place", "")[:_SAID_MAX],
        tags=given.get("tags", "")[:_SAID_MAX],
    )


def _elsewhere(text: str) -> dict[str, list[tuple[str, str]]]:
    try:
        return json.decode(text, type=dict[str, list[tuple[str, str]]])
    except DecodeError:
        return {}


def seated(form: NewGame) -> list[Sitter] | None:
    """Return who plays, seat 0 first; None: the numbers do not tell who sits where."""
    sitters = [
        Sitter(id=player, number=version_of(form.numbers.get(text, "")) or None)
        for text in form.players
        if (player := uuid_of(text)) is not None
    ]
    known = len(sitters)
    sitters += [
        Sitter(name=read_name(typed), number=version_of(form.numbers.get(str(at), "")) or None)
        for at, typed in enumerate(form.names)
        if typed.strip()
    ]
    said = [sitter.number for sitter in sitters if sitter.number is not None]
    unsaid = len(sitters) - len(said)
    clear = len(sitters) <= _ANY_ORDER or unsaid <= 1 or (known == 0 and not said)
    if not clear or len({*said}) < len(said):
        return None
    free = iter(number for number in range(1, len(sitters) + 1) if number not in said)
    return sorted(sitters, key=lambda sitter: sitter.number or next(free))


def of_one_name(sitters: Sequence[Sitter], known: Mapping[UUID, str]) -> str:
    """Return a name that was typed for two who play; empty: there is none."""
    seen = {folded(known.get(one.id) or "") for one in sitters if one.id is not None}
    for sitter in sitters:
        if sitter.id is None:
            name = folded(sitter.name or "")
            if name in seen:
                return sitter.name or ""
            seen.add(name)
    return ""


def offered(defaults: Mapping[str, object], fields: Pairs) -> dict[str, object]:
    """Return the options a form begins with: what was said before, else the defaults.

    `said` holds every field as it was sent, for choices that have no value of their own.
    """
    said: dict[str, list[str]] = {}
    for name, value in fields:
        said.setdefault(name, []).append(value)
    values = {name.partition(".")[2]: _value(name, sent[0]) for name, sent in said.items()}
    return {**defaults, **values, "said": said}


def _value(name: str, sent: str) -> object:
    if name.startswith("text."):
        return sent
    try:
        return json.decode(sent)
    except DecodeError:
        return sent


def as_fields(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Write options as the fields of a form, whichever kind of field asks for each."""
    fields = [(f"with.{name}", json.encode(value).decode()) for name, value in options.items()]
    return fields + [(f"text.{n}", value) for n, value in options.items() if isinstance(value, str)]
