"""What is true at a table is a value: what a frozen type of the domain holds is frozen as well."""

import enum
import importlib
import pkgutil
import typing
from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct

import domain

# Held, and not frozen; by type, with the reason.
WRITABLE = {
    "Effort": "nodes visited, counted in the memo of a deal",
    "Flows": "flows in the memo of a deal, copied before they are changed",
    "History": "what judges entries one after another; held by answers about a whole record",
    "Pack": "made once for a game and never changed",
    "Free": "a dictionary by its nature, made and never changed: choices are sent as they are",
}
HOLDING_THE_MEMO = {"Memo"}


def classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(domain.__path__, "domain."):
        for one in vars(importlib.import_module(module.name)).values():
            if isinstance(one, type) and one.__module__ == module.name:
                yield one


def is_frozen(one: type) -> bool:
    return (issubclass(one, Struct) and one.__struct_config__.frozen) or issubclass(one, tuple)


def held(kind: object) -> Iterator[type]:
    inner: Iterable[object] = (
        cast("list[object]", kind) if isinstance(kind, list) else typing.get_args(kind)
    )
    for one in inner:
        yield from held(one)
    if not inner and isinstance(kind, type):
        yield kind


def holdings() -> set[tuple[str, str]]:
    return {
        (one.__name__, part.__name__)
        for one in classes()
        if is_frozen(one)
        for kind in typing.get_type_hints(one).values()
        for part in held(kind)
        if part in {dict, list, set}
        or (part.__module__.startswith("domain.") and not is_frozen(part))
        if not issubclass(part, enum.Enum)
    }


def test_what_is_frozen_holds_nothing_that_is_written_but_what_has_a_reason() -> None:
    assert {part for _, part in holdings()} == WRITABLE.keys()


def test_only_the_memo_is_written_while_a_game_is_judged() -> None:
    memos = {holder for holder, part in holdings() if part == "Flows"}
    assert memos == HOLDING_THE_MEMO
