"""The rules clerk: every situation has its answer, with the clauses and figures of the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from kit import few
from kit.sentences import ENGLISH, FRENCH, badly_set, languages
from kit.sheets import rules_of
from kit.strategies import rulesets, wider_rulesets

from volte.cards import HEARTS, QUEEN, VolteError
from volte.referee.rulings import stopped
from volte.rules import (
    PRESETS,
    FirstTrickPoints,
    HeartsLead,
    Opening,
    QueenDiscard,
    Ruleset,
    Settlement,
    make_ruleset,
)
from volte.rules.options import parse_setting
from volte.say import Words
from volte.say.guarded import Span
from volte.say.keys import MOON_WORDS, SLAM_WORDS
from volte.say.rulesheet.clauses import CLAUSES, clause
from volte.say.rulesheet.facts import FACTS as FACTS_OF_SHEETS
from volte.scorekeeper.clerk import clerk
from volte.scorekeeper.clerk.clerk import SITUATIONS
from volte.scorekeeper.clerk.facts import FACTS
from volte.scorekeeper.clerk.texts import FOLDER, HEADINGS, Block, Ruling, texts_in, written_in

situations = pytest.mark.parametrize("situation", SITUATIONS.values(), ids=list(SITUATIONS))

TABLES = [
    make_ruleset(name, {"players": players})
    for name, preset in PRESETS.items()
    for players in few(preset.players[:1], preset.players)
]


def names_arising(rules: Ruleset) -> set[str]:
    return {each.name for _, group in clerk.arising(rules) for each in group}


def told(name: str, rules: Ruleset, words: Words = ENGLISH) -> Ruling:
    return SITUATIONS[name].answer(rules, words)


def sentences_of(answer: Ruling) -> list[str]:
    return [
        *(answer.short, answer.deadline, answer.price, answer.example),
        *(step for case in answer.cases for step in case.steps),
        *answer.exempt,
        *answer.silent,
    ]


# Every answer


def judge(situation: clerk.Situation, rules: Ruleset) -> None:
    """Check an answer in both languages, as every answer at every table must be."""
    english = situation.answer(rules, ENGLISH)
    for words in (ENGLISH, FRENCH):
        answer = situation.answer(rules, words)
        for sentence in sentences_of(answer):
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert sentence[-1] == ".", sentence
            assert not re.search(r"[{}]|None|  |\.\.", sentence), sentence
        assert answer.clauses == english.clauses
        assert [len(case.steps) for case in answer.cases] == [
            len(case.steps) for case in english.cases
        ]
        assert len(answer.cases) == 1 or all(case.when for case in answer.cases)
        assert clerk.question(words, situation).endswith("?")
        written = clerk.format_answer(situation, rules, words).split("\n")
        for name in answer.clauses:
            assert clause(words, name) in written
    kept = "\n".join(sentences_of(english))
    spoken = "\n".join(sentences_of(situation.answer(rules, FRENCH)))
    assert not set(kept.split("\n")) & set(spoken.split("\n"))


@situations
def test_every_situation_is_answered_at_every_table_with_a_name(situation: clerk.Situation) -> None:
    for rules in {situation.rules(rules) for rules in TABLES}:
        judge(situation, rules)


@given(rulesets())
def test_every_situation_is_answered_at_any_table(rules: Ruleset) -> None:
    for situation in SITUATIONS.values():
        if situation.arises(rules):
            judge(situation, rules)
    assert clerk.rules_played(ENGLISH, rules)


@settings(max_examples=few(5, 30))
@given(wider_rulesets())
def test_every_situation_is_answered_at_any_table_of_the_wider_family(rules: Ruleset) -> None:
    for situation in SITUATIONS.values():
        if situation.arises(rules):
            judge(situation, rules)


def shape(lang: str) -> list[object]:
    """The texts of a language without their words: the part that all languages share."""
    return [
        (
            name,
            part.level,
            part.guard,
            [(each.guard, *map(guard_and_places, each.spans)) for each in part.points],
        )
        for name, each in texts_in(lang).items()
        for text in each
        for part in text.parts
    ]


def guard_and_places(span: Span) -> tuple[str, list[str]]:
    return span.guard, sorted(re.findall(r"\{(\w+)", span.words))


def test_the_texts_of_both_languages_differ_in_their_words_alone() -> None:
    assert shape("en") == shape("fr")
    assert {name for name in texts_in("en") if name.isidentifier() or "-" in name} == {*SITUATIONS}


def test_quebec_says_some_phrases_otherwise_and_the_rest_as_in_french() -> None:
    french, told = (re.sub(r"\s+", " ", written_in(lang)).casefold() for lang in ("fr", "fr-CA"))
    assert shape("fr-CA") == shape("fr")
    assert not re.search(r"\bplis?\b|feuille de marque", told)
    lines = (FOLDER / "fr-CA.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        phrase, here = (" ".join(each.casefold().split()) for each in line.split(" = "))
        assert phrase in french, line
        assert here in told, line
    assert [line for line in lines if badly_set(line)] == []
    assert (
        clerk.known("levées mêlées") is clerk.known("plis mélangés") is SITUATIONS["mixed-tricks"]
    )


def names_in(part: Block) -> set[str]:
    """The names of facts, passages and clauses that a part uses."""
    spans = [span for point in part.points for span in (*point.spans, Span(point.guard, ""))]
    guards = ", ".join([part.guard, *(span.guard for span in spans)])
    places = re.findall(r"\{(\w+)", " ".join([part.heading, *(span.words for span in spans)]))
    asked = (each.removeprefix("each ").removeprefix("not ") for each in guards.split(", "))
    return {*filter(None, asked), *places}


def test_the_texts_ask_for_the_facts_that_there_are_and_for_no_others() -> None:
    texts = texts_in("en")
    used = {
        name
        for each in texts.values()
        for text in each
        for part in text.parts
        for name in names_in(part)
    }
    of_each_card = {
        name
        for rules in (make_ruleset("salon-valet"), make_ruleset("cancellation"))
        for card in FACTS["other_cards"](rules)
        for name in card
    }
    passages = {name.strip("{}") for name in texts if name.startswith("{")}
    options = {name for name in used if "=" in name}
    for option in options:
        assert parse_setting(*option.split("=")) is not None
    own = used - of_each_card - passages - set(CLAUSES) - options
    assert own - (FACTS_OF_SHEETS.keys() - FACTS.keys()) == FACTS.keys()
    assert of_each_card | passages <= used


def test_the_french_texts_are_well_set() -> None:
    lines = (FOLDER / "fr.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if badly_set(re.sub(r"^#.*?: |\{.*?\}", "", line))] == []


def test_every_irregularity_is_cited_and_nothing_but_clauses() -> None:
    cited = {
        name
        for each in SITUATIONS.values()
        for rules in {each.rules(rules) for rules in TABLES}
        for name in each.answer(rules, ENGLISH).clauses
    }
    assert cited <= set(CLAUSES)
    irregular = {f"I{number}" for number in range(1, 10)}
    assert irregular | {"D6", "L2", "M2", "M5", "M6", "P1", "S6", "T3", "T4", "T5", "T6", "T7"} <= (
        cited
    )


@languages
def test_clauses_are_quoted_and_never_written_again(words: Words) -> None:
    said = {words.t(message) for message in CLAUSES.values()}
    for situation in SITUATIONS.values():
        assert not said & set(sentences_of(situation.answer(situation.rules(), words)))


@languages
def test_an_answer_reads_well_aloud(words: Words) -> None:
    for situation in SITUATIONS.values():
        written = clerk.format_answer(situation, situation.rules(), words)
        lines = written.split("\n")
        assert lines[0] == clerk.question(words, situation)
        assert not re.search(r"[─│•*#]|--", written)
        headings = [words.t(heading) for heading in HEADINGS.values()]
        found = [line for line in lines if line in headings]
        assert found == [heading for heading in headings if heading in found]
        assert {words.t(HEADINGS[name]) for name in ("do", "deadline", "price", "clauses")} <= set(
            found
        )


# The situations


@given(rulesets())
def test_what_is_offered_can_arise_and_nothing_else_is(rules: Ruleset) -> None:
    """The test reads the options; the clerk reads the rule sheet."""
    play, queen, hearts = rules.play, rules.deck_mask & QUEEN.bit, rules.deck_mask & HEARTS
    offered = names_arising(rules)
    passed = any(rules.direction(deal).target(0, rules.players) for deal in range(1, 8))
    if rules.ending.match_end.number > 7:
        assert ("wrong-pass" in offered) == passed
    assert ("kitty" in offered) == bool(rules.kitty_size)
    assert ("wrong-opening" in offered) == (play.opening is Opening.LOWEST_CLUB)
    forced = play.queen_discard is QueenDiscard.FORCED
    assert ("queen-kept" in offered) == bool(queen and forced)
    barred = play.queen_discard is QueenDiscard.BARRED
    assert ("queen-thrown" in offered) == bool(queen and barred)
    assert ("heart-led" in offered) == bool(hearts and play.hearts_lead is HeartsLead.ONCE_BROKEN)
    assert ("early-heart" in offered) == bool(hearts and play.hearts_from_trick > 1)
    if play.first_trick_points is FirstTrickPoints.ALLOWED:
        assert "first-trick" not in offered
    assert ("pot" in offered) == (rules.stakes.settlement is Settlement.POT)
    assert ("average" in offered) == (rules.stakes.settlement is Settlement.AVERAGE)
    rest = {each.name for each in clerk.not_arising(rules)}
    assert offered | rest == set(SITUATIONS)
    assert not offered & rest


@situations
def test_what_cannot_arise_is_told_for_rules_with_which_it_can(situation: clerk.Situation) -> None:
    assert situation.arises(situation.rules())
    for rules in TABLES:
        assert situation.arises(situation.rules(rules))
        if situation.arises(rules):
            assert situation.rules(rules) == rules


def test_the_forced_queen_is_a_question_of_les_coeurs_alone() -> None:
    assert "queen-kept" in names_arising(make_ruleset("coeurs"))
    assert "queen-kept" not in names_arising(make_ruleset("salon"))
    assert "queen-kept" not in names_arising(make_ruleset("coeurs", {"queen_discard": "free"}))
    assert not {"equal-cards", "all-cancel"} & names_arising(make_ruleset("coeurs"))
    assert "moon" not in names_arising(make_ruleset("dame-de-pique", {"moon": "off"}))


def test_what_is_near_is_another_situation_that_can_arise() -> None:
    for situation in SITUATIONS.values():
        assert situation.near
        assert situation.name not in situation.near.split()
        for rules in TABLES:
            assert all(each.arises(rules) for each in clerk.near(situation, rules))


def test_numbers_are_the_same_at_every_table() -> None:
    assert list(clerk.NUMBERS.values()) == list(range(1, len(SITUATIONS) + 1))
    assert [each.name for group in clerk.GROUPS.values() for each in group] == list(clerk.NUMBERS)


# The figures of the table


TEXT = Path(__file__).with_name("clerk.txt").read_text(encoding="utf-8")
CASES = [case.strip().splitlines() for case in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_is_said_of_a_situation(case: list[str]) -> None:
    said = ""
    for line in case[1:]:
        if line[0] in "+-":
            assert (line[2:] in said) == line.startswith("+"), line
            continue
        name, _, table = line.partition(": ")
        situation, rules = SITUATIONS[name], rules_of(table)
        assert situation.arises(rules)
        said = clerk.format_answer(situation, rules, ENGLISH).partition("What the rules say")[0]


@pytest.mark.parametrize(
    ("table", "points"),
    [
        *(("coeurs", 25), ("coeurs-moyenne", 26), ("coeurs queen_points=13", 26)),
        *(("dame-de-pique", 26), ("salon-valet", 26), ("salon-six-deux", 25)),
        ("salon players=6", 25),  # without the 3 of hearts
        *(("coeurs removed=[2H,3H,4H,5H]", 21), ("coeurs removed=[QS,2C,2D,2S]", 13)),
    ],
)
@pytest.mark.parametrize("name", ["revoke", "two-revokes", "mixed-tricks"])
def test_I5_I7_the_penalty_is_that_of_the_deck(table: str, points: int, name: str) -> None:
    rules = rules_of(table)
    assert max(stopped(rules, {0}).points) == points
    for words in (ENGLISH, FRENCH):
        answer = told(name, rules, words)
        assert f"{points} points" in answer.price
        written = " ".join(sentences_of(answer))
        assert set(re.findall(r"(\d+) points", written)) == {str(points)}


def test_I2_a_card_out_of_turn_is_a_case_in_time_and_one_too_late() -> None:
    answer = told("out-of-turn", make_ruleset("coeurs"))
    assert (answer.price, len(answer.cases)) == ("Nothing.", 2)


@pytest.mark.parametrize("name", ["heart-led", "first-trick", "queen-thrown", "early-heart"])
def test_I3_other_breaches_are_no_revoke(name: str) -> None:
    answer = told(name, SITUATIONS[name].rules())
    assert answer.short.endswith("It is no revoke and costs nothing.")
    assert answer.price == "Nothing."
    assert "points for" not in " ".join(sentences_of(answer))
    assert "hearts" not in " ".join(told("revoke", make_ruleset("coeurs")).exempt)


@pytest.mark.parametrize(
    ("table", "sums"),
    [
        *(("coeurs", [25, 75]), ("dame-de-pique", [26, 78]), ("salon", [26, 78, 52])),
        *(("salon-valet", [16, 68, 42]), ("spot-hearts", [129, -129, -258])),
        *(("cancellation", [52, 364]), ("partnership", [26]), ("black-maria players=4", [43])),
        ("dame-de-pique moon=shooter_chooses slam=double", [26, 78, -26, 156, -52]),
    ],
)
def test_S6_W5_W7_W8_W10_W11_the_sums_are_those_of_the_table(table: str, sums: list[int]) -> None:
    short = told("wrong-sum", rules_of(table)).short
    found = [int(number.replace("−", "-")) for number in re.findall(r"−?\d+", short)]
    assert found[: len(sums)] == sums


@pytest.mark.parametrize(
    ("name", "table", "clauses"),
    [
        ("tie", "coeurs settlement=none", "E1"),
        ("tie", "coeurs settlement=none match_end=limit:50", "E2"),
        ("tie", "coeurs settlement=difference", "M2 M1 E1"),
        ("tie", "coeurs settlement=pot", "M6 M2 E1"),
        ("tie", "coeurs settlement=average", "M5 E1"),
        ("kitty", "coeurs players=5 kitty=first_heart", "W4 S6"),
    ],
)
def test_the_clauses_cited_are_those_of_the_table(name: str, table: str, clauses: str) -> None:
    assert " ".join(told(name, rules_of(table)).clauses) == clauses


# Typed lines


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *(("revoke", "revoke"), ("Renonce", "revoke"), ("9", "revoke"), ("égalité", "tie")),
        *((" out of turn ", "out-of-turn"), ("Échange", "wrong-pass")),
        *(("maldonne", "exposed"), ("talon", "kitty")),
    ],
)
def test_a_situation_is_found_by_name_number_or_word(typed: str, name: str) -> None:
    assert clerk.find(typed, ENGLISH).name == name


HEADINGS_OF_SEEDS = {
    "exposed": "Maldonne",
    "wrong-deal": "fausse donne, La distribution",
    "wrong-pack": "Les cartes, matériel",
    "wrong-pass": "Échange",
    "out-of-turn": "Jeu prématuré, Jeu de la carte, Le déroulement",
    "revoke": "Renonce",
    "first-trick": "règles spécifiques pour le premier tour de jeu",
    "short-hand": "main non règlementaire, main non réglementaire",
    "mixed-tricks": "Levées retournées",
    "wrong-sum": "Valeur, Décompte des points, comptage des points, Le valet de carreau",
    "moon": "cas particuliers, Volte, Grand Chelem, Chelem et grand chelem, grand slam, contrôle",
    "tie": "fin de partie",
}


@pytest.mark.parametrize(("name", "headings"), HEADINGS_OF_SEEDS.items())
def test_a_situation_is_found_by_the_headings_of_written_rules(name: str, headings: str) -> None:
    for heading in headings.split(", "):
        for copied in (heading, f"{heading}\xa0:", f"«\xa0{heading}\xa0»", f"{heading}."):
            assert clerk.find(copied, FRENCH).name == name


@pytest.mark.parametrize(
    ("asked", "name"),
    [("L’échange", "wrong-pass"), ("une renonce?", "revoke"), ("A revoke", "revoke")],
)
def test_an_article_before_a_name_is_nothing(asked: str, name: str) -> None:
    assert clerk.find(asked, FRENCH).name == name


@languages
def test_every_situation_has_a_name_in_each_language_by_which_it_is_found(words: Words) -> None:
    names = [each.called(words) for each in SITUATIONS.values()]
    assert [clerk.find(name, words).name for name in names] == list(SITUATIONS)
    assert not any(map(str.isspace, "".join(names)))
    assert (words is ENGLISH) == ("revoke" in names)


@pytest.mark.parametrize("word", [*MOON_WORDS, *SLAM_WORDS, "Déménager à la cloche de bois"])
def test_S3_every_name_of_the_moon_finds_what_to_do(word: str) -> None:
    assert clerk.find(word, FRENCH).name == "moon"


def test_no_word_means_two_situations() -> None:
    words = [word for each in SITUATIONS.values() for word in each.synonyms]
    assert len(set(words)) == len(words)
    assert all(clerk.find(word, ENGLISH) for word in words)
    assert not {*clerk.ALL} & {*words}


@pytest.mark.parametrize(
    ("typed", "name"), [("revok", "revoke"), ("renonces", "revoke"), ("kity", "kitty")]
)
def test_a_slip_is_answered_with_the_nearest_names(typed: str, name: str) -> None:
    with pytest.raises(VolteError) as caught:
        clerk.find(typed, ENGLISH)
    assert name in str(caught.value.params["nearest"])
    assert name in ENGLISH.fault(caught.value)
    with pytest.raises(VolteError) as caught:
        clerk.find(typed, FRENCH)
    assert f"{SITUATIONS[name].called(FRENCH)}" in FRENCH.fault(caught.value)


@pytest.mark.parametrize("typed", ["", "xyzzy", "0", "-1", "99", "💥", "x" * 5000, "\x1b[31m"])
def test_whatever_is_typed_is_answered_in_a_sentence(typed: str) -> None:
    with pytest.raises(VolteError) as caught:
        clerk.find(typed, ENGLISH)
    for words in (ENGLISH, FRENCH):
        sentence = words.fault(caught.value)
        assert sentence.endswith((".", "?"))
        assert len(sentence) < 250
        assert "\x1b" not in sentence
