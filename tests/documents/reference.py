"""Writes docs/reference/command-line.md and api.md.

By `.venv/bin/python -m tests.documents.reference`.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from service.app import create_routes
from service.cli import parser
from service.http.documentation.openapi import Reference

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
_WRITTEN_BY = "<!-- written by tests/documents/reference.py -->"


def command_line() -> str:
    """List every command of `carnet` with its arguments."""
    head = ["# Command line", "", _WRITTEN_BY, "", "Settings are in [settings](settings.md).", ""]
    return "\n".join([*head, *_commands(parser(), "carnet")])


def api() -> str:
    """List every operation of the API with its first sentence."""
    document = Reference(create_routes()).document
    lines = [
        "# API",
        "",
        _WRITTEN_BY,
        "",
        "Shapes, parameters and examples are at `/schema` of a running service, as OpenAPI 3.1 at",
        "`/schema/openapi.json`. Errors are `application/problem+json` (RFC 9457) in the language",
        "of `Accept-Language`.",
        "",
        "| call | |",
        "| --- | --- |",
    ]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            said = operation.get("description") or operation.get("summary", "")
            first = re.split(r"(?<=[.!?])\s|\n\n", said.strip(), maxsplit=1)[0]
            cell = " ".join(first.split()).replace("|", "\\|")
            lines.append(f"| `{method.upper()} {path}` | {cell} |")
    return "\n".join(lines) + "\n"


def write() -> None:
    """Write both pages."""
    (REFERENCE / "command-line.md").write_text(command_line(), "utf-8")
    (REFERENCE / "api.md").write_text(api(), "utf-8")


def _commands(of: argparse.ArgumentParser, name: str) -> Iterator[str]:
    for action in of._actions:  # noqa: SLF001 -- argparse has no public list of arguments
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 -- as above
            helps = {one.dest: one.help or "" for one in action._choices_actions}  # noqa: SLF001 -- as above
            for command, below in action.choices.items():
                yield f"## {name} {command}\n"
                yield f"{helps.get(command, '').capitalize()}.\n"
                yield from _arguments(below)
                yield from _commands(below, f"{name} {command}")


def _arguments(of: argparse.ArgumentParser) -> Iterator[str]:
    own = [
        one
        for one in of._actions  # noqa: SLF001 -- argparse has no public list of arguments
        if one.dest != "help"
        and one.help != argparse.SUPPRESS
        and not isinstance(one, argparse._SubParsersAction)  # noqa: SLF001 -- as above
    ]
    if not own:
        return
    yield "| argument | |\n| --- | --- |"
    for one in own:
        metavar = one.metavar if isinstance(one.metavar, str) else one.dest.upper()
        named = ", ".join(one.option_strings) or metavar
        value = f" {metavar}" if one.option_strings and one.nargs != 0 else ""
        said = " ".join((one.help or "").replace("%%", "%").split()).replace("|", "\\|")
        yield f"| `{named}{value}` | {said} |"
    yield ""


if __name__ == "__main__":
    write()
