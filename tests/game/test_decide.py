"""The dealer, the deal, the kitty and the pass: D1 to D7, P1 to P3, R-PASS, W1, W4."""

from __future__ import annotations

import pytest
from kit.deals import (
    after,
    deal_of,
    deal_out,
    dealt,
    first_deal,
    legal,
    log_of,
    play,
    refused,
    start,
    take,
    view_of,
)
from kit.strategies import PACK

from volte import game
from volte.cards import CARDS, QUEEN, Card, CardSet, cards_in, read_cards
from volte.rules import Direction, Draw, make_ruleset
from volte.view import KITTY


def new_match(preset: str = "coeurs", players: int = 4, pot: int = 0) -> game.MatchState:
    return game.replay([start(make_ruleset(preset, {"players": players}), pot)])


def check_hands(state: game.MatchState, *hands: str) -> None:
    assert [CardSet(hand) for hand in deal_of(state).hands] == list(map(CardSet, hands))


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
        (lots("KC 5D 2H AS"), lots("KC 5D 2H AS")),  # it was over
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


def test_D6_the_winner_of_the_first_trick_takes_the_kitty() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    step = take(play(state, "5S AS"), game.Play(2, Card("4S")))
    assert step.events[-1] == game.KittyTaken(1, (Card("QS"), Card("9H")))
    assert deal_of(step.after).captured(1) == CardSet("S: AQ54 H: 9").mask


def test_D6_it_counts_for_that_player_and_goes_to_no_hand() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    state = play(state, "5S AS 4S")
    assert legal(state) == CardSet("2S")
    state = play(state, "2S 2H 3S")
    assert state.deals[-1].points == (1, 13, 0)


def test_D6_only_that_player_sees_it() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    taken = take(play(state, "5S AS"), game.Play(2, Card("4S"))).events[-1]
    assert game.visible(taken, 1) == taken
    for other in (0, 2, None):
        assert game.visible(taken, other) == game.KittyTaken(1, None)


def test_D6_nobody_sees_the_kitty_while_it_is_dealt() -> None:
    state = after(new_match(players=3), game.NameDealer(0))
    dealing = take(state, game.DealCards(state.rules.cards)).events[0]
    for seat in (0, 1, 2, None):
        shown = game.visible(dealing, seat)
        assert isinstance(shown, game.Dealt)
        assert shown.kitty is None
        assert [hand is None for hand in shown.hands] == [owner != seat for owner in range(3)]


def test_D6_a_deal_of_one_trick_gives_the_kitty_before_it_is_scored() -> None:
    state = play(dealt("coeurs", "3C", "AC", "4C", kitty="S: Q H: 9"), "3C AC 4C")
    assert state.deals[-1].points == (13, 0, 13)
    assert state.deals[-1].moon == 1


def test_D7_a_joker_counts_nothing() -> None:
    state = dealt("coeurs", "C: 2 H: 4", "C: 3 RJ", "C: 4 BJ", kitty="H: 5")
    state = play(state, "2C 3C 4C BJ 4H RJ")
    assert state.deals[-1].points == (1, 0, 1)  # the four of hearts, and the kitty


def test_D7_following_a_joker_with_a_joker_proves_nothing() -> None:
    state = play(dealt("coeurs", "RJ 2C", "BJ C: 3", "D: 5 H: 2"), "RJ BJ")
    assert not any(deal_of(state).excluded)
    assert not deal_of(state).voided


# P1


def passing() -> game.MatchState:
    return dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=1)


def test_P1_the_program_holds_all_passes_until_the_last_one_is_in() -> None:
    state = passing()
    assert game.to_act(state) == (0, 1, 2)
    state = after(state, game.Pass(1, (Card("KS"),)), game.Pass(0, (Card("AS"),)))
    assert game.to_act(state) == (2,)
    assert deal_of(state).hands == deal_of(passing()).hands
    step = take(state, game.Pass(2, (QUEEN,)))
    assert [type(event) for event in step.events[:2]] == [game.Passed, game.Exchanged]
    check_hands(step.after, "S: Q2", "S: A3", "S: K H: 5")


def test_P1_nobody_sees_what_others_pass() -> None:
    passed = take(passing(), game.Pass(1, (Card("KS"),))).events[0]
    assert game.visible(passed, 1) == passed
    for other in (0, 2, None):
        assert game.visible(passed, other) == game.Passed(1, None)


