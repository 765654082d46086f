"""Sentences for every fault and refusal, in both languages, with all values that they name."""

from __future__ import annotations

import ast
import re

import pytest
from kit.deals import dealt
from kit.sentences import ENGLISH, FRENCH, calls, languages, reason

from volte.cards import Card, VolteError
from volte.game import Refusal
from volte.rules import RulesetFault, Value, make_ruleset
from volte.say import Words
from volte.say.faults import FAULTS, SETUP
from volte.say.texts import table
from volte.view import View, project

RAISED = list(calls(re.compile(r"\w*Fault|VolteError")))
SAMPLES: dict[str, object] = {
    "card": Card("QS"),
    "cards": (Card("RJ"), Card("BJ")),
    "fault": VolteError("no_penalty_cards"),
    "refusal": Refusal("breach", "T1", params={"led": "S", "card": "QH"}),
    "line": 12,
    "expected": ("Trick", "Claim"),
    "seats": (1, 3),
    "why": "No such file or directory",
    "path": "soirée.volte",
    "text": "dq",
    "install": "pip install numpy.",
}
"""Values for the parameters of faults, by name; all others are numbers."""


def sample(call: ast.Call) -> VolteError:
    """The fault that is raised there, with parameters of the right kind."""
    params = {keyword.arg: SAMPLES.get(keyword.arg, 5) for keyword in call.keywords if keyword.arg}
    if any(keyword.arg is None for keyword in call.keywords):  # passed on from another fault
        params |= {"card": Card("QS"), "text": "dq", "given": 3, "due": 2}
    return VolteError(reason(call), **params)


@languages
def test_every_fault_has_a_sentence(words: Words) -> None:
    assert len(RAISED) > 60
    for call in RAISED:
        fault = sample(call)
        sentence = words.fault(fault)
        assert sentence[-1] in ".?!”»", (fault.reason, sentence)
        assert not re.search(r"[{}]|None|Card\(", sentence), (fault.reason, sentence)
        assert fault.reason not in sentence


@languages
def test_every_refusal_and_every_clause_has_a_sentence(words: Words) -> None:
    view = View(0, project(dealt("coeurs", "S: A3", "S: K2", "C: 2 H: 2"), 0))
    reasons = {reason(call) for call in calls(re.compile("Refusal"))}
    clauses = {reason(call) for call in calls(re.compile("Duty"))}
    assert {"breach", "pass_count"} <= reasons
    assert {"L2", "T1", "T3", "T4", "T5", "T6", "T7"} <= clauses
    params: dict[str, int | str] = {"card": "QS", "led": "S", "turn": 1, "seat": 8, "count": 3}
    params |= {"given": 2, "trick": 3, "least": 2, "most": 64}
    for refusal in [
        *(Refusal(name, params=params) for name in reasons - {"breach"}),
        *(Refusal("breach", clause, (Card("2C"),), params) for clause in clauses),
    ]:
        sentence = words.refusal(refusal, view)
        assert sentence.endswith("."), refusal
        assert not re.search(r"[{}]|None", sentence), sentence


def test_no_two_registers_have_a_fault_of_the_same_name() -> None:
    """One of two such faults would get the sentence of the other."""
    registers = [faults for name, faults in table("faults").items() if name != "records"]
    assert len(FAULTS) == sum(map(len, (SETUP, *registers)))


@pytest.mark.parametrize(
    ("settings", "french"),
    [
        ({"players": 8}, "Il faut de 3 à 7 joueurs, pas 8."),
        (
            {"players": 5, "kitty": "none"},
            (
                "52 cartes ne se partagent pas également entre 5 joueurs : il en resterait 2."
                " Écrivez kitty=first_trick, ou retirez des cartes."
            ),
        ),
        (
            {"moon": "maybe"},
            "«\u00a0maybe\u00a0» n’est pas une valeur de moon, qui accepte off, others_plus,"
            " shooter_minus, shooter_chooses, plus_unless_lost.",
        ),
        (
            {"packs": 2, "players": 4},
            (
                "Avec deux jeux de cartes, il faut de 6 à 10 joueurs, pas 4 : changez ce nombre,"
                " ou écrivez packs=1."
            ),
        ),
        (
            {"removed": "2D'"},
            "Il n’y a pas deux fois le 2 de carreau dans un seul jeu\u00a0: écrivez cette carte"
            " sans l’apostrophe, ou packs=2.",
        ),
        (
            {"removed": "RJ"},
            "On ne peut retirer que des cartes du jeu, et le joker rouge n’en fait pas partie.",
        ),
        (
            {"partners": 3},
            (
                "4 joueurs ne peuvent pas former des camps égaux de 3 : changez le nombre de"
                " partenaires ou de joueurs."
            ),
        ),
        (
            {"card_points": "QS'=3"},
            '«\u00a0QS\'=3\u00a0» n’est pas une valeur de card_points, qui accepte ["KS=10",'
            ' "AS=7"].',
        ),
    ],
)
def test_a_ruleset_that_cannot_be_played(settings: dict[str, Value], french: str) -> None:
    with pytest.raises(RulesetFault) as caught:
        make_ruleset("coeurs", settings)
    assert FRENCH.fault(caught.value) == french


@pytest.mark.parametrize(
    ("fault", "words", "sentence"),
    [
        (
            VolteError("bad_rules", line=2, fault=VolteError("removed_twice")),
            FRENCH,
            "Ligne 2\u00a0: la même carte est retirée deux fois\u00a0: nommez chaque carte une"
            " seule fois.",
        ),
        (
            VolteError("file_not_read", path="x.toml", why="No such file or directory"),
            FRENCH,
            "Impossible de lire x.toml\u00a0: ce fichier n’existe pas.",
        ),
        (
            VolteError("file_not_read", path="x.toml", why="Something rare"),
            FRENCH,
            "Impossible de lire x.toml\u00a0: Something rare.",
        ),
        (
            VolteError("file_not_toml", path="x.toml", why="Expected '=' (at line 3, column 7)"),
            ENGLISH,
            "x.toml is not valid TOML: line 3, column 7.",
        ),
        (
            VolteError("hearts_do_not_add_up", given=14, due=13),
            FRENCH,
            "Cœurs\u00a0: 14 en tout, au lieu de 13. Recomptez.",
        ),
        (
            VolteError("points_or_moon", given=74, due=25, moon=75),
            FRENCH,
            "Les points font 74. Il faudrait 25, ou 75 si quelqu’un a réussi la volte. Recomptez.",
        ),
        (
            VolteError("who_took_the_queen"),
            ENGLISH,
            "Who took the queen of spades? Name one player.",
        ),
    ],
)
def test_what_is_said_of_a_fault(fault: VolteError, words: Words, sentence: str) -> None:
    assert words.fault(fault) == sentence


@pytest.mark.parametrize("name", ["no_such_card", "too_long_here"])
def test_what_was_typed_is_shown_short_and_harmless(name: str) -> None:
    sentence = ENGLISH.fault(VolteError(name, text="\x1b[31m" + "x" * 5000, most=80))
    assert "\x1b" not in sentence
    assert len(sentence) < 150
