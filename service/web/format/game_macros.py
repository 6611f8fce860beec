"""The contract between a game and the pages: the macros of its template `games/<ruleset>.html`.

A template with a missing macro or other arguments is refused when it is loaded. What a macro
renders is not checked.

| macro | renders |
| --- | --- |
| `badges(b, seat)` | marks beside a player's name: dealer, trump maker, … |
| `facts(b, seat)` | the line below the name: cards in hand, tricks, … |
| `table(b)` | the middle of the table, as list items |
| `ask(b)` | the prompt: the expected entry, in one sentence |
| `keypad(b)` | the form, card by card |
| `result(b)` | the form for a deal that is recorded by its result |
| `offline(b)` | the keypad for use without a connection, equal on every board of a game |
| `said_offline()` | texts for use without a connection, as JSON: `asks`, a prompt by phase; \
    `ways`, meanings of a key, by type |
| `say(e, names)` | an entry type of this game, or its `deal_ended`, as a sentence |
| `brief(e, names)` | a short form of the entry; if empty, the sentence is used |
| `help(phase)` | help for beginners in a phase |
| `options(o)` | the option fields of a new game; `o` holds their values |
| `verdict(e, names, options)` | the winner of the deal that `e` (`deal_ended`) ends, and why |
| `about(facts, names)` | a row of the score sheet; `facts` are those of `projections/<game>.py` |

Optional macros:

| macro | renders |
| --- | --- |
| `location(one, names)` | a location of unseen cards, of the kinds in the manifest's `locations`; \
    `slots` are numbered from 1 |
| `stock()` | the cards that were not dealt, where nobody draws them |
| `rows(b)` | the cards in front of each player, in the replay |
| `against(b)` | who acts against whom, for the large display |
| `legend()` | what the badges mean, in the help |
| `mark(row, seat)` | a sign beside a seat's points |
| `part(kind, number, name)` | the heading of a part of a deal, as the manifest `begins` it: \
    `number` counts the parts of a kind, `name` is its first player |
| `wins(o)` | who wins, asked beside the name of a new game; `o` as in `options` |
| `partners()` | the team choice with four players |
| `final(e, names)` | a `game_ended` as a sentence, for games without a single winner |
| `deal_ending(b)` | that the deal in progress is about to end, for the large display |
| `turns_on(rule, facts)` | the types of entries whose correction might resolve a refusal |
| `was_another(said)` | the link text to correct the last of those, `said` in words |
| `instead(rule, e)` | buttons that enter something else instead of a refused entry |

`turns_on` and `was_another` are defined together. A template may also set `unfolded`: the name of
the `details` elements to open when an entry is corrected. `manifest` is the game's own
(`domain/table/manifest.py`), for facts. `b` is the board (`service/web/recorder/table/board.py`),
`e` an entry decoded from JSON, `names` are by seat.
"""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment
from jinja2.runtime import Macro

from domain.games import GAMES

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
    "verdict": ("e", "names", "options"),
    "about": ("facts", "names"),
}
OPTIONAL: dict[str, tuple[str, ...]] = {
    "location": ("one", "names"),
    "stock": (),
    "rows": ("b",),
    "against": ("b",),
    "legend": (),
    "mark": ("row", "seat"),
    "part": ("kind", "number", "name"),
    "wins": ("o",),
    "partners": (),
    "final": ("e", "names"),
    "deal_ending": ("b",),
    "turns_on": ("rule", "facts"),
    "was_another": ("said",),
    "instead": ("rule", "e"),
}
BOTH_OR_NEITHER = ("turns_on", "was_another")


@lru_cache
def game_macros(templates: Environment, ruleset: str) -> Any:  # noqa: ANN401 macros have no type
    """Return the macros of a game's template and its manifest; an undefined optional macro is None.

    Raises: LookupError (a macro is missing or takes other arguments)
    """
    name = f"games/{ruleset}.html"
    module: Any = templates.get_template(name).module
    found: dict[str, Any] = {
        "manifest": GAMES[ruleset],
        "unfolded": getattr(module, "unfolded", ""),
    }
    for macro, arguments in (*REQUIRED.items(), *OPTIONAL.items()):
        found[macro] = defined = getattr(module, macro, None)
        if defined is None and macro in OPTIONAL:
            continue
        if not isinstance(defined, Macro) or tuple(defined.arguments) != arguments:
            wanted = f"{macro}({', '.join(arguments)})"
            raise LookupError(f"service/web/{name} must define the macro {wanted}")
    if len({found[macro] is None for macro in BOTH_OR_NEITHER}) > 1:
        raise LookupError(
            f"service/web/{name} must define both of {', '.join(BOTH_OR_NEITHER)} or none"
        )
    return SimpleNamespace(**found)