def test_P1_the_exchange_tells_each_seat_what_it_gave_and_got() -> None:
    state = after(passing(), game.Pass(1, (Card("KS"),)), game.Pass(0, (Card("AS"),)))
    exchange = take(state, game.Pass(2, (QUEEN,))).events[1]
    for seat in (0, 1, 2):
        shown = game.visible(exchange, seat)
        assert isinstance(shown, game.Exchanged)
        for transfer in shown.transfers:
            mine = seat in (transfer.giver, transfer.taker)
            assert (transfer.cards is not None) == mine
    nobody = game.visible(exchange, None)
    assert isinstance(nobody, game.Exchanged)
    assert all(transfer.cards is None for transfer in nobody.transfers)


def test_P1_what_arrives_may_not_be_passed_on() -> None:
    state = after(passing(), game.Pass(0, (Card("AS"),)))
    refusal = refused(state, game.Pass(1, (Card("AS"),)))
    assert (refusal.reason, refusal.clause) == ("not_in_hand", "P1")
    assert CardSet(refusal.legal) == CardSet("S: K3")


@pytest.mark.parametrize("cards", ["", "KS 3S", "KS 3S AS"])
def test_P1_just_so_many_cards_are_passed(cards: str) -> None:
    refusal = refused(passing(), game.Pass(1, read_cards(cards)))
    assert (refusal.reason, refusal.clause) == ("pass_count", "P1")
    assert refusal.params == {"count": 1, "given": len(read_cards(cards))}


def test_P1_a_card_is_not_passed_twice_and_a_seat_does_not_pass_twice() -> None:
    state = dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=2)
    assert refused(state, game.Pass(0, (Card("AS"), Card("AS")))).reason == "pass_count"
    state = after(passing(), game.Pass(1, (Card("KS"),)))
    assert refused(state, game.Pass(1, (Card("3S"),))).reason == "already_passed"


def test_P1_a_whole_hand_can_be_passed() -> None:
    state = dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=2)
    state = after(
        state, *(game.Pass(seat, cards_in(deal_of(state).hands[seat])) for seat in (2, 1, 0))
    )
    check_hands(state, "S: Q H: 5", "S: A2", "S: K3")


# P2, P3, R-PASS


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


def test_P3_play_begins_at_once_where_nothing_is_passed() -> None:
    state = dealt("microsoft", "C: 2", "H: 2", "H: 3", pass_cycle=["hold"], pass_count=1)
    assert state.phase is game.Phase.PLAYING
    assert refused(state, game.Pass(0, (Card("2C"),))).reason == "not_passing_now"


def test_P3_where_nothing_is_passed_nobody_is_asked_to() -> None:
    """Not even in the moment between the deal and the lead, which come of one action."""
    rules = make_ruleset("microsoft", {"pass_cycle": ["hold"]})
    state = after(game.replay([start(rules)]), game.NameDealer(0))
    dealing, leading = take(state, game.DealCards(rules.cards)).events
    held = game.evolve(state, dealing)
    assert game.to_act(held) == ()
    assert not any(game.legal_actions(held, seat) for seat in range(4))
    assert not any(view_of(held, seat).my_turn for seat in range(4))
    assert game.to_act(game.evolve(held, leading)) == (1,)


def test_R_PASS_the_directions_follow_deal_after_deal() -> None:
    hands, cycle = ("C: 2", "H: 2", "H: 3"), ["hold", "left"]
    state = dealt("coeurs", *hands, pass_count=1, pass_cycle=cycle, match_end="deals:2")
    state = play(state, "2C 2H 3H")
    assert deal_of(state).direction == "hold"
    state = deal_out(state, *hands)
    assert (deal_of(state).direction, state.phase) == ("left", game.Phase.PASSING)


def test_lots_are_drawn_from_the_pack_whatever_the_deck() -> None:
    """A dealer is drawn from 52 cards, also where the deck of the table is shorter (D1)."""
    state = new_match("salon-six-deux", players=6)
    drawn = game.PlainChance(3).act(state)
    assert isinstance(drawn, game.DrawDealer)
    assert {card for each in drawn.rounds for _, card in each} <= set(CARDS[:52])
    assert after(state, game.DrawDealer((lots("2C 3C 4C 5C 6C 7C"),))).dealer == 0


