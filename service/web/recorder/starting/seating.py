"""The seating of a new game, parsed from its form."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import DecodeError, Struct, field, json

from schemas.names import normalized_name, read_name
from schemas.strict_json import decode_strictly
from service.web.format.render import uuid_of, version_of

Pairs = Sequence[tuple[str, str]]
OPTIONS = ("with.", "text.")
_ANY_ORDER = 2
_NAMES_MAX = 32
_TEXT_LENGTH_MAX = 500
_TIME_LENGTH_MAX = 40


class Sitter(Struct, frozen=True, kw_only=True):
    """A chosen player (`id`) or a typed name (None: no name); `number`: the seat, if given."""

    id: UUID | None = None
    name: str | None = None
    number: int | None = None


class NewGame(Struct, frozen=True, kw_only=True):
    """A submitted form for a new game.

    `title`: what a game by points is called. `numbers`: seat numbers by player id or field index;
    `options`: form fields by ruleset.
    `dealer`: the first dealer's seat from 1, if given. `instead`: a game without entries that this
    one replaces. `two`: equal names are two people; `one`: a new name that resembles somebody's is
    another spelling of it. `place`: the location; `tags`: comma-separated.
    `tapped_at`: when a phone without a network started it, by the server's clock (RFC 3339).
    `choose`: what the form is shown for next: a ruleset, the id of a title, or a word of
    `new_game`; `sought`: the text of the search field. `asks_wins`: the page asked who wins.
    `path` and `expected`: the reason of a refusal. `path` "order": the seating is incomplete;
    "same": two people would be named `expected`; "alike": `expected` is the name of somebody whom
    a new name resembles; "begun": the replaced game has entries.
    """

    ruleset: str
    title: str = ""
    players: list[str] = field(default_factory=list[str])
    names: list[str] = field(default_factory=list[str])
    numbers: dict[str, str] = field(default_factory=dict[str, str])
    options: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict[str, list[tuple[str, str]]]
    )
    dealer: str = ""
    instead: str = ""
    two: bool = False
    one: bool = False
    place: str = ""
    tags: str = ""
    command: str = ""
    tapped_at: str = ""
    choose: str = ""
    sought: str = ""
    asks_wins: bool = False
    path: str = ""
    expected: str = ""

    @property
    def chosen(self) -> list[tuple[str, str]]:
        return self.options.get(self.ruleset, [])


def read_new_game(pairs: Pairs) -> NewGame:
    """Parse the form, including the option fields of other rulesets."""
    given = dict(pairs)
    ruleset = given.get("ruleset", "")
    # The order of fields is not preserved.
    typed = {at: given[f"name.{at}"] for at in range(_NAMES_MAX) if given.get(f"name.{at}")}
    names = [typed.get(at, "") for at in range(max(typed, default=-1) + 1)]
    own = [pair for pair in pairs if pair[0].startswith(OPTIONS)]
    return NewGame(
        ruleset=ruleset,
        title=given.get("title", "")[:_TEXT_LENGTH_MAX],
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
        one=given.get("same") == "one",
        place=given.get("place", "")[:_TEXT_LENGTH_MAX],
        tags=given.get("tags", "")[:_TEXT_LENGTH_MAX],
        command=str(uuid_of(given.get("command", "")) or ""),
        tapped_at=given.get("tapped_at", "")[:_TIME_LENGTH_MAX],
        asks_wins="asks_wins" in given,
    )


def _elsewhere(text: str) -> dict[str, list[tuple[str, str]]]:
    try:
        return decode_strictly(text, dict[str, list[tuple[str, str]]])
    except DecodeError:
        return {}


def seat_order(form: NewGame) -> list[Sitter] | None:
    """Return the players by seat; None if the seat numbers are incomplete."""
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
    """Return a name that two players of the game share; "" if there is none."""
    seen = {normalized_name(known.get(one.id) or "") for one in sitters if one.id is not None}
    for sitter in sitters:
        if sitter.id is None:
            name = normalized_name(sitter.name or "")
            if name in seen:
                return sitter.name or ""
            seen.add(name)
    return ""


def shown_options(defaults: Mapping[str, object], fields: Pairs) -> dict[str, object]:
    """Return the option fields to show: the submitted values, else the defaults.

    `said` contains every submitted field, for choices without a value of their own.
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
        return decode_strictly(sent, object)
    except DecodeError:
        return sent


def as_fields(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return options as form fields of every kind that may ask for them."""
    fields = [(f"with.{name}", json.encode(value).decode()) for name, value in options.items()]
    return fields + [(f"text.{n}", value) for n, value in options.items() if isinstance(value, str)]
