"""Help and version come at once, in both languages."""

import subprocess
import sys

import pytest
from kit.terminals import Volte

import volte as package

COMMANDS = [
    *("serve", "play", "rules", "clerk", "score", "replay", "review", "check", "verify", "learn"),
    *("puzzle", "simulate", "arena", "bench", "warm", "engine"),
    *("backup", "restore", "reckon", "people", "push-keys", "export-site"),
]


def test_version(volte: Volte) -> None:
    assert volte("--version").out == f"volte {package.__version__}\n"


def test_help_lists_the_commands_in_the_order_of_use(volte: Volte) -> None:
    done = volte("--help", "--lang", "en")
    assert done.status == 0
    listed = [line.split()[0] for line in done.out.split("Commands:\n")[1].splitlines()]
    assert listed == COMMANDS


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_in_french_has_no_english_left(name: str, volte: Volte) -> None:
    english = volte(*name.split(), "--help").out
    french = volte(*name.split(), "--help", "--lang", "fr").out
    assert french.startswith("Usage\u00a0: volte")
    assert "Options\u00a0:" in french
    spoken = {line.strip() for line in english.splitlines() if len(line.split()) > 3}
    assert spoken
    assert not spoken & {line.strip() for line in french.splitlines()}


def test_help_does_not_wait_for_the_game_to_load() -> None:
    code = (
        "import sys; from volte.console.command import run; from volte.cli import volte;"
        "run(volte, ['--help', '--lang', 'en']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "volte.cli" in loaded
    assert not loaded & {"volte.rules", "volte.game", "volte.view", "volte.bots", "volte.fair"}
    assert not loaded & {"msgspec", "platformdirs", "volte.console.habits"}
