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
from volte.bots.worlds import worlds
from volte.game import Phase
from volte.kernel import encode
from volte.rules import Ruleset
from volte.view import View


def tree_of(view: View, seed: int = 0, ending: int = 0) -> Tree:
    cards = [card.bit for card in view.legal]
    return Tree(encode(view.deal.rules), here(view), cards, seed, ending)


@given(rulesets(), seeds, st.lists(st.integers(1, 80), min_size=1, max_size=4))
@settings(max_examples=40)
def test_what_a_tree_tells_adds_up(rules: Ruleset, seed: int, sizes: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("volte.bots.tree.learned", lambda _: wild_weights(seed % 2**32))
        for moment in choices(one_deal(rules), seed, 2):
            if moment.state.phase is Phase.PLAYING:
                view = seen_by(moment.seat, moment.state)
                tree = tree_of(view, seed, seed % 3)
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


def test_a_card_is_worth_what_comes_of_it() -> None:
    """Under the five, both hearts are another's; over it, they are one's own. All is forced."""
    state = play(dealt("coeurs", "D: 5 H: 2", "D: 46", "D: 3 H: 9", moon="off"), "5D")
    deal = deal_of(state)
    for ending in (0, 1, 2):
        tree = tree_of(seen_by(1, state), ending=ending)
        tree.grow(np.array([[*deal.hands, deal.kitty]] * 50, np.uint64))
        assert tree.points.tolist() == [0, 2]
        assert tree.margins.tolist() == [-1, 2]
        assert tree.errors.tolist() == [0, 0]
        assert tree.order[0] == 0
        assert tree.settled


def test_a_card_that_was_never_tried_is_not_the_best() -> None:
    state = play(dealt("coeurs", "D: 5 H: 2", "D: 46", "D: 3 H: 9", moon="off"), "5D")
    view = seen_by(1, state)
    tree = tree_of(view)
    tree.grow(worlds(view, 1, 0))
    assert sorted(tree.tried) == [0, 1]
    assert tree.tried[tree.order[0]] == 1
    assert not tree.settled
