"""Drawing the dealer, dealing and passing: D1 to D7, R-DECK, P1 to P3, R-PASS."""

from __future__ import annotations

import pytest
from rulesets import after, deal_of, deal_out, dealt, legal, match, play, refused, start, take

from volte.cards import CARDS, QUEEN, Card, CardSet, cards_in, read_cards
from volte.game import (
    Commit,
    DealCards,
    DealerDrawn,
    Dealt,
    DrawDealer,
    Exchanged,
    KittyTaken,
    MatchStarted,
    MatchState,
    NameDealer,
    Pass,
    Passed,
    Phase,
    PlainChance,
    Play,
    evolve,
    legal_actions,
    replay,
    to_act,
    visible,
)
from volte.rules import Draw, make_ruleset
from volte.view import View, project


def new_match(preset: str = "coeurs", players: int = 4, pot: int = 0) -> MatchState:
    return replay([start(make_ruleset(preset, {"players": players}), pot)])


def lots(cards: str, seats: str = "0123456") -> Draw:
    return tuple(zip(map(int, seats), read_cards(cards), strict=False))


# D1


def test_D1_the_lowest_card_deals() -> None:
    assert after(new_match(), DrawDealer((lots("KC 5D 2H AS"),))).dealer == 2


def test_D1_the_ace_is_high() -> None:
    assert after(new_match(players=3), DrawDealer((lots("AC KD AH"),))).dealer == 1


def test_D1_only_ranks_count_and_the_tied_lowest_draw_again() -> None:
    rounds = (lots("4C 9D 4H 9S"), lots("AC KC", "02"))
    assert after(new_match(), DrawDealer(rounds)).dealer == 2
    refusal = refused(new_match(), DrawDealer(rounds[:1]))
    assert (refusal.reason, refusal.clause) == ("lots_not_lawful", "D1")


def test_D1_a_tie_that_does_not_matter_stands() -> None:
    tied_highest = lots("4C KD 9H KS")
    assert after(new_match(), DrawDealer((tied_highest,))).dealer == 0
    again = DrawDealer((tied_highest, lots("2C 3C", "13")))
    assert refused(new_match(), again).clause == "D1"


def test_D1_seven_players_draw_until_one_is_lowest() -> None:
    rounds = (lots("2C 2D 2H 2S 3C 3D 3H"), lots("6C 5C 5D 5H", "0123"), lots("8C 7C 9C", "123"))
    assert after(new_match(players=7), DrawDealer(rounds)).dealer == 2


@pytest.mark.parametrize(
    "rounds",
    [
        (),
        (lots("KC 5D 2H"),),  # somebody has not drawn
        (lots("KC 5D 2H AS", "0132"),),  # not in order
        (((0, Card("KC")), (1, Card("KC")), (2, Card("2H")), (3, Card("AS"))),),  # one card twice
        (lots("KC 5D RJ AS"),),  # no joker lies in that pack
        (lots("KC 5D 2H' AS"),),  # nor a second one
        (lots("KC 5D 2H AS"), lots("KC 5D 2H AS")),  # it was over
    ],
)
def test_D1_other_draws_are_refused(rounds: tuple[Draw, ...]) -> None:
    assert refused(new_match(), DrawDealer(rounds)).clause == "D1"


def test_D1_the_dealer_is_drawn_once() -> None:
    draw = DrawDealer((lots("KC 5D 2H AS"),))
    assert refused(after(new_match(), draw), draw).reason == "no_lots_due"
    assert refused(after(new_match(), draw), NameDealer(0)).reason == "no_lots_due"


def test_D1_a_table_may_name_its_dealer() -> None:
    step = take(new_match(), NameDealer(3))
    assert step.events == (DealerDrawn((), 3),)
    assert step.after.dealer == 3
    for nobody in (-1, 4):
        assert refused(new_match(), NameDealer(nobody)).reason == "no_such_seat"


# D2, D4


def test_D2_the_deal_passes_to_the_left() -> None:
    rules = make_ruleset("coeurs-cinq-coups", {"players": 3})
    dealers = [
        event.dealer
        for step in match(rules, seed=4)
        for event in step.events
        if isinstance(event, Dealt)
    ]
    assert dealers == [(dealers[0] + deal) % 3 for deal in range(5)]


