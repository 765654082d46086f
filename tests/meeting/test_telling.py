"""Sentences for somebody who waits, in both languages."""

from __future__ import annotations

import pytest
from kit import ENGLISH, FRENCH

from volte.meeting.telling import waiting_told
from volte.meeting.waiting import Waiters, Waiting

ALONE = Waiting("t")
LINES = [
    (
        ALONE,
        ["Nobody else is waiting for people to play with."],
        ["Personne d’autre ne cherche de joueurs."],
    ),
    (
        Waiting("t", (Waiters("dame-de-pique", 1),)),
        ["1 other person is waiting for people to play with: Hearts."],
        ["1 autre personne cherche des joueurs\u00a0: La Dame de pique."],
    ),
    (
        Waiting("t", (Waiters("", 2), Waiters("black-maria", 1)), "u", ("Anne", "Bo")),
        [
            "You will join Anne and Bo as soon as their deal is over.",
            "3 others are waiting for people to play with: 2 for any game and 1 for Black Maria.",
        ],
        [
            "Vous rejoindrez Anne et Bo dès que leur manche sera finie.",
            "3 autres personnes cherchent des joueurs\u00a0: 2 pour n’importe quel jeu"
            " et 1 pour Black Maria.",
        ],
    ),
    (
        Waiting("t", company=("Anne",)),
        ["You are playing with Anne.", "Nobody else is waiting for people to play with."],
        ["Vous jouez avec Anne.", "Personne d’autre ne cherche de joueurs."],
    ),
]


@pytest.mark.parametrize(("waiting", "english", "french"), LINES)
def test_one_hears_with_whom_one_plays_and_how_many_wait_for_what(
    waiting: Waiting, english: list[str], french: list[str]
) -> None:
    assert list(waiting_told(ENGLISH, waiting)) == english
    assert list(waiting_told(FRENCH, waiting)) == french
