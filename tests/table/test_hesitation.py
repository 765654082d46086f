"""How long a choice seems to take follows from the seat's own view."""

from __future__ import annotations

from kit.deals import dealt, play, view_of

from volte.table.thinking import hesitation


def test_the_more_cards_that_differ_the_longer() -> None:
    state = play(dealt("coeurs", "C: 2 H: 23", "C: A H: 45", "C: 36 D: 2", "C: 45 H: 6"), "2C AC")
    forced = view_of(play(dealt("coeurs", "C: 2 H: 2", "C: A H: 4", "C: 9 D: 2"), "2C"), 1)
    assert hesitation(forced) < hesitation(view_of(state, 2))
    wide = view_of(dealt("coeurs", "C: 2468TQ S: 2", "C: 3579JK D: 3", "H: 2468TQ D: 4"), 0)
    assert hesitation(view_of(state, 2)) < hesitation(wide) <= 1.5


def test_cards_that_are_alike_are_no_choice() -> None:
    alike = view_of(dealt("coeurs", "C: 234", "H: 234", "D: 234"), 0)
    apart = view_of(dealt("coeurs", "C: 258", "H: 234", "C: 346"), 0)
    assert hesitation(alike) < hesitation(apart)
