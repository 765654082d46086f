"""The laws of `laws.txt`, and tests of the dealer, the deal and the pass beyond them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from kit.deals import (
    after,
    deal_of,
    dealt,
    log_of,
    refused,
    start,
    take,
    view_of,
)
from kit.laws import check_law, read_laws
from kit.strategies import PACK

from volte import game
from volte.cards import CARDS, Card, CardSet, read_cards
from volte.rules import Direction, Draw, make_ruleset

LAWS: Final = read_laws(Path(__file__).with_name("laws.txt"))


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    check_law(LAWS[law])


def new_match(preset: str = "coeurs", players: int = 4, pot: int = 0) -> game.MatchState:
    return game.replay([start(make_ruleset(preset, {"players": players}), pot)])


def lots(cards: str, seats: str = "0123456") -> Draw:
    return tuple(zip(map(int, seats), read_cards(cards), strict=False))


# D1


TIED = lots("4C 9D 4H 9S"), lots("AC KC", "02")
SEVEN = lots("2C 2D 2H 2S 3C 3D 3H"), lots("6C 5C 5D 5H", "0123"), lots("8C 7C 9C", "123")
TIED_HIGHEST = lots("4C KD 9H KS")


@pytest.mark.parametrize(
    ("players", "rounds", "dealer"),
    [
        (4, (lots("KC 5D 2H AS"),), 2),
        (3, (lots("AC KD AH"),), 1),  # the ace is high
        (4, TIED, 2),  # only ranks count, and the tied lowest draw again
        (4, (TIED_HIGHEST,), 0),  # a tie that does not matter stands
        (7, SEVEN, 2),  # until one is lowest
    ],
)
def test_D1_the_lowest_card_deals(players: int, rounds: tuple[Draw, ...], dealer: int) -> None:
    assert after(new_match(players=players), game.DrawDealer(rounds)).dealer == dealer


@pytest.mark.parametrize(
    "rounds",
    [
        (),
        TIED[:1],
        (TIED_HIGHEST, lots("2C 3C", "13")),
        (lots("KC 5D 2H"),),  # somebody has not drawn
        (lots("KC 5D 2H AS", "0132"),),  # not in order
        (((0, Card("KC")), (1, Card("KC")), (2, Card("2H")), (3, Card("AS"))),),  # one card twice
        (lots("KC 5D RJ AS"),),  # no joker lies in that pack
        (lots("KC 5D 2H' AS"),),  # nor a second one
        (lots("KC 5D 2H AS"), lots("KC 5D 2H AS")),  # the first draw decided
    ],
)
def test_D1_other_draws_are_refused(rounds: tuple[Draw, ...]) -> None:
    refusal = refused(new_match(), game.DrawDealer(rounds))
    assert (refusal.reason, refusal.clause) == ("lots_not_lawful", "D1")


def test_D1_the_dealer_is_drawn_once() -> None:
    draw = game.DrawDealer((lots("KC 5D 2H AS"),))
    assert refused(after(new_match(), draw), draw).reason == "no_lots_due"
    assert refused(after(new_match(), draw), game.NameDealer(0)).reason == "no_lots_due"


def test_D1_a_table_may_name_its_dealer() -> None:
    step = take(new_match(), game.NameDealer(3))
    assert step.events == (game.DealerDrawn((), 3),)
    assert step.after.dealer == 3
    for nobody in (-1, 4):
        assert refused(new_match(), game.NameDealer(nobody)).reason == "no_such_seat"


# D2, D4


def test_D2_the_deal_passes_to_the_left() -> None:
    rules = make_ruleset("coeurs-cinq-coups", {"players": 3})
    dealers = [event.dealer for event in log_of(rules, seed=4) if isinstance(event, game.Dealt)]
    assert dealers == [(dealers[0] + deal) % 3 for deal in range(5)]


def test_D2_the_next_match_of_the_same_players_begins_without_lots() -> None:
    rules = make_ruleset("coeurs")
    state = game.replay([game.MatchStarted(rules, new_match().players, dealer=2)])
    assert (state.phase, state.dealer) == (game.Phase.DEALING, 2)
    for lots_drawn in (game.NameDealer(1), game.DrawDealer((lots("KC 5D 2H AS"),))):
        assert refused(state, lots_drawn).reason == "no_lots_due"
    dealing = take(state, game.DealCards(rules.cards)).events[0]
    assert isinstance(dealing, game.Dealt)
    assert dealing.dealer == 2
    sealed = after(state, game.Commit(1, bytes(32), tuple(range(4))))
    assert refused(sealed, game.DealCards(rules.cards)).reason == "not_dealing_now"
    assert refused(state, game.Commit(2, bytes(32))).reason == "no_commitment_due"
    begun = after(state, game.DealCards(rules.cards))
    assert refused(begun, game.Commit(1, bytes(32))).reason == "no_commitment_due"


def test_D4_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    state = after(new_match(players=5), game.NameDealer(3))
    deck = state.rules.cards
    step = take(state, game.DealCards(deck))
    dealing = step.events[0]
    assert isinstance(dealing, game.Dealt)
    assert dealing.hands == tuple(deck[place:50:5] for place in (1, 2, 3, 4, 0))
    assert dealing.kitty == deck[50:]


@pytest.mark.parametrize("spoilt", ["short", "twice", "joker", "too many", "nothing"])
def test_D4_only_the_whole_deck_is_dealt(spoilt: str) -> None:
    state = after(new_match(), game.NameDealer(0))
    deck = state.rules.cards
    decks = {
        "short": deck[1:],
        "twice": (deck[1], *deck[1:]),
        "joker": (Card("RJ"), *deck[1:]),
        "too many": (*deck, Card("RJ")),
        "nothing": (),
    }
    refusal = refused(state, game.DealCards(decks[spoilt]))
    assert (refusal.reason, refusal.clause) == ("not_the_deck", "D4")


def test_D4_nothing_is_dealt_before_the_dealer_is_known_or_during_a_deal() -> None:
    deck = new_match().rules.cards
    assert refused(new_match(), game.DealCards(deck)).reason == "not_dealing_now"
    state = after(new_match(), game.NameDealer(0), game.DealCards(deck))
    assert refused(state, game.DealCards(deck)).reason == "not_dealing_now"


# D5, D6


@pytest.mark.parametrize(("players", "kitty"), [(3, 1), (4, 0), (5, 2), (6, 4), (7, 3)])
def test_D5_everybody_gets_the_same_number_and_the_rest_is_the_kitty(
    players: int, kitty: int
) -> None:
    state = after(new_match(players=players), game.NameDealer(0))
    deal = deal_of(after(state, game.DealCards(state.rules.cards)))
    assert {hand.bit_count() for hand in deal.hands} == {52 // players}
    assert len(CardSet(deal.kitty)) == kitty


def test_D6_nobody_sees_the_kitty_while_it_is_dealt() -> None:
    state = after(new_match(players=3), game.NameDealer(0))
    dealing = take(state, game.DealCards(state.rules.cards)).events[0]
    for seat in (0, 1, 2, None):
        shown = game.visible(dealing, seat)
        assert isinstance(shown, game.Dealt)
        assert shown.kitty is None
        assert [hand is None for hand in shown.hands] == [owner != seat for owner in range(3)]


# P1, P2, P3, R-PASS


def test_P1_a_card_is_not_passed_twice() -> None:
    state = dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=2)
    assert refused(state, game.Pass(0, (Card("AS"), Card("AS")))).reason == "passed_twice"


@pytest.mark.parametrize(
    ("preset", "players", "count", "cycle"),
    [
        ("coeurs", 4, 3, "left"),
        ("coeurs", 7, 2, "left"),
        ("dame-de-pique", 4, 3, "left right across hold"),
        ("salon", 6, 3, "left right second_left second_right across hold"),
    ],
)
def test_P2_P3_R_PASS_how_many_cards_go_where_and_again(
    preset: str, players: int, count: int, cycle: str
) -> None:
    rules, words = make_ruleset(preset, {"players": players}), cycle.split()
    assert [rules.direction(1 + deal) for deal in range(3 * len(words))] == 3 * words
    assert rules.passing.count == count


@pytest.mark.parametrize(
    ("direction", "players", "takers"),
    [
        ("left", 3, (1, 2, 0)),
        ("right", 3, (2, 0, 1)),
        ("across", 4, (2, 3, 0, 1)),
        ("second_left", 5, (2, 3, 4, 0, 1)),
        ("second_right", 5, (3, 4, 0, 1, 2)),
        ("across", 6, (3, 4, 5, 0, 1, 2)),
        ("second_right", 7, (5, 6, 0, 1, 2, 3, 4)),
    ],
)
def test_R_PASS_seats_go_clockwise(direction: str, players: int, takers: tuple[int, ...]) -> None:
    rules = make_ruleset("coeurs", {"players": players, "pass_cycle": [direction], "pass_count": 1})
    exchange = next(event for event in log_of(rules, seed=1) if isinstance(event, game.Exchanged))
    assert tuple(transfer.taker for transfer in exchange.transfers) == takers


def test_P3_where_nothing_is_passed_nobody_is_asked_to() -> None:
    """Not even between the deal and the lead, two events of one action."""
    rules = make_ruleset("microsoft", {"pass_cycle": ["hold"]})
    state = after(game.replay([start(rules)]), game.NameDealer(0))
    dealing, leading = take(state, game.DealCards(rules.cards)).events
    held = game.evolve(state, dealing)
    assert game.to_act(held) == ()
    assert not any(game.legal_actions(held, seat) for seat in range(4))
    assert not any(view_of(held, seat).my_turn for seat in range(4))
    assert game.to_act(game.evolve(held, leading)) == (1,)


def test_lots_are_drawn_from_the_pack_whatever_the_deck() -> None:
    """A dealer is drawn from 52 cards, also where the deck of the table is shorter (D1)."""
    state = new_match("salon-six-deux", players=6)
    drawn = game.PlainChance(3).act(state)
    assert isinstance(drawn, game.DrawDealer)
    assert {card for each in drawn.rounds for _, card in each} <= set(CARDS[:52])
    assert after(state, game.DrawDealer((lots("2C 3C 4C 5C 6C 7C"),))).dealer == 0


# W1


def test_W1_seven_seats_give_six_cards_each() -> None:
    hands = [PACK[3 + seat * 7 : 10 + seat * 7] for seat in range(7)]
    piles = (" ".join(map(str, hand)) for hand in hands)
    state = dealt("coeurs", *piles, pass_count=3, pass_cycle=["scatter"])
    state = after(state, *(game.Pass(seat, hand[:6]) for seat, hand in enumerate(hands)))
    for giver, hand in enumerate(hands):
        for place in range(6):
            assert hand[place] in CardSet(deal_of(state).hands[(giver + 1 + place) % 7])
        assert hand[6] in CardSet(deal_of(state).hands[giver])


def test_W1_it_takes_turns_with_other_directions() -> None:
    rules = make_ruleset("coeurs", {"pass_count": 2, "pass_cycle": ["left", "scatter"]})
    ways = [rules.direction(deal) for deal in (1, 2, 3)]
    assert ways == [Direction.LEFT, Direction.SCATTER, Direction.LEFT]
    assert [rules.pass_size(way) for way in ways] == [2, 3, 2]
    never = make_ruleset("coeurs", {"pass_count": 0, "pass_cycle": ["scatter"]})
    assert never.direction(1) is Direction.HOLD
