"""Whatever can be wrong has a sentence, in both languages, with all that it speaks of."""

from __future__ import annotations

import ast
import re

import pytest
from words.source import calls, reason

from volte.cards import Card, Fault
from volte.game import Refusal
from volte.rules import RulesetFault, make_ruleset
from volte.say import Words

RAISED = list(calls(re.compile(r"\w*Fault")))
SAMPLES: dict[str, object] = {
    "card": Card("QS"),
    "cards": (Card("RJ"), Card("BJ")),
    "fault": Fault("no_penalty_cards"),
    "refusal": Refusal("breach", "T1", params={"led": "S", "card": "QH"}),
    "line": 12,
    "expected": ("Trick", "Claim"),
    "seats": (1, 3),
    "why": "No such file or directory",
    "path": "soirée.volte",
    "text": "dq",
}
"""What the parameters of faults hold; numbers where nothing else is said."""


def sample(call: ast.Call) -> Fault:
    """The fault that is raised there, with parameters of the right kind."""
    params = {keyword.arg: SAMPLES.get(keyword.arg, 5) for keyword in call.keywords if keyword.arg}
    if any(keyword.arg is None for keyword in call.keywords):  # passed on from another fault
        params |= {"card": Card("QS"), "text": "dq", "given": 3, "due": 2}
    return Fault(reason(call), **params)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_fault_has_a_sentence(lang: str) -> None:
    assert len(RAISED) > 60
    for call in RAISED:
        fault = sample(call)
        sentence = Words(lang).fault(fault)
        assert sentence[-1] in ".?!”»", (fault.reason, sentence)
        assert not re.search(r"[{}]|None|Card\(", sentence), (fault.reason, sentence)
        assert fault.reason not in sentence


@pytest.mark.parametrize(
    ("settings", "french"),
    [
        ({"players": 8}, "On ne joue pas à 8\u00a0: choisissez de 3 à 7 joueurs."),
        (
            {"players": 5, "kitty": "none"},
            "52 cartes ne se partagent pas entre 5 joueurs, il en resterait 2\u00a0: écrivez"
            " kitty=first_trick, ou retirez des cartes.",
        ),
        (
            {"moon": "maybe"},
            "«\u00a0maybe\u00a0» n’est pas une valeur de moon, qui accepte off, others_plus,"
            " shooter_minus, shooter_chooses, plus_unless_lost.",
        ),
        (
            {"packs": 2, "players": 4},
            "Deux jeux de cartes sont faits pour 6 à 10 joueurs, et non pour 4\u00a0: choisissez un"
            " de ces nombres, ou écrivez packs=1.",
        ),
        (
            {"removed": "2D'"},
            "Il n’y a pas deux fois le 2 de carreau dans un seul jeu\u00a0: écrivez cette carte"
            " sans l’apostrophe, ou packs=2.",
        ),
        (
            {"removed": "RJ"},
            "On ne peut retirer que des cartes qui sont dans le jeu, et le joker rouge n’en fait"
            " pas partie.",
        ),
        (
            {"partners": 3},
            "4 joueurs ne forment pas de camps égaux de 3\u00a0: choisissez un autre nombre de"
            " partenaires ou de joueurs.",
        ),
        (
            {"card_points": "QS'=3"},
            '«\u00a0QS\'=3\u00a0» n’est pas une valeur de card_points, qui accepte ["KS=10",'
            ' "AS=7"].',
        ),
    ],
)
def test_a_ruleset_that_cannot_be_played(settings: dict[str, str | int], french: str) -> None:
    with pytest.raises(RulesetFault) as caught:
        make_ruleset("coeurs", settings)
    assert Words("fr").fault(caught.value) == french


def test_what_was_typed_is_shown_short_and_harmless() -> None:
    sentence = Words("en").fault(Fault("no_such_card", text="\x1b[31m" + "x" * 5000))
    assert "\x1b" not in sentence
    assert len(sentence) < 150


def test_a_fault_of_a_record_names_its_line() -> None:
    fault = Fault("bad_rules", line=2, fault=Fault("removed_twice"))
    assert Words("fr").fault(fault) == (
        "Ligne 2\u00a0: une carte est retirée deux fois\u00a0: nommez chacune une seule fois."
    )


@pytest.mark.parametrize(
    ("why", "french"),
    [
        ("No such file or directory", "Impossible de lire x.toml\u00a0: ce fichier n’existe pas."),
        ("Something rare", "Impossible de lire x.toml\u00a0: Something rare."),
    ],
)
def test_why_a_file_cannot_be_read(why: str, french: str) -> None:
    assert Words("fr").fault(Fault("file_not_read", path="x.toml", why=why)) == french


def test_where_a_TOML_file_is_wrong() -> None:
    why = "Expected '=' after a key in a key/value pair (at line 3, column 7)"
    fault = Fault("file_not_toml", path="x.toml", why=why)
    assert Words("en").fault(fault) == "x.toml is not valid TOML: line 3, column 7."
