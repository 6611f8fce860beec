"""Every small fault that can be put into a module: a comparison turned, a number off by one.

A mutant is a module with one such change. They are numbered in the order of the source, so that a
seed and a number say which one it was.
"""

import ast
import copy
from collections.abc import Iterator

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


def places(source: str) -> list[int]:
    """Return the numbers of the nodes that can be changed."""
    tree = ast.parse(source)
    types = _in_types(tree)
    return [
        number
        for number, node in enumerate(ast.walk(tree))
        if _changes(copy.copy(node)) and id(node) not in types
    ]


def mutant(source: str, number: int) -> tuple[int, str]:
    """Return the line of a fault and the whole source with it."""
    tree = ast.parse(source)
    node = next(one for at, one in enumerate(ast.walk(tree)) if at == number)
    _changes(node)
    return getattr(node, "lineno", 0), ast.unparse(tree) + "\n"


def mutants(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each fault and the whole source with it."""
    for number in places(source):
        yield mutant(source, number)


def _changes(node: ast.AST) -> bool:
    """Change a node if it is of those that are changed, and tell whether it is."""
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


def _in_types(tree: ast.Module) -> set[int]:
    """Return the nodes that are part of a type, which nothing runs, by identity."""
    kinds = [
        kind
        for one in ast.walk(tree)
        for kind in (getattr(one, "annotation", None), getattr(one, "returns", None))
        if kind is not None
    ]
    return {id(part) for kind in kinds for part in ast.walk(kind)}
