"""A person's own rules: a file that programs and the command line read alike, and its faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from kit.sheets import open_sheet

import volte
from volte.console.options import chosen_rules
from volte.lab.env import HeartsEnv
from volte.notation import RecordFault
from volte.rules import format_ruleset, parse_ruleset
from volte.say import Words
from volte.say.rulesheet.options import game_title
from volte.scorekeeper.model import parse_sheet, to_record
from volte.scorekeeper.telling.sheet import rules_title

OURS: Final = 'Preset = "Cœurs"\nplayers = 5\nqueen-discard = "free"\n'
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
        "{} n’est pas un fichier TOML valide\xa0:",
    ),
    'preset = "zorro"': (
        "{}, preset: There is no preset “zorro”:",
        "{}, preset\xa0: Le jeu «\xa0zorro",
    ),
    "queen = 3": ("{}: There is no option “queen”:", "{}\xa0: L’option «\xa0queen"),
    'players = "many"': ("{}: “many” is not a value for players:", "{}\xa0: «\xa0many\xa0»"),
    'players = 5\npass_cycle = "across"': ("{}, pass_cycle: With 5 players", "{}, pass_cycle\xa0:"),
    "name = 5": ("{}, name: Put the name in quotes", "{}, name\xa0: Mettez le nom"),
    "Preset = 5": ("{}, preset: There is no preset “5”:", "{}, preset\xa0: Le jeu «\xa05"),
    "players = true": (
        "{}: “true” is not a value for players:",
        "{}\xa0: «\xa0true\xa0» n’est pas",
    ),
    f"players = 0x{'f' * 5000}": (
        "{}: “…” is not a value for",
        "{}\xa0: «\xa0…\xa0» n’est pas une valeur",
    ),
    f"players = {'9' * 5000}": (
        "{} is not valid TOML: a number is too long,",
        "{} n’est pas un fichier TOML valide\xa0: un nombre est trop long,",
    ),
    "players = 4\nplayers = 5": (
        "{} is not valid TOML: a name appears twice.",
        "{} n’est pas un fichier TOML valide\xa0: un nom y est deux fois.",
    ),
    "\xff": ("{} is not text in UTF-8:", "{} n’est pas du texte en UTF-8\xa0:"),
    "#" * 20_000: ("{} is too long for a rules file:", "{} est trop long"),
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
        with pytest.raises(volte.VolteError, match=r"^Cannot read .*: (No such file|Is a dir)"):
            volte.ruleset(named)


def test_no_number_is_too_long_for_the_sentence_about_it() -> None:
    settings: list[dict[str, Any]] = [{"players": 10**5000}, {"pass_cycle": [10**5000]}]
    for setting in settings:
        with pytest.raises(volte.VolteError, match=r"“\[?…\]?” is not a value for p"):
            volte.ruleset("coeurs", **setting)


def test_directions_may_be_any_row_of_words() -> None:
    cycle: Any = ("left", "right")
    rules = volte.ruleset("coeurs", pass_cycle=cycle)
    assert rules == volte.ruleset("coeurs", pass_cycle=["left", "right"])


# Rules with a name


def test_a_table_may_name_its_rules_and_its_records_and_sheets_keep_the_name(ours: Path) -> None:
    ours.write_text(f'{OURS}name = "Chez Zoé, “à {{la}} main”; \\"vite\\""', encoding="utf-8")
    rules = volte.ruleset(ours)
    name = 'Chez Zoé, “à {la} main”; "vite"'
    assert (rules, rules.name) == (RULES, name)
    assert eval(repr(rules), vars(volte)).name == name
    assert volte.ruleset(ours, players=6).name == name
    assert volte.ruleset(ours, name="Chez Paul").name == "Chez Paul"
    assert parse_ruleset(format_ruleset(rules)).name == name
    match = volte.Match(ours, seed=1)
    assert str(match).startswith(f"{name}, 5 players: deal 1")
    again = volte.read(match.record())
    assert again == match
    assert again.rules.name == name
    sheet = open_sheet(rules)
    assert parse_sheet(to_record(sheet)).rules.name == name
    for lang in ("en", "fr"):
        assert rules_title(Words(lang), sheet.rules).startswith(f"{name}, queen_discard=free")
        assert game_title(Words(lang), RULES) == "Les Cœurs"


def test_a_list_in_a_record_may_have_its_quotes_beside_the_name_of_the_rules() -> None:
    rules = volte.ruleset("salon", players=5, name="Chez Anne")
    record = volte.Match(rules, seed=1).record()
    line = 'Rules: salon removed=["2D","2S"] players=5'
    for called, name in (('"Chez Anne"', "Chez Anne"), ("", ""), ('; "Anne"', "")):
        read = volte.read(record.replace('Rules: salon players=5 "Chez Anne"', f"{line} {called}"))
        assert (read.rules, read.rules.name) == (rules, name)


def test_a_name_of_rules_is_as_short_and_plain_as_any(ours: Path) -> None:
    for name in ("x" * 41, " ", "a\u0007b"):
        with pytest.raises(volte.VolteError) as wrong:
            volte.ruleset("coeurs", name=name)
        assert wrong.value.field == "name"
    record = volte.Match("coeurs", seed=1).record()
    for name in ('""', '"a\\u0007b"', f'"{"x" * 41}"', '"a" "b"', '"a', '"\\z"'):
        with pytest.raises(RecordFault) as refused:
            volte.read(record.replace("Rules: coeurs", f"Rules: coeurs {name}"))
        assert refused.value.params["line"] == 2
