"""An installation without the extra `strong`: real processes in which there is no NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

import pytest
from kit import few

from volte.extras import install_command

WITHOUT: Final = """\
import sys
for name in ("numpy", "numba", "llvmlite"):
    sys.modules[name] = None  # to import it is a ModuleNotFoundError
"""

VIEWS: Final = """\
import sys
from msgspec.structs import replace
from volte import game
from volte.bots import OFFERED, BotOwner, Clock, make_bot, think
from volte.rules import make_ruleset

class Seated(BotOwner):
    def ask(self):
        views.append(self.view)
        return super().ask()

def play(preset, players, levels):
    rules = make_ruleset(preset, {"players": int(players), "match_end": "deals:1"})
    seated = [levels[seat % len(levels)] for seat in range(rules.players)]
    named = [game.Player(f"{seat}", level=level) for seat, level in enumerate(seated)]
    owners = [Seated(make_bot(level, 1), seat) for seat, level in enumerate(seated)]
    start = game.MatchStarted(rules, tuple(named))
    return game.Driver([start], owners, game.PlainChance(3)).run()

views = []
"""

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def light(tmp_path: Path) -> Run:
    """Return a function that runs Python without NumPy, in its workers too, with arguments."""
    tmp_path.joinpath("sitecustomize.py").write_text(WITHOUT)
    places = [str(tmp_path), *(path for path in sys.path if path)]

    def run(*words: str) -> CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(places), "HOME": str(tmp_path)},
            input="",
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    return run


def done(ran: CompletedProcess[str]) -> list[str]:
    """Return the words that a program printed; it must have succeeded, without warnings."""
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("preset", "players"),
    [
        ("microsoft", 4),
        *(
            pytest.param(*each, marks=pytest.mark.full)
            for each in (("coeurs", 3), ("coeurs", 7), ("salon-valet", 4), ("cancellation", 6))
        ),
    ],
)
def test_every_level_that_is_offered_plays_a_deal(light: Run, preset: str, players: int) -> None:
    script = """
print(*OFFERED, play(*sys.argv[1:], OFFERED).phase.value)
print(*(name for name in sys.modules if name.startswith("volte.kernel")))
"""
    words = done(light("-c", VIEWS + script, preset, str(players)))
    assert words == ["beginner", "casual", "strong", "ended"]


@pytest.mark.full
def test_strong_estimates_every_legal_card_and_repeats_itself(light: Run) -> None:
    script = """
play("microsoft", 4, OFFERED)
for view in views:
    first, second = (think(make_bot("strong", 5), view, Clock(simulations=300)) for _ in range(2))
    assert replace(first, milliseconds=0.0) == replace(second, milliseconds=0.0)
    if first.estimates:
        cards = {estimate.action.card for estimate in first.estimates}
        assert cards == set(view.legal) and first.action.card in cards
print(sum(len(view.legal) > 1 for view in views) > 20)
"""
    assert done(light("-c", VIEWS + script)) == ["True"]


@pytest.mark.full
def test_a_hint_says_why_and_what_else_there_is(light: Run) -> None:
    script = """
from volte.console.person import advice
from volte.say import Words

play("coeurs", 4, OFFERED)
view = next(view for view in views if view.state.phase.value == "playing" and len(view.legal) > 8)
found = advice(view)
assert found.action.card in view.legal and found.others
print(Words("en").hint(found, view))
"""
    assert len(done(light("-c", VIEWS + script))) > 5


def test_a_bot_of_expert_at_a_table_that_is_stored_plays_and_so_does_its_worker(light: Run) -> None:
    script = """
import asyncio
from volte.table.thinking import Thinking

async def main():
    thinking = Thinking(make_bot, 1, hurried=60, longest=120)
    view = next(view for view in views if len(view.legal) > 3)
    while not thinking.workers:
        await thinking.choose("expert", 1, view)
        await asyncio.sleep(0.05)
    thinking.counts.clear()
    action = await thinking.choose("expert", 1, view)
    assert action.card in view.legal and (await thinking.advise(view)).others
    print(*thinking.counts, *thinking.advised, thinking.lost)
    await thinking.close()

play("microsoft", 4, ["expert"])
asyncio.run(main())
"""
    how, *advised, lost = done(light("-c", VIEWS + script))
    assert (how, advised[-1], lost) == ("usual", "usual", "0")


@pytest.mark.parametrize(
    "words",
    [
        "play --seats me,expert,casual,casual",
        "arena casual beginner --deals 1",
        *(
            pytest.param(each, marks=pytest.mark.full)
            for each in [
                "engine --level expert",
                "engine --level flat",
                "simulate --deals 1",
                "review match.txt",
            ]
        ),
    ],
)
def test_what_needs_the_extra_says_in_one_sentence_how_to_get_it(light: Run, words: str) -> None:
    ran = light("-m", "volte", *words.split())
    sentence = f"This needs the extra “strong”. To install it: {install_command('strong')}\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", sentence)


@pytest.mark.parametrize(
    "module", few(["volte.kernel"], ["volte.kernel", "volte.lab.arena", "volte.lab.arena.contest"])
)
def test_a_program_that_needs_the_kernel_is_told_the_same(light: Run, module: str) -> None:
    ran = light("-c", f"import {module}")
    sentence = f"The kernel needs the extra “strong”. To install it: {install_command('strong')}"
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (1, f"ImportError: {sentence}")


def test_help_and_whatever_is_played_with_people_needs_nothing(light: Run) -> None:
    script = """
import volte.cli, volte.server.app, volte.terminal.playing, volte.lessons.lesson_command
import volte.lessons.puzzle_command, volte.lessons.puzzle_page, volte.server.tables.pages
from volte.say.levels import OFFERED_WORDS
print(*OFFERED_WORDS)
"""
    assert done(light("-c", script)) == ["beginner", "casual", "strong"]
    assert "arena" in done(light("-m", "volte", "--help"))