# W1

FOUR = ("C: 234 H: 2", "C: 567 H: 3", "C: 89T H: 4", "C: JQK H: 5")


def scattering(*hands: str, count: int = 3) -> game.MatchState:
    return dealt("coeurs", *hands, pass_count=count, pass_cycle=["scatter"])


def given(seat: int, cards: str) -> game.Pass:
    return game.Pass(seat, read_cards(cards))


OTHERS = (given(1, "5C 6C 7C"), given(2, "8C 9C TC"), given(3, "JC QC KC"))


def test_W1_each_seat_gives_one_card_to_each_other_the_first_to_the_left() -> None:
    state = after(scattering(*FOUR), *OTHERS, given(0, "4C 2C 3C"))
    check_hands(
        state,
        "C: 79J H: 2",  # the third of 1, the second of 2, the first of 3
        "C: 4TQ H: 3",
        "C: 25K H: 4",
        "C: 368 H: 5",
    )


def test_W1_three_seats_give_two_cards_each() -> None:
    state = scattering("C: 23 H: 2", "C: 45 H: 3", "C: 67 H: 4")
    assert deal_of(state).pass_size == 2
    state = after(state, given(0, "3C 2C"), given(1, "4C 5C"), given(2, "7C 6C"))
    check_hands(state, "C: 57 H: 2", "C: 36 H: 3", "C: 24 H: 4")


def test_W1_seven_seats_give_six_cards_each() -> None:
    pack = [card.text for card in PACK[3:]]
    hands = [pack[seat * 7 : seat * 7 + 7] for seat in range(7)]
    state = scattering(*(" ".join(hand) for hand in hands))
    passes = [given(seat, " ".join(hand[:6])) for seat, hand in enumerate(hands)]
    state = after(state, *passes)
    for giver, hand in enumerate(hands):
        for place in range(6):
            taker = (giver + 1 + place) % 7
            assert Card(hand[place]) in CardSet(deal_of(state).hands[taker])
        assert Card(hand[6]) in CardSet(deal_of(state).hands[giver])


def test_W1_the_count_says_only_whether_cards_are_passed() -> None:
    assert deal_of(scattering(*FOUR, count=1)).pass_size == 3
    rules = make_ruleset("coeurs", {"pass_count": 0, "pass_cycle": ["scatter"]})
    assert rules.direction(1) is Direction.HOLD


def test_W1_it_takes_turns_with_other_directions() -> None:
    rules = make_ruleset("coeurs", {"pass_count": 2, "pass_cycle": ["left", "scatter"]})
    ways = [rules.direction(deal) for deal in (1, 2, 3)]
    assert ways == [Direction.LEFT, Direction.SCATTER, Direction.LEFT]
    assert [rules.pass_size(way) for way in ways] == [2, 3, 2]


@pytest.mark.parametrize("cards", ["2C 3C", "2C 3C 4C 2H", "2C 3C 5C"])
def test_W1_fewer_cards_or_more_or_others_are_refused(cards: str) -> None:
    assert refused(scattering(*FOUR), given(0, cards)).reason in ("pass_count", "not_in_hand")


def test_W1_each_set_of_cards_is_listed_once_and_any_order_accepted() -> None:
    state = scattering(*FOUR)
    listed = game.legal_actions(state, 0)
    assert len(listed) == 4
    for cards in ("4C 3C 2C", "2H 4C 2C"):
        assert take(state, given(0, cards)).events == (game.Passed(0, read_cards(cards)),)


def test_W1_elsewhere_the_order_says_nothing() -> None:
    state = dealt("coeurs", *FOUR, pass_count=3)
    assert take(state, given(0, "4C 2C 3C")).events == (game.Passed(0, read_cards("2C 3C 4C")),)


def test_W1_a_seat_sees_what_it_gave_and_got_card_by_card() -> None:
    step = take(after(scattering(*FOUR), *OTHERS), given(0, "4C 2C 3C"))
    seen = game.visible(step.events[1], 0)
    assert isinstance(seen, game.Exchanged)
    shown = [transfer for transfer in seen.transfers if transfer.cards is not None]
    assert shown == [
        game.Transfer(0, 1, read_cards("4C")),
        game.Transfer(0, 2, read_cards("2C")),
        game.Transfer(0, 3, read_cards("3C")),
        game.Transfer(1, 0, read_cards("7C")),
        game.Transfer(2, 0, read_cards("9C")),
        game.Transfer(3, 0, read_cards("JC")),
    ]
    nobody = game.visible(step.events[1], None)
    assert isinstance(nobody, game.Exchanged)
    assert {transfer.cards for transfer in nobody.transfers} == {None}


