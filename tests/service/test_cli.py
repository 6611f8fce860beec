import subprocess
import sys

import pytest

from deploy.development.version import project_version
from schemas.catalogue import SHAPES
from service.cli import main, parser

COMMANDS = (
    "serve",
    "check",
    "verify",
    "head",
    "audit",
    "rebuild",
    "export",
    "import",
    "key",
    "rules",
)


def test_help__names_every_command_and_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--help"])
    assert exit_.value.code == 0
    said = capsys.readouterr().out
    for word in (*COMMANDS, "CARNET_DATABASE_URL", "CARNET_DATA_DIR", "CARNET_OWNER_KEY"):
        assert word in said


@pytest.mark.parametrize("command", COMMANDS)
def test_help__of_each_command_says_how_it_is_used(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([command, "--help"])
    assert exit_.value.code == 0
    assert f"usage: carnet {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv", [[], ["deal"], ["check", "--lang", "es"], ["check", "--jobs", "0"]]
)
def test_usage__that_makes_no_sense_is_status_2(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(argv)
    assert exit_.value.code == 2
    assert "usage: carnet" in capsys.readouterr().err


def test_start__of_commands_on_stored_games_needs_nothing_of_the_server() -> None:
    modules = (
        *("audit", "backup", "club", "exporting", "head"),
        *("importing", "key", "rebuild", "verify"),
    )
    imports = "".join(f"import service.commands.{name}; " for name in modules)
    asked = (
        imports + "import sys; print('service.store.connection.pool' in sys.modules, *sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    found, *loaded = told.stdout.split()
    assert found == "True"
    assert not {"litestar", "granian", "jinja2", "xlsxwriter", "service.app"} & {*loaded}


def test_jobs__default_to_the_cores_at_hand() -> None:
    assert parser().parse_args(["check"]).jobs >= 1


def test_rules__without_a_game_lists_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert capsys.readouterr().out.split() == list(SHAPES)


def test_rules__of_a_game_are_printed_clause_by_clause(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "euchre", "--lang", "de"]) == 0
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines() if line[:1].strip()] == list(
        SHAPES["euchre"].CLAUSES
    )
    assert "Zum ersten Stich" in said


def test_rules__of_an_unknown_game_say_which_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "go"]) == 2
    assert f"no game is called 'go'; known: {', '.join(SHAPES)}" in capsys.readouterr().err


def test_version__is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"carnet {project_version()}\n"


@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_help__of_each_command_says_its_exit_status(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert "Exit status: 0" in capsys.readouterr().out
