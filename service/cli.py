"""The command line: `carnet COMMAND …`."""

import gc
import os
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

from service.errors import CarnetError

# Thresholds of the garbage collector. Games contain no cycles with older objects, so full
# collections of a process full of games find little and pause all requests. The defaults
# (700, 10, 10) took half the time of loading a long game; more than 2,000 new objects, or 10,000
# collections of the second generation, would make single pauses last milliseconds.
COLLECTED_AFTER = (2_000, 5, 500)
LANGUAGES = ("en", "fr", "de")
# Exit status of a program ended by a signal, as in a shell: 128 + SIGINT, 128 + SIGPIPE.
INTERRUPTED, PIPE_CLOSED = 130, 141
FAILED = 2
# Of files and folders that are made: nobody else may read them.
PRIVATE = 0o077
NO_LIMIT = "none"

# `import` is a keyword, so the module has another name.
MODULES = {"export": "exporting", "import": "importing"}

EPILOG = """\
settings, read from the environment:
  CARNET_DATABASE_URL  a PostgreSQL server (default: one of its own, under the data directory)
  CARNET_DATABASE_OWNER_URL   the same, for the login that migrates (default: that one too)
  CARNET_DATABASE_DIRECT_URL  the same, past a pooler in transaction mode (default: no pooler)
  CARNET_DATA_DIR      where games and the owner key are kept
  CARNET_HOST          the address to serve on (default: 127.0.0.1; 0.0.0.0 lets phones in)
  CARNET_PORT          the port to serve on (default: 8000)
  CARNET_OWNER_KEY     the owner's key, 22 characters or more (default: made on the first start)
  CARNET_LOG           json: the log to standard error; file: to the data directory
  CARNET_WORKERS       how many processes answer (default: 1)
  CARNET_TLS_CERT      a certificate in PEM, for https (default: plain http)
  CARNET_TLS_KEY       its key in PEM
  CARNET_HOSTS         the hosts that links may name, the first one best (default: as asked)
  CARNET_VIEWERS_KNOW  when viewers see what could be known: live, deal (is over), game, never
  CARNET_BACKUP_DIR    a folder for a backup every night (default: none)
  CARNET_BACKUPS_KEPT  how many of them are kept (default: 14)
  CARNET_HEADS_FILE    a file that gets the signed head every hour (default: none)

Try `carnet serve`, then open the link it shows on your phone.
"""


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    os.umask(PRIVATE)
    command = _module(arguments.command, alone=argv is None)
    try:
        status = int(command.run(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe is gone; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except CarnetError as error:
        sys.stderr.write(f"carnet {arguments.command}: {error}\n")
        return FAILED
    return status


def _module(command: str, *, alone: bool) -> ModuleType:
    """Import a command.

    In a process for it `alone`, the imported objects are frozen: they are never freed, and to scan
    them would take the garbage collector a third of a short command.
    """
    if alone:
        gc.disable()
    try:
        return import_module(f"service.commands.{MODULES.get(command, command)}")
    finally:
        if alone:
            gc.freeze()
            gc.set_threshold(*COLLECTED_AFTER)
            gc.enable()


def parser() -> ArgumentParser:
    whole = ArgumentParser(
        prog="carnet",
        description="Record card games move by move and compute their score sheets.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"carnet {version('carnet')}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (help_text, describe) in _command_table().items():
        describe(commands.add_parser(name, help=help_text))
    return whole


def _command_table() -> dict[str, tuple[str, Callable[[ArgumentParser], None]]]:
    return {
        "serve": ("run the service and print the link for your phone", _describe_serve),
        "check": ("replay recorded games from files, without a database", _describe_check),
        "verify": ("check that no stored entry was changed or removed", _describe_verify),
        "head": ("print the signed head of the log", _describe_head),
        "audit": (
            "replay stored games under today's rules and report differences",
            _describe_audit,
        ),
        "rebuild": ("recompute score sheets and lists from the log", _describe_rebuild),
        "export": ("export everything for another installation", _describe_export),
        "backup": ("write a backup into the backup folder", _describe_backup),
        "restore": ("restore a backup into an empty installation", _describe_restore),
        "import": ("import an export", _describe_import),
        "migrate": ("migrate the database to this version, as its owner", _describe_migrate),
        "distribute": ("distribute the tables over a Citus cluster, by club", _describe_distribute),
        "club": ("add, list, rename, limit, suspend, resume or remove clubs", _describe_club),
        "key": ("show the owner's link and its QR code, or make a new one", _describe_key),
        "rules": ("print the rules of a game, clause by clause", _describe_rules),
    }


def _describe_club(club: ArgumentParser) -> None:
    club.description = (
        "The clubs of this installation, isolated from each other. The first one exists"
        " from the start; a household needs no other."
    )
    club.epilog = "Exit status: 0; 1, nothing was changed; 2, there is no such club."
    what = club.add_subparsers(dest="what", required=True, metavar="WHAT")
    add = what.add_parser("add", help="add a club and print its owner's link")
    add.add_argument("name", metavar="NAME")
    what.add_parser("list", help="list the clubs with their usage")
    rename = what.add_parser("rename", help="rename a club")
    rename.add_argument("club", metavar="CLUB", help="its name or id")
    rename.add_argument("name", metavar="NAME")
    _describe_limit(what.add_parser("limit", help="limit how much a club may store"))
    for name, help_text in (
        ("suspend", "make a club read-only"),
        ("resume", "let its members write again"),
        ("remove", "export a club into a file and remove it"),
    ):
        parser_of_club = what.add_parser(name, help=help_text)
        parser_of_club.add_argument("club", metavar="CLUB", help="its name or id")
        if name == "remove":
            parser_of_club.add_argument(
                "--export", metavar="FILE", help="default: one named by its id"
            )


def _describe_limit(limit: ArgumentParser) -> None:
    limit.description = (
        "Set and print the limits of a club. Limits that are not given stay. Entries beyond one"
        " are refused; stored data is never changed."
    )
    limit.add_argument("club", metavar="CLUB", help="its name or id")
    for name, help_text in (
        ("games", "number of games"),
        ("entries-a-day", "entries recorded from midnight to midnight, UTC"),
        ("people", "number of people"),
        ("stored-bytes", "bytes of entries and their texts"),
    ):
        limit.add_argument(
            f"--{name}", metavar="N", type=_limit, help=f"{help_text}; {NO_LIMIT}: any"
        )


def _limit(text: str) -> int:
    digits = 18  # fits a bigint
    if text == NO_LIMIT:
        return -1
    if not (text.isascii() and text.isdigit() and len(text) <= digits):
        raise ArgumentTypeError(f"{text!r} is neither a number nor {NO_LIMIT}")
    return int(text)


def _add_club(command: ArgumentParser, *, every: bool = False) -> None:
    which = command.add_mutually_exclusive_group() if every else command
    which.add_argument("--club", metavar="CLUB", help="a name or id (default: the first club)")
    if every:
        which.add_argument("--all-clubs", action="store_true", help="all clubs, one after another")
        command.add_argument(
            "--resume",
            action="store_true",
            help="with --all-clubs: continue an interrupted run",
        )


def _describe_serve(serve: ArgumentParser) -> None:
    serve.description = (
        "Run the service until Ctrl-C or SIGTERM. The first start makes the owner's key and shows"
        " its link, with a QR code where a phone can reach it. A key in CARNET_OWNER_KEY is never"
        " shown."
    )
    serve.epilog = "Exit status: 0, it was stopped; 2, it could not start."
    serve.add_argument(
        "--lan",
        action="store_true",
        help="accept phones of this network: serve on all addresses and print a QR code",
    )
    serve.add_argument(
        "--demo",
        action="store_true",
        help="make a season of sample games, apart from all others, and print the link to it",
    )
    serve.add_argument(
        "--log",
        choices=("json", "file"),
        help="write the log as JSON to standard error, or to carnet.log in the data directory"
        " (default: the file on a terminal, else JSON)",
    )
    # A worker process, started with its number by the supervisor.
    serve.add_argument("--worker", type=int, help=SUPPRESS)


def _describe_verify(verify: ArgumentParser) -> None:
    verify.description = (
        "Compute the hash chain of every stored game again and name the first entry of each that"
        " was changed."
    )
    verify.epilog = (
        "Exit status: 0, all hash chains are intact and the log contains all that the heads cover;"
        " 1, a fault was found; 2, the file of --head contains no head."
    )
    verify.add_argument(
        "--head",
        metavar="FILE",
        help="also compare the log with signed heads stored elsewhere (-: standard input)",
    )
    _add_club(verify, every=True)
    _add_jobs(verify)


def _describe_head(head: ArgumentParser) -> None:
    head.description = (
        "Print the signed head of the log (a C2SP tlog-checkpoint note). A copy stored elsewhere"
        " later proves with `carnet verify --head FILE` that no entry was removed."
    )
    head.epilog = "Exit status: 0."
    head.add_argument("--keys", action="store_true", help="print the names of the keys instead")
    head.add_argument(
        "--new-key", action="store_true", help="create a new key first; the old one signs with it"
    )
    _add_club(head)


def _describe_migrate(migrate: ArgumentParser) -> None:
    migrate.description = (
        "Migrate the database to the schema of this version, as CARNET_DATABASE_OWNER_URL. Needed"
        " only if the service does not know that address; otherwise it migrates at its start."
    )
    migrate.epilog = "Exit status: 0; 2, it failed and the database is unchanged."


def _describe_rebuild(rebuild: ArgumentParser) -> None:
    rebuild.description = (
        "Replay every game and recompute the stored results: lists, history and the"
        " points of each deal. The log is only read."
    )
    rebuild.epilog = "Exit status: 0. An interrupted run can be repeated."
    _add_club(rebuild, every=True)
    _add_jobs(rebuild)


def _describe_key(key: ArgumentParser) -> None:
    key.description = (
        "Show the owner's link again, from the file that the first start wrote into the data"
        " directory for its own account, or make a new key."
    )
    key.epilog = "Exit status: 0; 1, there is no key to show, or it is set by CARNET_OWNER_KEY."
    key.add_argument(
        "--new", action="store_true", help="create a new key; the old one stops working"
    )
    key.add_argument(
        "--lan", action="store_true", help="show the link that phones of this network can open"
    )
    _add_club(key)


def _describe_distribute(distribute: ArgumentParser) -> None:
    distribute.description = (
        "Distribute the tables of a database over the nodes of its Citus cluster: each club is"
        " stored on one node. Each change is printed once it is made. CARNET_DATABASE_URL is the"
        " coordinator's address, for a superuser."
    )
    distribute.epilog = (
        "Exit status: 0, or 1 after an error; repeated, the command continues where it stopped."
    )


def _describe_check(check: ArgumentParser) -> None:
    check.description = (
        "Replay recorded games, one JSON record a line or one record in the notation a file, and"
        " answer each with one JSON line: the state it reaches, or the first entry that breaks a"
        " rule. With several files, each answer names its file."
    )
    check.epilog = (
        "Exit status: 0, all are legal; 1, at least one is not; 2, some input could not be read."
    )
    check.add_argument(
        "file", metavar="FILE", nargs="*", help="a file of records; - or nothing: standard input"
    )
    check.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    _add_jobs(check)


def _add_jobs(command: ArgumentParser) -> None:
    command.add_argument(
        "--jobs",
        metavar="N",
        type=_at_least_one,
        default=_cores(),
        help="processes for large clubs (default: one per core)",
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
        help="audit recorded games (*.jsonl with expected answers) of a folder instead",
    )
    _add_club(audit, every=True)
    _add_jobs(audit)
    audit.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")


def _describe_export(export: ArgumentParser) -> None:
    export.description = (
        "Write everything as JSON lines: people, games and every entry, with times, commands and"
        " hashes. Links and the owner's key stay here."
    )
    export.epilog = "Exit status: 0; 1, everything was written, but a hash chain is broken."
    export.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="-: standard output; with --all-clubs a folder for one file per club",
    )
    _add_club(export, every=True)
    _add_jobs(export)


def _describe_backup(backup: ArgumentParser) -> None:
    backup.description = (
        "Write everything into a file named by the current time, as the service does every night"
        " with CARNET_BACKUP_DIR, and keep the newest files. `carnet restore FILE` restores one."
    )
    backup.epilog = "Exit status: 0; 1, everything was written, but a hash chain is broken."
    backup.add_argument("folder", metavar="DIR", nargs="?", help="default: CARNET_BACKUP_DIR")
    _add_club(backup, every=True)
    _add_jobs(backup)


def _describe_restore(restore: ArgumentParser) -> None:
    restore.description = (
        "Restore a backup into an empty installation: games, people, titles, seasons, members,"
        " devices, links, tokens, webhooks and the owner's key. A restore that was stopped can be"
        " repeated. The file is read and compared with its checksum before anything is stored."
    )
    restore.epilog = (
        "Exit status: 0; 1, some games could not be restored; 2, nothing was: the file is not a"
        " complete backup, or the installation is not empty."
    )
    restore.add_argument(
        "file", metavar="FILE", help="a backup, or a folder: the newest backup of each club in it"
    )
    _add_jobs(restore)


def _describe_import(taking_in: ArgumentParser) -> None:
    taking_in.description = (
        "Import an export, entry for entry, with the same hashes. Stored games are not changed, so"
        " an interrupted import can be repeated."
    )
    taking_in.epilog = (
        "Exit status: 0; 1, some games could not be imported; 2, the file is not a complete export."
    )
    taking_in.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="-: standard input; with --all-clubs a folder of exports, each into its own club",
    )
    _add_club(taking_in, every=True)
    _add_jobs(taking_in)


def _describe_rules(rules: ArgumentParser) -> None:
    rules.add_argument("game", metavar="GAME", nargs="?", help="a game (default: list the games)")
    rules.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the rules")


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def _cores() -> int:
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