def test_D2_the_next_match_of_the_same_players_begins_without_lots() -> None:
    rules = make_ruleset("coeurs")
    state = replay([MatchStarted(rules, new_match().players, dealer=2)])
    assert (state.phase, state.dealer) == (Phase.DEALING, 2)
    for lots_drawn in (NameDealer(1), DrawDealer((lots("KC 5D 2H AS"),))):
        assert refused(state, lots_drawn).reason == "no_lots_due"
    dealing = take(state, DealCards(rules.cards)).events[0]
    assert isinstance(dealing, Dealt)
    assert dealing.dealer == 2
    sealed = after(state, Commit(1, bytes(32), tuple(range(4))))
    assert refused(sealed, DealCards(rules.cards)).reason == "not_dealing_now"
    assert refused(state, Commit(2, bytes(32))).reason == "no_commitment_due"
    begun = after(state, DealCards(rules.cards))
    assert refused(begun, Commit(1, bytes(32))).reason == "no_commitment_due"


def test_D4_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    state = after(new_match(players=5), NameDealer(3))
    deck = state.rules.cards
    step = take(state, DealCards(deck))
    dealing = step.events[0]
    assert isinstance(dealing, Dealt)
    assert dealing.hands == tuple(deck[place:50:5] for place in (1, 2, 3, 4, 0))
    assert dealing.kitty == deck[50:]


@pytest.mark.parametrize("spoilt", ["short", "twice", "joker", "too many", "nothing"])
def test_D4_only_the_whole_deck_is_dealt(spoilt: str) -> None:
    state = after(new_match(), NameDealer(0))
    deck = state.rules.cards
    decks = {
        "short": deck[1:],
        "twice": (deck[1], *deck[1:]),
        "joker": (Card("RJ"), *deck[1:]),
        "too many": (*deck, Card("RJ")),
        "nothing": (),
    }
    refusal = refused(state, DealCards(decks[spoilt]))
    assert (refusal.reason, refusal.clause) == ("not_the_deck", "D4")


def test_D4_nothing_is_dealt_before_the_dealer_is_known_or_during_a_deal() -> None:
    deck = new_match().rules.cards
    assert refused(new_match(), DealCards(deck)).reason == "not_dealing_now"
    state = after(new_match(), NameDealer(0), DealCards(deck))
    assert refused(state, DealCards(deck)).reason == "not_dealing_now"


# D5, D6


