"""Every small fault that can be put into a module: a comparison turned, a number off by one.

A mutant is a module with one such change. They are numbered in the order of the source, so that a
seed and a number say which one it was.
"""

import ast
import copy
from collections.abc import Iterator

from msgspec import Struct, structs

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Fault(Struct, frozen=True, kw_only=True):
    """One fault, told: where it would stand, what stands there, what would.

    `lines`: from the first to the last of what would be changed; `around`: those of its function,
    or of the module.
    """

    function: str
    lines: tuple[int, int]
    around: tuple[int, int]
    line: str
    was: str
    fault: str


class Mutant(Fault, frozen=True, kw_only=True):
    """One fault, made: the whole source with it."""

    source: str


def places(source: str) -> list[int]:
    """Return the numbers of the nodes that can be changed."""
    return [number for number, _ in _places(ast.parse(source))]


def mutant(source: str, number: int) -> Mutant:
    """Make the fault of a number."""
    tree = ast.parse(source)
    node = next(one for at, one in enumerate(ast.walk(tree)) if at == number)
    told = _Telling(source, tree).of(node)
    _changes(node)
    return Mutant(**structs.asdict(told), source=ast.unparse(tree) + "\n")


def mutants(source: str) -> Iterator[Mutant]:
    """Make every fault."""
    for number in places(source):
        yield mutant(source, number)


def faults(source: str) -> Iterator[Fault]:
    """Tell every fault, and make none: to write the whole source for each takes far longer."""
    tree = ast.parse(source)
    telling = _Telling(source, tree)
    for _, node in _places(tree):
        yield telling.of(node)


def _places(tree: ast.Module) -> Iterator[tuple[int, ast.AST]]:
    left_out = _in_types(tree) | _guards(tree)
    for number, node in enumerate(ast.walk(tree)):
        if _changes(copy.copy(node)) and id(node) not in left_out:
            yield number, node


class _Telling:
    """Tells the faults of a source, and leaves its nodes as they are."""

    def __init__(self, source: str, tree: ast.Module) -> None:
        self._lines = source.splitlines()
        self._holders = [one for one in ast.walk(tree) if isinstance(one, _Function | ast.ClassDef)]

    def of(self, node: ast.AST) -> Fault:
        """Tell the fault of a node."""
        first, last = _span(node.test if isinstance(node, ast.If | ast.While) else node)
        function, around = self._function(node)
        changed = copy.copy(node)
        _changes(changed)
        return Fault(
            function=function,
            lines=(first, last),
            around=around,
            line=self._lines[first - 1].strip(),
            was=_said(node),
            fault=_said(changed),
        )

    def _function(self, node: ast.AST) -> tuple[str, tuple[int, int]]:
        first, last = _span(node)
        holders = [
            one for one in self._holders if one.lineno <= first and last <= (one.end_lineno or 0)
        ]
        functions = [one for one in holders if isinstance(one, _Function)]
        name = ".".join(one.name for one in holders)
        return name, _span(functions[-1]) if functions else (1, len(self._lines))


def _said(node: ast.AST) -> str:
    return ast.unparse(node.test if isinstance(node, ast.If | ast.While) else node)


def _span(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)


def _changes(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[one]) if type(one) in COMPARED:
            node.ops = [COMPARED[type(one)]()]
        case ast.BinOp(op=operator) if type(operator) in COUNTED:
            node.op = COUNTED[type(operator)]()
        case ast.BoolOp(op=ast.And()):
            node.op = ast.Or()
        case ast.BoolOp(op=ast.Or()):
            node.op = ast.And()
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.If(test=test) | ast.While(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case _:
            return False
    return True


def _guards(tree: ast.Module) -> set[int]:
    """Return what no answer depends on, by identity.

    That is what only forbids mistakes in the code (frozen=True, strict=True), and how many answers
    a cache keeps (maxsize=64).
    """
    return {
        id(keyword.value)
        for one in ast.walk(tree)
        for keyword in getattr(one, "keywords", ())
        if isinstance(one, ast.ClassDef) or keyword.arg in {"strict", "maxsize"}
    }


def _in_types(tree: ast.Module) -> set[int]:
    kinds = [
        kind
        for one in ast.walk(tree)
        for kind in (getattr(one, "annotation", None), getattr(one, "returns", None))
        if kind is not None
    ]
    aliases = [one.value for one in tree.body if isinstance(one, ast.Assign) and _is_alias(one)]
    return {id(part) for kind in (*kinds, *aliases) for part in ast.walk(kind)}


def _is_alias(one: ast.Assign) -> bool:
    """Tell whether an assignment names a type: `Fact = str | int`, not `ALL = LOW | HIGH`.

    Turned around (`str & int`), it could not even be imported.
    """
    names = [getattr(target, "id", "") for target in one.targets]
    made_of = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.Constant, ast.BinOp)
    parts = [part for part in ast.walk(one.value) if isinstance(part, ast.expr)]
    return (
        all(name.lstrip("_")[:1].isupper() and not name.isupper() for name in names)
        and all(isinstance(part, made_of) for part in parts)
        and not any(
            isinstance(part, ast.Constant) and isinstance(part.value, int) for part in parts
        )
    )
