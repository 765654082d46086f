"""What a tree tells of its cards: how often each was tried, and what came of it."""

from __future__ import annotations

import numpy as np
import pytest
from bots.moments import choices, seen_by
from bots.searching import one_deal, wild_weights
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesets import deal_of, dealt, play, rulesets, seeds

from volte.bots.past import here
from volte.bots.tree import Tree
from volte.bots.worlds import Worlds, worlds
from volte.game import Phase
from volte.kernel import encode
from volte.rules import Ruleset
from volte.view import View


def tree_of(view: View, seed: int = 0) -> Tree:
    cards = [card.bit for card in view.legal]
    return Tree(encode(view.deal.rules), here(view), cards, seed)


@given(rulesets(), seeds, st.lists(st.integers(1, 80), min_size=1, max_size=4))
@settings(max_examples=40)
def test_what_a_tree_tells_adds_up(rules: Ruleset, seed: int, sizes: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("volte.bots.tree.learned", lambda _: wild_weights(seed % 2**32))
        for moment in choices(one_deal(rules), seed, 2):
            if moment.state.phase is Phase.PLAYING:
                view = seen_by(moment.seat, moment.state)
                tree = tree_of(view, seed)
                for size in sizes:
                    tree.grow(worlds(view, size, seed, tree.simulations))
                check_told(tree, len(view.legal), sum(sizes))


def check_told(tree: Tree, cards: int, lines: int) -> None:
    assert tree.simulations == tree.tried.sum() == lines
    tried = tree.tried > 0
    assert np.isfinite(tree.margins[tried]).all()
    assert np.isfinite(tree.points).all()
    assert (tree.errors >= 0).all()
    assert np.isfinite(tree.errors).all()
    assert sorted(tree.order) == list(range(cards))
    assert tried[tree.order[0]]
    if cards > 1 and tree.settled:
        assert (tree.tried >= 2).all()


def two_ways() -> View:
    """A seat that may take a trick with a heart in it, or not; all that follows is forced."""
    hands = "D: 5 H: 2 S: 2", "D: 46 S: 3", "H: 39 D: 2"
    state = play(dealt("coeurs", *hands, moon="off", opening="eldest"), "5D")
    assert deal_of(state).turn == 1
    return seen_by(1, state)


def test_a_card_is_worth_what_comes_of_it() -> None:
    """Means of the lines, as each of them was played: two kinds of worlds, a card each."""
    view = two_ways()
    true = [0b0, *view.deal.hands[1:2], 0b0, 0b0]
    some = worlds(view, 400, 3)
    tree = tree_of(view)
    tree.grow(some)
    again = tree_of(view)
    parts: list[Worlds] = [some[:150], some[150:]]
    for part in parts:
        again.grow(part)
    assert again.simulations == tree.simulations == 400
    assert true[1] == view.hand.mask
    for place in range(2):
        assert -2 <= tree.margins[place] <= 4
        assert 0 <= tree.points[place] <= 4
        assert tree.margins[place] == pytest.approx(again.margins[place], abs=1)
