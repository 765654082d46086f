"""Every level that a page names for a command plays there, at real commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TEXT: Final = "\n".join(
    page.read_text(encoding="utf-8")
    for page in (*ROOT.glob("README*.md"), *ROOT.joinpath("docs").glob("*.md"))
)
ONE_DEAL: Final = "--set match_end=deals:1 --seed 1"
COMMANDS: Final = {
    "play": f"play --seats {{0}},casual,casual,casual {ONE_DEAL} --plain",
    "simulate": "simulate --seats {0},casual,casual,casual --deals 2",
    "arena": "arena {0} {1} --deals 1 --processes 1",
    "engine": "engine --level {0}",
}


def named(command: str) -> set[str]:
    """The players that pages type behind a command, such as `expert@40ms`."""
    typed = re.findall(rf"^\$? ?volte {command} .*--(?:seats|level) (\S+)", TEXT, re.M)
    if command == "arena":
        typed += re.findall(r"^\$? ?volte arena((?: [a-z][a-z@0-9-]*(?= |$))+)", TEXT, re.M)
    return {*re.split("[ ,]", " ".join(typed))} - {"", "me"}


NAMED: Final = [(command, player) for command in COMMANDS for player in sorted(named(command))]


def test_pages_name_players_for_every_one_of_these_commands() -> None:
    assert {command for command, _ in NAMED} == {*COMMANDS}


@pytest.mark.full
@pytest.mark.parametrize(("command", "player"), NAMED)
def test_a_player_that_a_page_names_plays_where_it_is_named(command: str, player: str) -> None:
    other = "casual" if player == "beginner" else "beginner"
    words = COMMANDS[command].format(player, other).split()
    done = subprocess.run(
        [sys.executable, "-m", "volte", *words],
        input="newgame\nquit\n" if command == "engine" else "",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
