"""What the template of a game brings, `games/<ruleset>.html`: the contract between games and pages.

Promises: a template that is used has every macro below with the arguments named there; one that
has not is refused with the file and the macro, when it is loaded. Assumes nothing of what a macro
writes: that is the game's.

| macro | says |
| --- | --- |
| `badges(b, seat)` | beside a player's name: who deals, who made trumps, … |
| `facts(b, seat)` | below it: cards in hand, tricks, … |
| `table(b)` | the middle of the table, as items of a list |
| `ask(b)` | what is awaited, one sentence |
| `keypad(b)` | the form, card by card |
| `result(b)` | the form for a deal told by its result |
| `offline(b)` | what may be entered while no answer comes: the same on every board of a game |
| `said_offline()` | what is said meanwhile, as JSON: `asks`, a prompt by phase; `ways`, what a \
    key may mean, by type |
| `say(e, names)` | an entry of the game's own, or its `deal_ended`, in a sentence |
| `brief(e, names)` | what matters of an entry in little room; empty: the sentence stands there |
| `help(phase)` | what a newcomer taps in a phase |
| `options(o)` | the options of a new game, as fields; `o` holds their values |
| `verdict(b, e)` | who won or lost the deal that `e` (`deal_ended`) ends, and why, in a sentence |
| `about(facts, names)` | a row of the score sheet; `facts` are those of `projections/<game>.py` |

A template may also define

| macro | says |
| --- | --- |
| `location(one, names)` | where unseen cards lie, of the kinds that the manifest lists \
    (`locations`); `slots`: several of a row, counted from 1 |
| `rows(b)` | what lies before each player, at a moment of the replay |
| `mark(row, seat)` | a sign beside a seat's points |
| `part(kind, number, name)` | the heading of a part of a deal, as the manifest `begins` it: \
    `number` counts those of a kind, `name` is who begins it |
| `partners()` | when four play in teams |
| `final(e, names)` | a `game_ended` in a sentence, where nobody simply wins |
| `turns_on(rule, facts)` | the types of the entries without which a refusal might not stand |
| `was_another(said)` | what leads to correcting the last of those, which is told as `said` |

(the last two together), and set what `SETTINGS` lists: `implied` (types of entries, each with the
type of the one before it that it implies: entered together, undo takes both back), `limited` (the
option `target` is a limit that ends the game for whoever reaches it), `laid_open` (types of
entries, each with the fields whose cards everybody could see), `unfolded` (the name of `details`
of a form that lie open where an entry is corrected). `b` is the board
(`service/web/recorder/table/board.py`), `e` an entry as JSON holds it, `names` by seat.
"""

from types import SimpleNamespace
from typing import Any

from jinja2 import Environment
from jinja2.runtime import Macro

REQUIRED: dict[str, tuple[str, ...]] = {
    "badges": ("b", "seat"),
    "facts": ("b", "seat"),
    "table": ("b",),
    "ask": ("b",),
    "keypad": ("b",),
    "result": ("b",),
    "offline": ("b",),
    "said_offline": (),
    "say": ("e", "names"),
    "brief": ("e", "names"),
    "help": ("phase",),
    "options": ("o",),
    "verdict": ("b", "e"),
    "about": ("facts", "names"),
}
OPTIONAL: dict[str, tuple[str, ...]] = {
    "location": ("one", "names"),
    "rows": ("b",),
    "mark": ("row", "seat"),
    "part": ("kind", "number", "name"),
    "partners": (),
    "final": ("e", "names"),
    "turns_on": ("rule", "facts"),
    "was_another": ("said",),
}
TOGETHER = ("turns_on", "was_another")
# What a template may set, and what stands where it does not.
SETTINGS: dict[str, Any] = {"implied": {}, "limited": False, "laid_open": {}, "unfolded": ""}


def game_macros(templates: Environment, ruleset: str) -> Any:  # noqa: ANN401 macros have no type
    """Return what a game's template brings of the contract, and nothing else of it.

    An optional macro that it does not define is None.

    Raises:
        LookupError: one is missing, or takes other arguments; a setting is of another kind.

    """
    name = f"games/{ruleset}.html"
    module: Any = templates.get_template(name).module
    found: dict[str, Any] = {}
    for macro, arguments in (*REQUIRED.items(), *OPTIONAL.items()):
        found[macro] = brought = getattr(module, macro, None)
        if brought is None and macro in OPTIONAL:
            continue
        if not isinstance(brought, Macro) or tuple(brought.arguments) != arguments:
            wanted = f"{macro}({', '.join(arguments)})"
            raise LookupError(f"service/web/{name} must define the macro {wanted}")
    for setting, usual in SETTINGS.items():
        found[setting] = brought = getattr(module, setting, usual)
        if type(brought) is not type(usual):
            raise LookupError(f"service/web/{name} must set {setting} to a {type(usual).__name__}")
    if len({found[macro] is None for macro in TOGETHER}) > 1:
        raise LookupError(f"service/web/{name} must define both of {', '.join(TOGETHER)} or none")
    return SimpleNamespace(**found)
