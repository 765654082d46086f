"""Rules of one's own: a file that programs and the command line read alike, and what it lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import volte
from volte.console.options import chosen_rules
from volte.lab.env import HeartsEnv

OURS: Final = 'preset = "Cœurs"\nplayers = 5\nqueen-discard = "free"\n'
RULES: Final = volte.ruleset("coeurs", players=5, queen_discard="free")


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(OURS, encoding="utf-8-sig")  # as some editors save it
    return path


def test_a_file_of_rules_is_read_alike_wherever_rules_are_named(ours: Path) -> None:
    for named in (ours, str(ours)):
        assert volte.ruleset(named) == RULES
        assert volte.ruleset(named, kitty="last_trick").deck.kitty == "last_trick"
        assert volte.Match(named, seed=1).rules == RULES
        assert HeartsEnv(named).rules == RULES
    assert volte.play(*["Casual"] * 5, rules=ours, seed=1, deals=1).players[0].level == "casual"
    assert chosen_rules(str(ours), (), None) == RULES
    assert chosen_rules(str(ours), ("Queen-Discard=forced",), "6").players == 6


WRONG: Final = {
    "players = ?": (
        "{} is not valid TOML: line 1, column 11.",
        "{} n’est pas du TOML valable\xa0:",
    ),
    'preset = "zorro"': ("{}, preset: There is no preset “zorro”:", "{}, preset\xa0: Il n’y a pas"),
    "queen = 3": ("{}: There is no option “queen”:", "{}\xa0: Il n’y a pas d’option «\xa0queen"),
    'players = "many"': ("{}: “many” is no value for players:", "{}\xa0: «\xa0many\xa0»"),
    'players = 5\npass_cycle = "across"': ("{}, pass_cycle: With 5 players", "{}, pass_cycle\xa0:"),
    "\xff": ("{} is no text in UTF-8:", "{} n’est pas un texte en UTF-8\xa0:"),
    "#" * 20_000: ("{} is too long for rules:", "{} est trop long"),
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:20])
def test_a_file_that_holds_no_rules_says_what_is_wrong_and_where(ours: Path, text: str) -> None:
    ours.write_bytes(text.encode("latin-1"))
    with pytest.raises(volte.VolteError) as wrong:
        volte.ruleset(ours)
    english, french = (sentence.format(ours) for sentence in WRONG[text])
    assert str(wrong.value).startswith(english)
    assert wrong.value.say("fr").startswith(french)


def test_a_file_that_is_none_says_so(tmp_path: Path) -> None:
    for named in (tmp_path / "none.toml", str(tmp_path / "none.TOML"), tmp_path, str(tmp_path)):
        with pytest.raises(volte.VolteError, match=r"cannot be read: (No such file|Is a dir)"):
            volte.ruleset(named)
