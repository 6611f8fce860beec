"""The command line: `carnet COMMAND …`.

Promises: each command imports only what it needs; errors made on purpose are one line on standard
error, saying what, where and what to do; a reader that stops reading (`| head`) and Ctrl-C are no
errors. Exit status: 0 all well, 1 what was looked for was found wrong, 2 it could not be done.
"""

import os
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from service.errors import CarnetError

LANGUAGES = ("en", "fr", "de")
# What a shell reports for a program that a signal ended: 128 + SIGINT, 128 + SIGPIPE.
INTERRUPTED, PIPE_CLOSED = 130, 141
FAILED = 2

# `import` is no name for a module.
MODULES = {"export": "exporting", "import": "importing"}

EPILOG = """\
settings, read from the environment:
  CARNET_DATABASE_URL  a PostgreSQL server (default: one of its own, under the data directory)
  CARNET_DATA_DIR      where games and the owner key are kept
  CARNET_HOST          the address to serve on (default: 127.0.0.1; 0.0.0.0 lets phones in)
  CARNET_PORT          the port to serve on (default: 8000)
  CARNET_OWNER_KEY     the owner's key (default: made on the first start)
  CARNET_WORKERS       how many processes answer (default: 1)
  CARNET_TLS_CERT      a certificate in PEM, for https (default: plain http)
  CARNET_TLS_KEY       its key in PEM
  CARNET_VIEWERS_KNOW  when viewers see what could be known: deal (is over), game or never
  CARNET_BACKUP_DIR    a folder for a backup every night (default: none)
  CARNET_BACKUPS_KEPT  how many of them are kept (default: 14)

Try `carnet serve`, then open the link it shows on your phone.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (default: the process's own) asks for; return the exit status."""
    arguments = parser().parse_args(argv)
    command = import_module(f"service.commands.{MODULES.get(arguments.command, arguments.command)}")
    try:
        status = int(command.run(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except CarnetError as error:
        sys.stderr.write(f"carnet {arguments.command}: {error}\n")
        return FAILED
    return status


def parser() -> ArgumentParser:
    """Describe the command line."""
    whole = ArgumentParser(
        prog="carnet",
        description="Record card games play by play, and keep their score sheets.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"carnet {version('carnet')}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _describe_serve(
        commands.add_parser("serve", help="run the service and show the link for your phone")
    )
    _describe_check(
        commands.add_parser("check", help="replay recorded games from files, without a database")
    )
    _describe_verify(
        commands.add_parser("verify", help="check that no stored entry was changed or removed")
    )
    _describe_audit(
        commands.add_parser(
            "audit", help="replay stored games under today's rules and report differences"
        )
    )
    _describe_rebuild(
        commands.add_parser("rebuild", help="write the score sheets and lists anew from the log")
    )
    _describe_export(commands.add_parser("export", help="write everything, for any other Carnet"))
    _describe_backup(
        commands.add_parser("backup", help="write everything into the folder of the backups")
    )
    _describe_import(commands.add_parser("import", help="take everything in that was exported"))
    _describe_key(
        commands.add_parser("key", help="show the owner's link and its QR code, or make a new one")
    )
    _describe_rules(
        commands.add_parser("rules", help="print the rules of a game, clause by clause")
    )
    return whole


def _describe_serve(serve: ArgumentParser) -> None:
    serve.description = (
        "Run the service until Ctrl-C or SIGTERM. The first start shows the owner's link, with a"
        " QR code where a phone can reach it; so does every start with CARNET_OWNER_KEY."
    )
    serve.epilog = "Exit status: 0, it was told to stop; 2, it could not start."
    serve.add_argument(
        "--lan",
        action="store_true",
        help="let phones in this network in: serve on every address, and show a QR code",
    )
    # One of several processes, by its number: started by the one that looks after them.
    serve.add_argument("--worker", type=int, help=SUPPRESS)


def _describe_verify(verify: ArgumentParser) -> None:
    verify.description = (
        "Compute the hash chain of every stored game anew, and name the first entry of each that"
        " is not what was recorded."
    )
    verify.epilog = "Exit status: 0, every chain is whole; 1, at least one is not."
    _add_jobs(verify)


def _describe_rebuild(rebuild: ArgumentParser) -> None:
    rebuild.description = (
        "Fold every game again and write what people read of it: the lists, the history, the"
        " points of every deal. The log is only read."
    )
    rebuild.epilog = (
        "Exit status: 0. One that was cut off is run again: what is right already stays."
    )
    _add_jobs(rebuild)


def _describe_key(key: ArgumentParser) -> None:
    key.epilog = "Exit status: 0; 1, there is no key to show, or it is set by CARNET_OWNER_KEY."
    key.add_argument("--new", action="store_true", help="make a new key; the old one stops working")


def _describe_check(check: ArgumentParser) -> None:
    check.description = (
        "Replay recorded games, one JSON record a line, and answer each with one JSON line: the"
        " state it reaches, or the first entry that breaks a rule."
    )
    check.epilog = (
        "Exit status: 0, all are legal; 1, at least one is not; 2, some input could not be read."
    )
    check.add_argument(
        "file", metavar="FILE", nargs="*", help="a file of records; - or none: standard input"
    )
    check.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    _add_jobs(check)


def _add_jobs(command: ArgumentParser) -> None:
    command.add_argument(
        "--jobs",
        metavar="N",
        type=_at_least_one,
        default=_cores(),
        help="processes to use where there is much to do (default: as many as there are cores)",
    )


def _describe_audit(audit: ArgumentParser) -> None:
    audit.description = (
        "Replay every stored game under today's rules and report, game by game, where an outcome"
        " or a refusal would differ. Nothing is changed."
    )
    audit.epilog = (
        "Exit status: 0, none differs; 1, at least one does; 2, some input could not be read."
    )
    audit.add_argument(
        "--records",
        metavar="DIR",
        help="audit the recorded games (*.jsonl, with what they expect) of a folder instead",
    )
    _add_jobs(audit)
    audit.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")


def _describe_export(export: ArgumentParser) -> None:
    export.description = (
        "Write everything as JSON lines: people, games and every entry, with times, commands and"
        " hashes. Links and the owner's key stay here."
    )
    export.epilog = "Exit status: 0; 1, everything was written, but a chain is not whole."
    export.add_argument("file", metavar="FILE", nargs="?", default="-", help="-: standard output")
    _add_jobs(export)


def _describe_backup(backup: ArgumentParser) -> None:
    backup.description = (
        "Write everything into a folder under the time of day, as the service does every night"
        " with CARNET_BACKUP_DIR, and keep the newest ones. `carnet import FILE` takes one back."
    )
    backup.epilog = "Exit status: 0; 1, everything was written, but a chain is not whole."
    backup.add_argument("folder", metavar="DIR", nargs="?", help="default: CARNET_BACKUP_DIR")


def _describe_import(taking_in: ArgumentParser) -> None:
    taking_in.description = (
        "Take an export in, entry for entry, with the same hashes. What is here already stays as"
        " it is, so that an import that was cut off can be run again."
    )
    taking_in.epilog = (
        "Exit status: 0; 1, some games could not be taken in; 2, the file is not a whole export."
    )
    taking_in.add_argument("file", metavar="FILE", nargs="?", default="-", help="-: standard input")
    _add_jobs(taking_in)


def _describe_rules(rules: ArgumentParser) -> None:
    rules.add_argument("game", metavar="GAME", nargs="?", help="a game; none: list the games")
    rules.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the rules")


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def _cores() -> int:
    """Count the cores this process may use."""
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