@pytest.mark.parametrize(("players", "kitty"), [(3, 1), (4, 0), (5, 2), (6, 4), (7, 3)])
def test_D5_everybody_gets_the_same_number_and_the_rest_is_the_kitty(
    players: int, kitty: int
) -> None:
    state = after(new_match(players=players), NameDealer(0))
    deal = deal_of(after(state, DealCards(state.rules.cards)))
    assert {hand.bit_count() for hand in deal.hands} == {52 // players}
    assert len(CardSet(deal.kitty)) == kitty


def test_D6_the_winner_of_the_first_trick_takes_the_kitty() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    step = take(play(state, "5S AS"), Play(2, Card("4S")))
    assert step.events[-1] == KittyTaken(1, (Card("QS"), Card("9H")))
    assert deal_of(step.after).captured(1) == CardSet("S: AQ54 H: 9").mask


def test_D6_it_counts_for_that_player_and_goes_to_no_hand() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    state = play(state, "5S AS 4S")
    assert legal(state) == CardSet("2S")
    state = play(state, "2S 2H 3S")
    assert state.deals[-1].points == (1, 13, 0)


def test_D6_only_that_player_sees_it() -> None:
    state = dealt("coeurs", "S: 53", "S: A2", "S: 4 H: 2", kitty="S: Q H: 9")
    taken = take(play(state, "5S AS"), Play(2, Card("4S"))).events[-1]
    assert visible(taken, 1) == taken
    for other in (0, 2, None):
        assert visible(taken, other) == KittyTaken(1, None)


def test_D6_nobody_sees_the_kitty_while_it_is_dealt() -> None:
    state = after(new_match(players=3), NameDealer(0))
    dealing = take(state, DealCards(state.rules.cards)).events[0]
    for seat in (0, 1, 2, None):
        shown = visible(dealing, seat)
        assert isinstance(shown, Dealt)
        assert shown.kitty is None
        assert [hand is None for hand in shown.hands] == [owner != seat for owner in range(3)]


def test_D6_hearts_in_the_kitty_break_nothing() -> None:
    state = dealt(
        "coeurs", "C: 32", "C: A H: 3", "C: 4 H: 2", kitty="H: 9", hearts_lead="once_broken"
    )
    state = play(state, "3C AC 4C")
    assert legal(state) == CardSet("3H")  # nothing else is left
    assert not deal_of(state).broken


def test_D6_a_deal_of_one_trick_gives_the_kitty_before_it_is_scored() -> None:
    state = play(dealt("coeurs", "3C", "AC", "4C", kitty="S: Q H: 9"), "3C AC 4C")
    assert state.deals[-1].points == (13, 0, 13)
    assert state.deals[-1].moon == 1


# D7


def test_D7_a_joker_may_be_discarded_by_a_seat_that_cannot_follow() -> None:
    state = dealt("salon", "C: 2 H: 5", "C: 3 RJ", "D: 2 BJ")
    state = play(state, "2C")
    assert legal(state) == CardSet("3C")
    assert legal(play(state, "3C")) == CardSet("D: 2 BJ")


def test_D7_a_joker_never_wins() -> None:
    state = play(dealt("salon", "C: 2 H: 5", "D: 3 RJ", "D: 2 BJ"), "2C RJ BJ")
    assert deal_of(state).leader == 0


def test_D7_the_last_card_of_a_trick_may_set_the_suit_and_wins_it() -> None:
    state = play(dealt("coeurs", "RJ 2C", "BJ 3C", "D: 5 H: 2"), "RJ BJ 5D")
    assert deal_of(state).leader == 2


def test_D7_a_joker_counts_nothing() -> None:
    state = dealt("coeurs", "C: 2 H: 4", "C: 3 RJ", "C: 4 BJ", kitty="H: 5")
    state = play(state, "2C 3C 4C BJ 4H RJ")
    assert state.deals[-1].points == (1, 0, 1)  # the four of hearts, and the kitty


def test_D7_the_next_card_that_is_no_joker_sets_the_suit() -> None:
    state = play(dealt("coeurs", "RJ 2C", "S: 2 D: 9", "S: 3 D: T", kitty="H: A BJ"), "RJ 9D")
    assert legal(state) == CardSet("TD")
    assert deal_of(play(state, "TD")).leader == 2


def test_D7_behind_two_jokers_the_third_card_sets_the_suit() -> None:
    hands = ("RJ 2C", "BJ 3C", "D: 5 S: 2", "D: 6 H: 2")
    state = play(dealt("coeurs", *hands), "RJ BJ")
    assert legal(state) == CardSet("D: 5 S: 2")
    state = play(state, "5D")
    assert legal(state) == CardSet("6D")
    assert deal_of(play(state, "6D")).leader == 3


def test_D7_whoever_sets_the_suit_need_not_follow_anything() -> None:
    state = dealt("coeurs", "RJ 2C", "C: 3 S: Q", "D: 5 H: 2", kitty="BJ")
    assert legal(play(state, "RJ")) == CardSet("C: 3 S: Q")


@pytest.mark.parametrize(
    ("duty", "hearts_lead", "trick"), [("T4", "once_broken", 1), ("T7", "free", 2)]
)
def test_D7_T4_and_T7_bind_whoever_sets_the_suit(duty: str, hearts_lead: str, trick: int) -> None:
    hands = ("RJ 2C", "C: 3 H: 5", "D: 5 H: 2")
    state = dealt("coeurs", *hands, kitty="BJ", hearts_lead=hearts_lead, hearts_from_trick=trick)
    refusal = refused(play(state, "RJ"), Play(1, Card("5H")))
    assert (refusal.clause, refusal.legal) == (duty, (Card("3C"),))


def test_D7_T3_does_not_bind_whoever_sets_the_suit() -> None:
    hands = ("RJ 2C", "C: 3 S: Q", "D: 5 H: 2")
    state = play(dealt("coeurs", *hands, kitty="BJ", first_trick_points="barred"), "RJ")
    assert legal(state) == CardSet("C: 3 S: Q")
    assert legal(play(state, "3C")) == CardSet("5D")  # but those who discard behind


def test_D7_setting_the_suit_is_no_chance_for_T5() -> None:
    hands = ("RJ 2C", "C: 3 S: Q", "D: 5 H: 2")
    state = dealt("coeurs", *hands, kitty="BJ", queen_discard="forced")
    assert legal(play(state, "RJ")) == CardSet("C: 3 S: Q")


def test_D7_setting_the_suit_is_no_chance_for_T6() -> None:
    hands = ("RJ C: 2 D: A", "C: 3 S: Q4", "C: 5 D: 4 H: 2")
    state = play(dealt("coeurs", *hands, kitty="BJ", queen_discard="barred"), "RJ 3C 5C 4D AD")
    assert legal(state) == CardSet("4S")  # the first trick in which the queen's holder is void


def test_D7_following_a_joker_with_a_joker_proves_nothing() -> None:
    state = play(dealt("coeurs", "RJ 2C", "BJ C: 3", "D: 5 H: 2"), "RJ BJ")
    assert not any(deal_of(state).excluded)
    assert not deal_of(state).voided


# R-DECK


@pytest.mark.parametrize(
    ("preset", "players", "out", "hand"),
    [
        ("salon", 3, "2D", 17),
        ("salon", 4, "", 13),
        ("salon", 5, "2D 2S", 10),
        ("salon", 6, "3C 3D 3S 3H", 8),
        ("salon-six-deux", 6, "2C 2D 2S 2H", 8),
        ("salon-six-jokers", 6, "", 9),
    ],
)
def test_R_DECK(preset: str, players: int, out: str, hand: int) -> None:
    rules = make_ruleset(preset, {"players": players})
    assert CardSet(rules.deck.removed) == CardSet(out)
    assert (rules.hand_size, rules.kitty_size) == (hand, 0)
    jokers = [card for card in rules.cards if card.joker is not None]
    assert len(jokers) == (2 if preset == "salon-six-jokers" else 0)


# P1


def passing() -> MatchState:
    return dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=1)


