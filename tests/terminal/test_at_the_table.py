"""Answers to a person at the table; see also the transcripts `table.*`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from kit import few
from kit.terminals import Script, Stubborn, sit_down

from volte.bots.search import CODE
from volte.console.options import SymbolWords
from volte.console.witness import PlayStyle
from volte.kernel.startup import code
from volte.rules import make_ruleset
from volte.say import Verbosity

ONE_DEAL = make_ruleset("coeurs")


def test_a_key_changes_how_much_is_told_for_good(folder: Path) -> None:
    """The sentences are in `transcripts/table.en.txt`."""
    manner = PlayStyle()
    said = sit_down(ONE_DEAL, Script([*"wwwwww", ".1 .2 .3"]), folder, manner=manner).said
    assert "Passed: " in said
    assert manner.verbosity is Verbosity.TERSE


@pytest.mark.parametrize("word", ["volte", "Le contrôle", "grand chelem", "shooting the moon ?"])
def test_what_players_call_the_moon_tells_its_rules(folder: Path, word: str) -> None:
    said = sit_down(ONE_DEAL, Script([word]), folder).said
    assert "Shooting the moon: a player who alone takes" in said


def test_a_folder_that_cannot_be_written_is_told_once_and_the_match_goes_on(folder: Path) -> None:
    (folder / "under-way").write_text("in the way", encoding="utf-8")
    sitting = sit_down(ONE_DEAL, Stubborn(), folder)
    assert sitting.state is not None
    assert sitting.said.count("Cannot save ") == 1
    left = sit_down(ONE_DEAL, Script([]), folder)
    assert left.lines[-1] == "The match could not be saved, and is lost."


def test_symbols_and_names_tell_the_same(folder: Path) -> None:
    named = sit_down(ONE_DEAL, Stubborn(), folder, lang="fr")
    shown = sit_down(ONE_DEAL, Stubborn(), folder, words=SymbolWords("fr"))
    assert named.state == shown.state
    assert len(named.lines) == len(shown.lines)
    assert "dame de pique" in named.said
    assert "♠" not in named.said
    assert "D♠" in shown.said
    assert "dame de pique" not in shown.said


def test_the_hint_is_what_expert_advises_and_what_the_rest_would_cost(folder: Path) -> None:
    for name in CODE:
        code(name)
    sitting = sit_down(ONE_DEAL, Script(["i"]), folder)
    [told] = re.findall(r"^Pass the .*", sitting.said, re.M)
    assert re.search("would (probably )?cost|would be as good", told)  # as far as it has searched


def test_asking_for_hints_changes_nothing_that_is_played(folder: Path) -> None:
    class Curious(Stubborn):
        heard = ""
        calls = 0

        def __call__(self, heard: str) -> str:
            self.calls += 1
            asks = not self.heard and self.calls < few(10, 99)
            if asks and re.search(r"^Your (card|lead)", heard, re.M):
                self.heard = heard
                return "i"
            heard, self.heard = self.heard + heard, ""
            return super().__call__(heard)

    curious = sit_down(ONE_DEAL, Curious(), folder)
    assert "\nPlay the " in curious.said
    assert curious.state == sit_down(ONE_DEAL, Stubborn(), folder).state


AT_ONCE = """
from volte.bots import hint
from volte.bots.search import CODE
from volte.game import Action, PlainChance, MatchStarted, Player, decide, evolve, replay, to_act
from volte.kernel import ready
from volte.rules import make_ruleset
from volte.console.person import advice, fetching
from volte.view import View, project

state = replay([MatchStarted(make_ruleset("coeurs"), tuple(map(Player, "NESW")))])
while not to_act(state):
    for event in decide(state, PlainChance(1).act(state)):
        state = evolve(state, event)
view = View(0, project(state, 0))
assert not any(map(ready, CODE))
assert advice(view) == hint(view)
fetching(CODE).join()
assert all(map(ready, CODE))
assert advice(view).others
print("done")
"""


def test_before_the_code_has_come_a_hint_is_given_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("done\n", "")
