"""Words of the game, as people look for them: typed at a table, and in the help."""

from __future__ import annotations

import re

import pytest
from kit.sentences import plain
from kit.spoken import EVERY

from volte.rules import PRESETS, make_ruleset
from volte.say import Words, words_of
from volte.say.rulesheet.vocabulary import MOON, SLAM, TERMS, all_terms, explained, meant

NAMES_OF_THE_MOON = """
contrôle | Le contrôle | controle | faire le contrôle | chelem | volte | la volte !
réussir la volte | déménager à la cloche de bois | cloche de bois
moon | the moon | to shoot the moon | Shooting the moon
"""


@pytest.mark.parametrize("typed", re.split(r" \| |\n", NAMES_OF_THE_MOON.strip()))
def test_S3_every_name_of_the_moon_finds_it(typed: str) -> None:
    assert meant(typed) == (MOON,)


def test_S4_grand_chelem_is_the_moon_first_and_then_all_tricks() -> None:
    assert meant("grand chelem") == (MOON, SLAM)
    lines = explained(words_of("fr"), make_ruleset("salon"), "Grand chelem")
    told = [plain(line) for line in lines]
    assert "volte" in told[1].lower()
    assert "grand chelem" in told[3].lower()


@pytest.mark.parametrize("lang", EVERY)
@pytest.mark.parametrize("game", PRESETS)
def test_every_term_is_explained_at_every_table(game: str, lang: str) -> None:
    words, rules = words_of(lang), make_ruleset(game)
    for term, (name, meaning) in zip(TERMS, all_terms(words), strict=True):
        told = explained(words, rules, words.t(term.name).split(", ")[0])
        assert len(told) > 1
        assert any(words.sentence(name) in line and meaning in line for line in told)


@pytest.mark.parametrize("typed", ["", "qs", "dame", "d", "10c", "as", "?", "le", "…", "'", "Anne"])
def test_cards_names_and_keys_are_no_terms(typed: str) -> None:
    assert meant(typed) == ()


def test_what_is_not_played_at_a_table_is_said() -> None:
    told = explained(Words("en"), make_ruleset("coeurs"), "slam")
    assert told[-1] == "The rules of this table do not mention it."