def test_P1_the_program_holds_all_passes_until_the_last_one_is_in() -> None:
    state = passing()
    assert to_act(state) == (0, 1, 2)
    state = after(state, Pass(1, (Card("KS"),)), Pass(0, (Card("AS"),)))
    assert to_act(state) == (2,)
    assert deal_of(state).hands == deal_of(passing()).hands
    step = take(state, Pass(2, (QUEEN,)))
    assert [type(event) for event in step.events[:2]] == [Passed, Exchanged]
    assert [CardSet(hand) for hand in deal_of(step.after).hands] == [
        CardSet("S: Q2"),
        CardSet("S: A3"),
        CardSet("S: K H: 5"),
    ]


def test_P1_nobody_sees_what_others_pass() -> None:
    passed = take(passing(), Pass(1, (Card("KS"),))).events[0]
    assert visible(passed, 1) == passed
    for other in (0, 2, None):
        assert visible(passed, other) == Passed(1, None)


def test_P1_the_exchange_tells_each_seat_what_it_gave_and_got() -> None:
    state = after(passing(), Pass(1, (Card("KS"),)), Pass(0, (Card("AS"),)))
    exchange = take(state, Pass(2, (QUEEN,))).events[1]
    for seat in (0, 1, 2):
        shown = visible(exchange, seat)
        assert isinstance(shown, Exchanged)
        for transfer in shown.transfers:
            mine = seat in (transfer.giver, transfer.taker)
            assert (transfer.cards is not None) == mine
    nobody = visible(exchange, None)
    assert isinstance(nobody, Exchanged)
    assert all(transfer.cards is None for transfer in nobody.transfers)


def test_P1_what_arrives_may_not_be_passed_on() -> None:
    state = after(passing(), Pass(0, (Card("AS"),)))
    refusal = refused(state, Pass(1, (Card("AS"),)))
    assert (refusal.reason, refusal.clause) == ("not_in_hand", "P1")
    assert CardSet(refusal.legal) == CardSet("S: K3")


@pytest.mark.parametrize("cards", ["", "KS 3S", "KS 3S AS"])
def test_P1_just_so_many_cards_are_passed(cards: str) -> None:
    refusal = refused(passing(), Pass(1, read_cards(cards)))
    assert (refusal.reason, refusal.clause) == ("pass_count", "P1")
    assert refusal.params == {"count": 1, "given": len(read_cards(cards))}


