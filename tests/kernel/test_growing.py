"""A tree over many worlds: it adds up, and comes to the best play where all cards are known."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
import pytest
from bots.moments import choices, seen_by
from bots.searching import one_deal, wild_weights
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel.test_endgame import endings, margin, played
from kernel.test_instinct import tables
from numpy.typing import NDArray
from rulesets import seeds

from volte.bots.past import here
from volte.bots.worlds import worlds
from volte.cards import Card, cards_in
from volte.game import DealState, Phase, legal_cards
from volte.kernel import Records, encode, position
from volte.kernel.compiler import INTERPRETED
from volte.kernel.layout import MOST_CARDS
from volte.kernel.startup import code
from volte.rules import Ruleset, make_ruleset, score

Points = tuple[int, ...]

REACH: Final = 10.0


class Tree(NamedTuple):
    """The arrays that are grown."""

    kids: NDArray[np.int32]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]
    found: NDArray[np.float64]

    @classmethod
    def bare(cls, nodes: int) -> Tree:
        visits = np.zeros(nodes, np.int64)
        visits[0] = 1
        kids = np.zeros((nodes, MOST_CARDS), np.int32)
        return cls(kids, visits, np.zeros(nodes), np.zeros((MOST_CARDS, 3)))

    def grow(
        self,
        rules: Ruleset,
        row: Records,
        some: NDArray[np.uint64],
        instinct: Records,
        candidates: int,
        seed: int = 0,
        ending: int = 0,
    ) -> None:
        code("growing").grow(
            encode(rules),
            instinct,
            row,
            np.ascontiguousarray(some),
            np.uint64(candidates),
            np.uint64(seed),
            REACH,
            ending,
            *self,
        )


@given(tables, seeds, st.sampled_from([2, 7, 10_000]))
@settings(max_examples=4 if INTERPRETED else 60)
def test_a_tree_adds_up(rules: Ruleset, seed: int, nodes: int) -> None:
    """Full or not, and however its candidates are limited."""
    lines = 8 if INTERPRETED else 150
    for moment in choices(one_deal(rules), seed, 2):
        if moment.state.phase is not Phase.PLAYING:
            continue
        view = seen_by(moment.seat, moment.state)
        candidates = view.legal.mask if seed % 2 else view.legal.mask & -view.legal.mask
        tree = Tree.bare(nodes)
        for part in range(2):
            some = worlds(view, lines, seed, part * lines)
            instinct, ending = wild_weights(seed % 2**32), seed // 2 % 3
            tree.grow(rules, here(view), some, instinct, candidates, part, ending)
        check_sums(tree, candidates, 2 * lines)


def check_sums(tree: Tree, candidates: int, lines: int) -> None:
    used = int(tree.visits[0])
    assert 1 < used <= len(tree.visits)
    tried = tree.found[:, 0]
    assert tried.sum() == lines
    assert not any(tried[card] for card in range(MOST_CARDS) if not candidates >> card & 1)
    assert np.isfinite(tree.totals).all()
    assert not tree.visits[used:].any()
    parents = np.zeros(used, np.int64)
    for node in range(used):
        kids = tree.kids[node][tree.kids[node] > 0]
        parents[kids] += 1
        if node:  # once it was made, and then gone through
            assert tree.visits[kids].sum() <= tree.visits[node] - 1
    assert (parents[1:] == 1).all()
    roots = tree.kids[0]
    assert (tree.visits[roots[roots > 0]] == tried[roots > 0]).all()
    known = tree.totals[roots[roots > 0]] / tried[roots > 0]
    squares = tree.found[roots > 0, 2] / tried[roots > 0]
    assert (squares >= known**2 - 1e-6).all()


@given(tables, seeds)
@settings(max_examples=3 if INTERPRETED else 30)
def test_a_tree_may_be_grown_in_parts_and_reads_nothing_hidden(rules: Ruleset, seed: int) -> None:
    for moment in choices(one_deal(rules), seed, 1):
        if moment.state.phase is Phase.PLAYING:
            view = seen_by(moment.seat, moment.state)
            some = worlds(view, 12, seed)
            trees = []
            for row in (here(view), position(view.deal), spoilt(here(view))):
                tree = Tree.bare(50)
                tree.grow(rules, row, some, wild_weights(1), view.legal.mask, seed)
                trees.append(tree)
            for tree in trees[1:]:
                assert [part.tolist() for part in tree] == [part.tolist() for part in trees[0]]


def spoilt(row: Records) -> Records:
    row[0]["hands"][:] = row[0]["kitty"] = row[0]["chance"] = 2**54 - 1
    return row


# Against every play


def outcomes(deal: DealState) -> set[Points]:
    """What the points may be if every seat plays for its margin, whatever it does where it is
    indifferent."""
    if len(deal.tricks) == deal.rules.hand_size:
        taken = [deal.captured(seat) for seat in range(deal.rules.players)]
        return {score(deal.rules, taken, deal.won).points}
    own = partial(margin, deal.turn)
    by_card = list(outcomes_behind(deal).values())
    sure = min(max(map(own, some)) for some in by_card)
    return {points for some in by_card for points in some if own(points) <= sure}


def outcomes_behind(deal: DealState) -> dict[Card, set[Points]]:
    return {card: outcomes(played(deal, card)) for card in cards_in(legal_cards(deal))}


def clearly_best(deal: DealState) -> Card | None:
    """The card that is better than all others by a point and more, whatever others do."""
    own = partial(margin, deal.turn)
    by_card = {card: sorted(map(own, some)) for card, some in outcomes_behind(deal).items()}
    card = min(by_card, key=lambda card: by_card[card][-1])
    others = [margins[0] for other, margins in by_card.items() if other is not card]
    gap = deal.rules.players - 1
    return card if others and by_card[card][-1] + gap <= min(others) else None


@pytest.mark.skipif(INTERPRETED, reason="takes minutes as plain Python")
@pytest.mark.parametrize(("preset", "players"), [("coeurs", 3), ("microsoft", 4), ("salon", 5)])
def test_where_all_cards_are_known_the_best_is_found(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    clear = 0
    for seed in range(40):
        for deal in endings(rules, seed, tricks=3)[:-1]:
            best = clearly_best(deal) if cards_left(deal) <= 9 else None
            if best is not None:
                clear += 1
                assert chosen(deal, seed) is best
    assert clear >= 15


def cards_left(deal: DealState) -> int:
    return sum(hand.bit_count() for hand in deal.hands)


def chosen(deal: DealState, seed: int) -> Card:
    """The card that was tried most, of many lines in the world as it is."""
    tree = Tree.bare(20_000)
    world = np.array([[*deal.hands, deal.kitty]] * 6000, np.uint64)
    legal = legal_cards(deal)
    tree.grow(deal.rules, position(deal), world, wild_weights(seed), legal, seed)
    return max(cards_in(legal), key=lambda card: tree.found[card.index, 0])
