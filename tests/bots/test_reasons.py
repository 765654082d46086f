"""A reason that is told holds in the position, whoever has chosen the card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from hypothesis import event, given
from kit.bots import choices, seen_by
from rulesets import PACK, after, any_rulesets, deal_of, dealt, play, seeds

from volte.bots import Reason
from volte.bots.casual import burdens
from volte.bots.odds import ABOVE, BELOW, SUIT_OF, TWIN, winning_place
from volte.bots.reasons import reason_of
from volte.cards import (
    JOKERS,
    QUEEN,
    QUEENS,
    SPADES,
    Card,
    CardSet,
    cards_in,
    in_first_pack,
    mask_of,
    read_cards,
)
from volte.game import DealState, MatchState, Pass, Phase, Play, TrickTaken, decide, legal_actions
from volte.rules import MoonRule, Ruleset
from volte.view import View


class Told(NamedTuple):
    """A card, and the state that it is played in, with all hands."""

    state: MatchState
    card: Card

    @property
    def deal(self) -> DealState:
        return deal_of(self.state)

    @property
    def rules(self) -> Ruleset:
        return self.deal.rules

    @property
    def seat(self) -> int:
        return self.deal.turn

    @property
    def view(self) -> View:
        return seen_by(self.seat, self.state)

    @property
    def bit(self) -> int:
        return self.card.bit

    @property
    def worth(self) -> int:
        return self.rules.values.get(self.card, 0)

    @property
    def hand(self) -> int:
        return self.deal.hands[self.seat]

    @property
    def suit(self) -> int:
        """Mask of the suit of the card."""
        return SUIT_OF[self.bit]

    @property
    def unseen(self) -> int:
        return self.view.unseen

    @property
    def legal(self) -> int:
        return self.view.legal.mask

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.rules.players) if seat != self.seat]

    @property
    def foes(self) -> list[int]:
        return [seat for seat in self.others if seat not in self.rules.side(self.seat)]

    @property
    def winning(self) -> int:
        """The bit of the card that wins so far; 0 where none does."""
        place = winning_place(self.deal.trick, self.deal.led)
        return 0 if place < 0 else self.deal.trick[place].bit

    @property
    def winner(self) -> int:
        place = winning_place(self.deal.trick, self.deal.led)
        return -1 if place < 0 else (self.deal.leader + place) % self.rules.players

    @property
    def leads(self) -> bool:
        return self.deal.led is None

    @property
    def follows(self) -> bool:
        return self.deal.led is not None and self.card.suit is self.deal.led

    @property
    def last(self) -> bool:
        return len(self.deal.trick) == self.rules.players - 1

    @property
    def on_top(self) -> bool:
        """Whether the card wins the trick as it then lies."""
        if self.leads:
            return self.card.suit is not None
        return self.follows and (not self.winning or bool(ABOVE[self.winning] & self.bit))

    @property
    def taker(self) -> int | None:
        """Who takes the trick, if this card ends it."""
        outcome = decide(self.state, Play(self.seat, self.card))
        assert isinstance(outcome, tuple)
        return next((each.seat for each in outcome if isinstance(each, TrickTaken)), None)

    def may_hold(self, mask: int) -> bool:
        """Whether an opponent may have a card of the mask, as far as the seat can know."""
        return any(self.view.could_hold(seat).mask & mask for seat in self.foes)

    @property
    def threat(self) -> tuple[int, ...]:
        """Who alone has taken what a moon is made of, and much of it."""
        sides = [(seat,) for seat in range(self.rules.players)] + list(self.rules.all_sides)
        for who in sides:
            have = [_progress(self.deal, seat) for seat in range(self.rules.players)]
            if sum(have[seat] for seat in who) == sum(have) >= 0.4:
                return who
        return ()


def _progress(deal: DealState, seat: int) -> float:
    """The part that a seat has of what makes a moon: the mean of cards and points, or tricks."""
    rules = deal.rules
    if rules.moon.moon is MoonRule.OFF:
        return deal.won[seat] / rules.hand_size
    taken = deal.taken[seat] & rules.penalty_mask
    cards = taken.bit_count() / rules.penalty_mask.bit_count()
    return (cards + rules.points_in(taken) / rules.penalty_total) / 2


def _has_only_higher(told: Told) -> bool:
    hands = [told.deal.hands[seat] & told.suit for seat in told.others]
    return any(hands) and not any(hand & BELOW[told.bit] for hand in hands)


def _spares_guards(told: Told) -> bool:
    low = told.hand & SPADES & BELOW[QUEEN.bit]
    high = told.hand & SPADES & ~BELOW[QUEEN.bit]
    return bool(low and high) and not told.bit & SPADES


def _is_free(told: Told) -> bool:
    outcome = decide(told.state, Play(told.seat, told.card))
    assert isinstance(outcome, tuple)
    state = after(told.state, Play(told.seat, told.card))
    brought = deal_of(state).taken[told.seat] & ~told.deal.taken[told.seat]
    return told.taker == told.seat and not brought & told.rules.penalty_mask


def _goes_to_others(told: Told) -> bool:
    if told.worth <= 0 or told.on_top:
        return False
    return not told.last or told.taker not in told.rules.side(told.seat)


def _is_high(told: Told) -> bool:
    lower, higher = told.unseen & BELOW[told.bit], told.unseen & ABOVE[told.bit]
    return lower.bit_count() > higher.bit_count()


def _stops(told: Told) -> bool:
    against = bool(told.threat) and told.seat not in told.threat
    if told.on_top:
        return against
    return against and told.worth > 0 and told.winner not in told.threat


def _withholds(told: Told) -> bool:
    could = told.legal & told.rules.penalty_mask
    return told.winner in told.threat and told.worth <= 0 < could and told.seat not in told.threat


def _keeps_stopper(told: Told) -> bool:
    kept = cards_in(told.hand & ~told.bit & ~JOKERS)
    masters = [card for card in kept if not told.unseen & (ABOVE[card.bit] | TWIN[card.bit])]
    return bool(masters and told.threat) and told.seat not in told.threat


HOLDS: Final[dict[Reason, Callable[[Told], bool]]] = {
    Reason.FORCED: lambda told: len({*map(in_first_pack, cards_in(told.legal))}) == 1,
    Reason.LOW_LEAD: lambda told: any(
        told.view.could_hold(seat).mask & (ABOVE[told.bit] | TWIN[told.bit]) for seat in told.others
    ),
    Reason.SAFE_LEAD: lambda told: (
        told.rules.points_in(mask_of(told.deal.trick) | told.deal.held) + told.worth <= 1
    ),
    Reason.SAFE_EXIT: lambda told: told.leads and _has_only_higher(told),
    Reason.JOKER_LEAD: lambda told: told.leads and told.card.joker is not None,
    Reason.FLUSH_QUEEN: lambda told: (
        told.leads
        and bool(told.bit & SPADES)
        and not told.hand & SPADES & ~BELOW[QUEEN.bit]
        and told.may_hold(QUEENS)
    ),
    Reason.GUARD: _spares_guards,
    Reason.DUCK: lambda told: told.follows and bool(BELOW[told.winning] & told.bit),
    Reason.HIGHEST_UNDER: lambda told: (
        told.follows
        and bool(BELOW[told.winning] & told.bit)
        and bool(told.legal & BELOW[told.bit])
        and not told.legal & ABOVE[told.bit] & BELOW[told.winning]
    ),
    Reason.CANCEL: lambda told: TWIN[told.bit] == told.winning,
    Reason.LEAVE_KITTY: lambda told: (
        told.rules.kitty_size > 0 and told.deal.kitty_taker is None and not told.on_top
    ),
    Reason.SAFE_TAKE: lambda told: told.last and _is_free(told),
    Reason.TAKE_HIGH: lambda told: (
        told.on_top
        and bool(told.legal & BELOW[told.bit])
        and all(told._replace(card=card).on_top for card in cards_in(told.legal))
    ),
    Reason.TAKE_ANY: lambda told: all(
        told._replace(card=card).on_top for card in cards_in(told.legal)
    ),
    Reason.LOWEST: lambda told: (
        told.on_top and not told.last and not told.legal & BELOW[told.bit] and told.follows
    ),
    Reason.SHED_HIGH: _is_high,
    Reason.TAKE_BONUS: lambda told: (
        told.on_top and told.rules.points_in(mask_of(told.deal.trick)) + told.worth < 0
    ),
    Reason.DUMP_QUEEN: lambda told: bool(told.bit & QUEENS) and _goes_to_others(told),
    Reason.DUMP_POINTS: _goes_to_others,
    Reason.DROP_COVER: lambda told: (
        bool(told.bit & ABOVE[QUEEN.bit]) and not told.follows and told.may_hold(QUEENS)
    ),
    Reason.VOID_SUIT: lambda told: (
        not told.hand & told.suit & ~told.bit and bool(told.unseen & told.suit)
    ),
    Reason.STOP_MOON: _stops,
    Reason.NO_POINT: _withholds,
    Reason.KEEP_STOPPER: _keeps_stopper,
    Reason.SHOOT_MOON: lambda told: (
        told.on_top
        and not any(told.deal.taken[seat] & told.rules.penalty_mask for seat in told.foes)
    ),
    Reason.TRY_MOON: lambda told: (
        not any(told.deal.taken[seat] & told.rules.penalty_mask for seat in told.foes)
        and (told.on_top or told.worth <= 0)
    ),
    Reason.GO_ON_MOON: lambda told: told.on_top and told.seat in told.threat,
    Reason.PLAYED_OUT: lambda told: True,
}
"""What must be so where a reason to play a card is told."""


@given(any_rulesets(), seeds)
def test_a_reason_to_play_any_card_holds(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 8):
        if moment.state.phase is Phase.PLAYING:
            view = seen_by(moment.seat, moment.state)
            for card in view.legal:
                reason = reason_of(view, Play(moment.seat, card))
                event(reason)
                assert HOLDS[reason](Told(moment.state, card)), (card, reason)


@given(any_rulesets(), seeds)
def test_a_reason_to_pass_any_cards_holds(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 8):
        if moment.state.phase is Phase.PASSING:
            view = seen_by(moment.seat, moment.state)
            for action in legal_actions(moment.state, moment.seat)[:20]:
                assert isinstance(action, Pass)
                assert PASSES[reason_of(view, action)](view, mask_of(action.cards))


def _are_heaviest(view: View, given: int) -> bool:
    heavier = burdens(view)[: given.bit_count() + 2]
    return not given & ~mask_of(heavier)


PASSES: Final[dict[Reason, Callable[[View, int], bool]]] = {
    Reason.PASS_DANGER: _are_heaviest,
    Reason.PASS_QUEEN: lambda view, given: bool(given & QUEENS) and _are_heaviest(view, given),
    Reason.PASS_VOID: lambda view, given: any(
        view.hand.mask & SUIT_OF[card.bit] & ~given == 0 for card in cards_in(given & ~JOKERS)
    ),
    Reason.PASS_LOW: lambda view, given: (
        2 * sum(card.bit & given == 0 and _tops(card, given) for card in view.hand)
        >= len(view.hand)
    ),
    Reason.PLAYED_OUT: lambda view, given: True,
}


def _tops(card: Card, given: int) -> bool:
    return all((card.rank or 0) > (other.rank or 0) for other in cards_in(given))


def test_every_reason_has_its_truth() -> None:
    told = {*HOLDS, *PASSES, Reason.ALIKE, Reason.ROUGHLY}
    assert told == set(Reason)


def why(state: MatchState, card: str) -> Reason:
    """What is said for that card of the seat whose turn it is."""
    seat = deal_of(state).turn
    return reason_of(seen_by(seat, state), Play(seat, Card(card)))


def why_passed(hand: str, cards: str) -> Reason:
    """What is said for passing those cards of the eldest hand, with a whole pack."""
    others = [card for card in PACK if card not in CardSet(hand)]
    hands = [str(CardSet(others[place::3])) for place in range(3)]
    state = dealt("coeurs", hand, *hands, pass_count=3)
    return reason_of(seen_by(0, state), Pass(0, read_cards(cards)))


FOUR: Final = ("C: A2 H: 9 S: 8 D: 8", "S: Q7 D: K3 H: J", "C: 34 S: 96 H: 8", "C: 5 S: AK D: 9T")


def test_the_only_card_is_told_as_that() -> None:
    assert why(play(dealt("coeurs", *FOUR), "AC QS 3C"), "5C") is Reason.FORCED


def test_two_equal_cards_are_no_choice() -> None:
    hands = "AC 2C", "5C 5C'", "3C 4C", "6C 7C", "8C 9C", "TC 2H"
    assert why(play(dealt("coeurs", *hands, moon="off"), "AC"), "5C") is Reason.FORCED


def test_a_low_lead_is_taken_by_somebody_else() -> None:
    state = dealt("coeurs", "C: 43 H: 2", "C: 2K D: 3", "C: AT D: 4", "C: 9Q D: 5")
    assert why(state, "4C") is Reason.LOW_LEAD


def test_a_lead_that_no_card_goes_under_is_a_safe_way_out() -> None:
    state = dealt("coeurs", "C: 2K H: 2", "C: 5T D: 3", "C: A9 D: 4", "C: 8Q D: 5")
    assert why(state, "2C") is Reason.SAFE_EXIT


def test_it_is_not_safe_where_all_higher_cards_may_lie_in_the_kitty() -> None:
    hands = "C: 2 D: 2 H: 2", "S: 5 D: 63", "S: 9 D: 74", "S: 8 D: 85"
    state = dealt("coeurs", *hands, kitty="C: K")
    assert why(state, "2C") is not Reason.SAFE_EXIT


def test_an_ace_that_will_draw_no_points_is_safe_to_lead() -> None:
    hands = "C: A7 D: 9 S: 2", "C: 56 D: 3 H: 2", "C: 34 D: 4 S: 3", "C: 8Q D: 5 S: 4"
    assert why(dealt("coeurs", *hands), "AC") is Reason.SAFE_LEAD


def test_a_spade_below_the_queen_may_drive_her_out() -> None:
    state = dealt("coeurs", "S: J4 D: AK", "S: Q5 D: 43", "S: 96 D: 65", "S: 87 D: 72")
    assert why(state, "JS") is Reason.FLUSH_QUEEN


@pytest.mark.parametrize("high", "QKA")
def test_low_spades_are_guards_of_the_queen_or_against_her(high: str) -> None:
    rest = "QKA".replace(high, "")
    hands = f"S: {high}43 D: 75", f"S: {rest[0]}J5 D: 46", f"S: {rest[1]}62 D: 83", "S: 987 D: 92"
    state = dealt("coeurs", *hands)
    assert why(state, "5D") is Reason.GUARD
    assert why(state, "4S") is not Reason.GUARD


def test_the_highest_that_stays_under_keeps_the_lower_ones() -> None:
    hands = "C: 92 H: 2 D: 9", "C: T84 D: 3", "C: 6 H: 34 D: K", "C: 73 H: 5 D: A"
    state = play(dealt("coeurs", *hands), "9C")
    assert why(state, "8C") is Reason.HIGHEST_UNDER
    assert why(state, "4C") is Reason.DUCK


def test_W11_an_equal_card_cancels_the_one_that_wins() -> None:
    hands = "AC 2C", "AC' 3C", "4C 5C", "6C 7C", "8C 9C", "TC 2H"
    state = play(dealt("coeurs", *hands, moon="off"), "AC")
    assert why(state, "AC'") is Reason.CANCEL
    assert why(state, "3C") is Reason.DUCK


def test_W11_the_queen_may_come_back_where_the_ace_may_be_cancelled() -> None:
    hands = "AS 2S", "QS 3S", "AS' 7S", "5S 6S", "8S 9S", "TS 2H"
    state = play(dealt("coeurs", *hands, moon="off"), "AS")
    assert why(state, "QS") is Reason.HIGHEST_UNDER


def test_the_last_to_play_takes_for_nothing() -> None:
    hands = "C: 53 H: 29", "C: 68 H: 3T", "C: 4J H: 4K", "C: KT2 D: 2"
    state = play(dealt("coeurs", *hands), "5C 6C 4C")
    assert why(state, "TC") is Reason.SAFE_TAKE
    assert why(state, "2C") is Reason.DUCK


def test_W6_taking_costs_a_hand_without_tricks_what_it_would_be_worth() -> None:
    hands = "C: 53 H: 29", "C: 68 H: 3T", "C: 4J H: 4K", "C: KT2 D: 2"
    state = play(dealt("coeurs", *hands, no_tricks=-5), "5C 6C 4C")
    assert why(state, "KC") is not Reason.SAFE_TAKE


def test_where_every_card_takes_a_high_one_may_go() -> None:
    hands = "C: 52 H: 29", "D: 38 H: 37", "C: 4J H: 4T", "C: KT D: 24"
    state = play(dealt("coeurs", *hands), "5C 3H 4C")
    assert why(state, "KC") is Reason.TAKE_HIGH
    assert why(state, "TC") is Reason.TAKE_ANY


def test_the_lowest_may_still_be_beaten() -> None:
    hands = "C: 52 H: 29", "C: 9J H: 37", "C: T6 H: 4T", "C: 83 D: 24"
    state = play(dealt("coeurs", *hands), "5C")
    assert why(state, "9C") is Reason.LOWEST
    assert why(state, "JC") is not Reason.LOWEST


def test_S5_the_jack_is_there_to_be_taken() -> None:
    hands = "D: 52 H: 2A C: 8", "D: J8 H: 3K C: 9", "C: 3TJ H: 4Q", "D: K4 C: 2 H: 57"
    state = play(dealt("coeurs", *hands, jack_points=-10), "5D JD 4H")
    assert why(state, "KD") is Reason.TAKE_BONUS
    assert why(state, "4D") is Reason.DUCK


def test_what_is_discarded_goes_to_somebody_else() -> None:
    state = play(dealt("coeurs", *FOUR, queen_discard="free"), "AC")
    assert why(state, "QS") is Reason.DUMP_QUEEN
    assert why(state, "JH") is Reason.DUMP_POINTS
    assert why(state, "KD") is Reason.SHED_HIGH


def test_W10_points_for_a_partner_go_to_nobody_else() -> None:
    hands = "C: A2 H: 9", "C: 34 H: 8", "S: Q7 D: K", "C: 5 S: AK"
    state = play(dealt("partnership", *hands, queen_discard="free", opening="eldest"), "AC 3C")
    assert why(state, "QS") not in (Reason.DUMP_QUEEN, Reason.DUMP_POINTS)


def test_the_last_of_a_suit_leaves_one_free() -> None:
    hands = "C: A2 S: 98 D: 6", "D: 3 S: 764 H: 2", "C: 34 S: Q5 D: 8", "C: 56 S: J3 D: 9"
    assert why(play(dealt("coeurs", *hands), "AC"), "3D") is Reason.VOID_SUIT


# The moon


SHOT: Final = ("H: AKQ C: 79", "H: 3452 D: 2", "H: 678 C: 6 D: 3", "H: 9TJ C: K5")
NEARLY: Final = "AH 3H 6H 9H KH 4H 7H TH QH 5H 8H JH"


def test_S3_taking_a_trick_with_a_point_may_stop_a_moon() -> None:
    state = play(dealt("coeurs", *SHOT), f"{NEARLY} 7C 2H 6C")
    assert why(state, "KC") is Reason.STOP_MOON
    assert why(state, "5C") is Reason.DUCK
    without = play(dealt("coeurs", *SHOT, moon="off"), f"{NEARLY} 7C 2H 6C")
    assert why(without, "KC") is not Reason.STOP_MOON


def test_S3_no_point_for_whoever_has_the_others() -> None:
    state = play(dealt("coeurs", *SHOT), f"{NEARLY} 9C")
    assert why(state, "2D") is Reason.NO_POINT
    assert why(state, "2H") is Reason.DUMP_POINTS


def test_S3_a_high_card_is_kept_against_a_moon() -> None:
    hands = "H: AKQ C: 79", "D: A23 H: 32", "H: 678 C: 6 D: 4", "H: 9TJ C: K5"
    state = play(dealt("coeurs", *hands), "AH 3H 6H 9H KH 2H 7H TH QH")
    assert why(state, "2D") is Reason.KEEP_STOPPER
    assert why(state, "AD") is not Reason.KEEP_STOPPER


def test_S3_a_strong_hand_may_try() -> None:
    hands = "H: AKQ3 S: AK", "H: 2457 S: Q5", "H: 689 D: 2 S: 64", "H: TJ D: 34 S: 73"
    assert why(dealt("coeurs", *hands), "AH") is Reason.TRY_MOON


def test_S3_whoever_has_all_the_points_goes_on() -> None:
    hands = "H: AKQ2 C: A94", "H: 3456 C: 785", "H: 789 D: 26 C: 62", "H: TJ C: KQT D: 35"
    state = play(dealt("coeurs", *hands), "AH 3H 7H TH KH 4H 8H JH QH 5H 9H 3D")
    assert why(state, "AC") is Reason.GO_ON_MOON
    assert why(state, "4C") is not Reason.GO_ON_MOON


# The pass


def test_P1_what_is_likely_to_take_points_is_passed() -> None:
    hand = "S: AK5 H: 642 D: 8753 C: 642"
    assert why_passed(hand, "AS KS 6H") is Reason.PASS_DANGER
    assert why_passed("S: Q5 H: 642 D: 8753 C: A642", "QS AC 6H") is Reason.PASS_QUEEN


def test_P1_a_suit_is_emptied() -> None:
    assert why_passed("S: AKQ H: AK D: 87532 C: 642", "6C 4C 2C") is Reason.PASS_VOID


def test_P1_the_high_cards_stay() -> None:
    assert why_passed("S: AKQ H: AKQ D: AK32 C: AK2", "2D 3D 2C") is Reason.PASS_LOW


def test_where_nothing_general_holds_it_was_played_out() -> None:
    assert why_passed("S: AKQ H: AKQ D: AK32 C: AK2", "AS 3D 2C") is Reason.PLAYED_OUT