def test_P1_a_card_is_not_passed_twice_and_a_seat_does_not_pass_twice() -> None:
    state = dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=2)
    assert refused(state, Pass(0, (Card("AS"), Card("AS")))).reason == "pass_count"
    state = after(passing(), Pass(1, (Card("KS"),)))
    assert refused(state, Pass(1, (Card("3S"),))).reason == "already_passed"


def test_P1_a_whole_hand_can_be_passed() -> None:
    state = dealt("coeurs", "S: A2", "S: K3", "S: Q H: 5", pass_count=2)
    state = after(state, *(Pass(seat, cards_in(deal_of(state).hands[seat])) for seat in (2, 1, 0)))
    assert [CardSet(hand) for hand in deal_of(state).hands] == [
        CardSet("S: Q H: 5"),
        CardSet("S: A2"),
        CardSet("S: K3"),
    ]


# P2, P3, R-PASS


def directions(preset: str, players: int, deals: int) -> list[str]:
    rules = make_ruleset(preset, {"players": players})
    return [rules.direction(deal) for deal in range(1, deals + 1)]


@pytest.mark.parametrize(("players", "count"), [(3, 3), (4, 3), (5, 3), (6, 2), (7, 2)])
def test_P2_coeurs_passes_to_the_left_on_every_deal(players: int, count: int) -> None:
    assert set(directions("coeurs", players, 5)) == {"left"}
    assert make_ruleset("coeurs", {"players": players}).passing.count == count


@pytest.mark.parametrize("preset", ["dame-de-pique", "microsoft"])
def test_P3_left_right_across_then_no_pass_and_again(preset: str) -> None:
    cycle = ["left", "right", "across", "hold"]
    assert directions(preset, 4, 9) == [*cycle, *cycle, "left"]
    assert make_ruleset(preset).passing.count == 3


@pytest.mark.parametrize(
    ("players", "cycle"),
    [
        (3, "left right hold"),
        (4, "left right across hold"),
        (5, "left right second_left second_right hold"),
        (6, "left right second_left second_right across hold"),
    ],
)
def test_R_PASS(players: int, cycle: str) -> None:
    words = cycle.split()
    assert directions("salon", players, 2 * len(words)) == words + words
    assert make_ruleset("salon", {"players": players}).passing.count == 3


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
    steps = match(rules, seed=1)
    exchange = next(
        event for step in steps for event in step.events if isinstance(event, Exchanged)
    )
    assert tuple(transfer.taker for transfer in exchange.transfers) == takers


def test_P3_play_begins_at_once_where_nothing_is_passed() -> None:
    state = dealt("microsoft", "C: 2", "H: 2", "H: 3", pass_cycle=["hold"], pass_count=1)
    assert state.phase is Phase.PLAYING
    assert refused(state, Pass(0, (Card("2C"),))).reason == "not_passing_now"


def test_P3_where_nothing_is_passed_nobody_is_asked_to() -> None:
    """Not even in the moment between the deal and the lead, which come of one action."""
    rules = make_ruleset("microsoft", {"pass_cycle": ["hold"]})
    state = after(replay([start(rules)]), NameDealer(0))
    dealing, leading = take(state, DealCards(rules.cards)).events
    held = evolve(state, dealing)
    assert to_act(held) == ()
    assert not any(legal_actions(held, seat) for seat in range(4))
    assert not any(View(seat, project(held, seat)).my_turn for seat in range(4))
    assert to_act(evolve(held, leading)) == (1,)


def test_R_PASS_the_directions_follow_deal_after_deal() -> None:
    hands, cycle = ("C: 2", "H: 2", "H: 3"), ["hold", "left"]
    state = dealt("coeurs", *hands, pass_count=1, pass_cycle=cycle, match_end="deals:2")
    state = play(state, "2C 2H 3H")
    assert deal_of(state).direction == "hold"
    state = deal_out(state, *hands)
    assert (deal_of(state).direction, state.phase) == ("left", Phase.PASSING)


def test_lots_are_drawn_from_the_pack_whatever_the_deck() -> None:
    """A dealer is drawn from 52 cards, also where the deck of the table is shorter (D1)."""
    state = new_match("salon-six-deux", players=6)
    drawn = PlainChance(3).act(state)
    assert isinstance(drawn, DrawDealer)
    assert {card for each in drawn.rounds for _, card in each} <= set(CARDS[:52])
    assert after(state, DrawDealer((lots("2C 3C 4C 5C 6C 7C"),))).dealer == 0