def test_W1_a_seat_knows_where_each_card_is_that_it_gave() -> None:
    state = after(scattering(*FOUR), *OTHERS, given(0, "4C 2C 3C"))
    view = view_of(state, 0)
    assert [view.gave(seat) for seat in (1, 2, 3)] == [CardSet("4C"), CardSet("2C"), CardSet("3C")]
    assert [view.must_hold(seat) for seat in (1, 2, 3)] == [view.gave(seat) for seat in (1, 2, 3)]
    assert view.got() == CardSet("C: 79J")
    assert Card("4C") not in view.could_hold(2)


# W4


def with_kitty(to: str, kitty: str, *hands: str, **options: str) -> game.MatchState:
    return first_deal("coeurs", hands, kitty, {"kitty": to, **options})


LATE = ("C: A2 H: A", "C: K3 H: 2", "C: Q4 H: 3")


def kitty_of(state: game.MatchState) -> tuple[int | None, int]:
    """Who has the kitty, and after how many tricks."""
    return deal_of(state).kitty_taker, len(deal_of(state).tricks)


def test_W4_to_the_winner_of_the_last_trick() -> None:
    state = play(with_kitty("last_trick", "S: Q D: 2", *LATE), "AC KC QC AH 2H 3H")
    assert kitty_of(state) == (None, 2)
    step = take(play(state, "2C 3C"), game.Play(2, Card("4C")))
    assert step.events[:3] == (
        game.Played(2, Card("4C")),
        game.TrickTaken(2),
        game.KittyTaken(2, (Card("2D"), Card("QS"))),
    )
    assert step.after.deals[-1].points == (3, 0, 12)


def test_W4_to_the_winner_of_the_first_trick_with_a_heart() -> None:
    state = with_kitty("first_heart", "S: Q D: 2", *LATE)
    state = play(state, "AC KC QC")
    assert kitty_of(state) == (None, 1)
    state = play(state, "2C 3C 4C 3H AH")
    step = take(state, game.Play(1, Card("2H")))
    assert step.events[2] == game.KittyTaken(0, (Card("2D"), Card("QS")))
    assert step.after.deals[-1].moon == 0


def test_W4_a_discarded_heart_is_one() -> None:
    hands = ("C: A2 D: A", "C: K3 D: 3", "H: 23 D: 4")
    state = play(with_kitty("first_heart", "S: Q D: 2", *hands), "AC KC 2H")
    assert kitty_of(state) == (0, 1)


def test_W4_to_the_last_trick_if_none_has_a_heart() -> None:
    hands = ("C: A2", "C: K3", "C: Q4")
    state = play(with_kitty("first_heart", "S: Q H: 2", *hands), "AC KC QC 2C 3C")
    assert kitty_of(state) == (None, 1)
    assert kitty_of(play(state, "4C")) == (2, 2)


@pytest.mark.parametrize("to", ["first_heart", "last_trick"])
def test_W4_only_that_player_sees_it_and_it_cannot_be_taken_back(to: str) -> None:
    options = {"match_end": "deals:2"}
    state = play(with_kitty(to, "S: Q D: 2", *LATE, **options), "AC KC QC 2C 3C 4C 3H AH")
    taken = next(
        each
        for each in take(state, game.Play(1, Card("2H"))).events
        if isinstance(each, game.KittyTaken)
    )
    assert game.visible(taken, 0) == taken
    assert game.visible(taken, 1) == game.visible(taken, None) == game.KittyTaken(0, None)
    assert refused(play(state, "2H"), game.AskUndo(1)).clause == "C2"


def test_W4_until_then_its_cards_may_lie_anywhere() -> None:
    state = play(with_kitty("last_trick", "S: Q D: 2", *LATE), "AC KC QC AH 2H 3H")
    assert CardSet(view_of(state, 0).possible[KITTY]) == CardSet("S: Q C: 34 D: 2")
