"""The clauses in words, the history, and the pages made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kit import ENGLISH, FRENCH, OF_SEEDS, languages

from volte.cards import QUEEN
from volte.rules import OPTIONS, PRESETS, make_ruleset
from volte.say import Words, keys_page
from volte.say.rulesheet.clauses import CLAUSES, clause
from volte.say.rulesheet.options import option_meaning, preset_summary, preset_title
from volte.say.rulesheet.page import FOLDERS, decision, preset_source, rules_pages
from volte.say.rulesheet.vocabulary import TERMS
from volte.say.texts import sections

DOCS = Path(__file__).parents[2] / "docs"

CLAUSES_OF_RULES = """
    D1 D2 D3 D4 D5 D6 R-DECK D7 P1 P2 P3 R-PASS L1 L2 T1 T2 T3 T4 T5 T6 T7 T8
    S1 S2 S3 S4 S5 S6 S7 E1 E2 M1 M2 M3 M4 M5 M6 I1 I2 I3 I4 I5 I6 I7 I8 I9 C1 C2
    W1 W2 W3 W4 W5 W6 W7 W8 W9 W10 W11 K1
"""
IN_RULES = CLAUSES_OF_RULES.split()


WORDED = [
    name
    for name, option in OPTIONS.items()
    if name not in ("removed", "card_points", "match_end") and "–" not in option.values[0]
]
"""The options whose values are words, or few numbers."""


def test_every_clause_of_the_rules_has_words() -> None:
    assert list(CLAUSES) == IN_RULES


@pytest.mark.parametrize("name", IN_RULES)
def test_clauses_are_sentences_in_both_languages(name: str) -> None:
    english, french = clause(ENGLISH, name), clause(FRENCH, name)
    assert english != french
    for text in (english, french):
        assert text[0].isupper()
        assert text.endswith(".")
        assert not re.search(r"[{}]|  ", text)
    assert not re.search(r"['\"]| [;:!?»]|« |[a-z][;:!?]|oe", french)


def test_S2_the_queen_counts_by_the_table_and_not_by_the_settlement() -> None:
    """`--set settlement=average` alone leaves the queen at 12."""
    assert make_ruleset("coeurs", {"settlement": "average"}).values[QUEEN] == 12
    assert "and 13 in la Dame de pique and in les Cœurs with scores settled by the average" in (
        clause(ENGLISH, "S2")
    )
    assert clause(FRENCH, "S2").endswith("et 13 à la Dame de pique et aux Cœurs à la moyenne.")


def test_S6_it_is_the_sum_of_the_totals_that_is_a_multiple() -> None:
    assert "every final total is" not in clause(ENGLISH, "S6")
    assert "the totals at the end, add up to a multiple" in clause(ENGLISH, "S6")
    assert "or by mixed tricks" in clause(ENGLISH, "S6")
    assert "celle des totaux à la fin sont des multiples" in clause(FRENCH, "S6")


def test_P3_cards_are_given_to_a_neighbour_and_not_swapped_with_one() -> None:
    assert " avec " not in clause(FRENCH, "P3")


def test_C1_tricks_taken_count_where_they_score() -> None:
    assert "number of tricks" in clause(ENGLISH, "C1")
    assert "plis" in clause(FRENCH, "C1")


def test_T6_a_first_trick_counts_as_a_chance_only_for_whoever_is_void() -> None:
    assert "The first trick of the deal counts too, if you cannot follow" in clause(ENGLISH, "T6")
    assert "Ne pas pouvoir fournir au premier pli compte" in clause(FRENCH, "T6")


def test_M6_a_pot_outlives_the_match_at_the_table_and_on_the_sheet() -> None:
    assert clause(ENGLISH, "M6").endswith("at the same table or on the same score sheet.")
    assert clause(FRENCH, "M6").endswith("même table ou sur la même feuille de marque.")


@languages
def test_the_history_names_forebears_dates_and_the_names_of_the_moon(words: Words) -> None:
    (_, paragraphs), (_, moon) = sections(words, "history")
    for name in ("reversis", "1601", "polignac", "1880", "1992"):
        assert name in " ".join(paragraphs).lower()
    for name in ("contrôle", "volte", "chelem", "grand chelem", "à la cloche de bois", "the moon"):
        assert name in moon[0]


def test_the_vocabulary_is_in_both_languages() -> None:
    for term in TERMS:
        assert FRENCH.t(term.name) != term.name
        assert FRENCH.t(term.meaning) != term.meaning


@languages
def test_every_preset_says_where_it_is_from(words: Words) -> None:
    for name in PRESETS:
        source = preset_source(words, name)
        assert source.endswith(".")
        assert not re.search(r"[{}]|  ", source)
        if not name.startswith(OF_SEEDS):
            assert "](http" in source, name


@pytest.mark.parametrize("name", [name for name in IN_RULES if name.startswith("W")])
def test_what_was_decided_of_the_wider_family_is_told(name: str) -> None:
    english, french = decision(ENGLISH, name), decision(FRENCH, name)
    assert english != french
    for text in (english, french):
        assert text.endswith(".")
        assert not re.search(r"[{}]|  ", text)


@languages
def test_every_option_and_preset_is_told(words: Words) -> None:
    assert len({option_meaning(words, name) for name in OPTIONS}) == len(OPTIONS)
    assert len({preset_title(words, name) for name in PRESETS}) == len(PRESETS)
    assert len({preset_summary(words, name) for name in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize("lang", FOLDERS)
def test_the_pages_and_the_table_of_keys_are_what_scripts_docs_makes(lang: str) -> None:
    made = rules_pages(lang)
    there = {name: (DOCS / name).read_text(encoding="utf-8") for name in made}
    assert there == made, "run scripts/docs"
    folder, _ = FOLDERS[lang]
    left = {f"{folder}/{path.name}" for path in (DOCS / folder).iterdir()} - {*made}
    assert left == set(), "games that are no more"
    keys = (DOCS / keys_page.PAGES[lang]).read_text(encoding="utf-8")
    assert keys == keys_page.with_keys(keys, lang), "run scripts/docs"


@pytest.mark.parametrize("lang", FOLDERS)
def test_the_pages_have_every_clause_option_and_preset(lang: str) -> None:
    pages = rules_pages(lang)
    folder, end = FOLDERS[lang]
    clauses, options = (pages[f"{folder}/{name}{end}"] for name in ("clauses", "options"))
    assert all(f"- **{name}** " in clauses for name in IN_RULES)
    assert all(f"| `{name}` |" in options for name in OPTIONS)
    assert all(
        f"| `{name}={value}` |" in options for name in WORDED for value in OPTIONS[name].values
    )
    for name in PRESETS:
        assert f"]({folder}/{name}{end}) |" in pages[f"rules{end}"]
        assert f"volte play --rules {name}\n" in pages[f"{folder}/{name}{end}"]


@pytest.mark.parametrize("lang", FOLDERS)
def test_a_page_for_players_names_no_clause(lang: str) -> None:
    clauses = re.compile(rf"\b({'|'.join(IN_RULES)})\b")
    pages = rules_pages(lang)
    named = {name for name, text in pages.items() if clauses.search(text)}
    assert named == {"{}/clauses{}".format(*FOLDERS[lang])}
