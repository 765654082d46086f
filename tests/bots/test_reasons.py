"""A reason that is told holds in the position, whoever has chosen the card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from hypothesis import event, given
from kit.bots import choices
from kit.deals import after, deal_of, view_of
from kit.stanzas import read_stanza, stanzas
from kit.strategies import any_rulesets, seeds

from volte.bots import Reason, hint
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
        return view_of(self.state, self.seat)

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
            view = moment.view
            for card in view.legal:
                reason = reason_of(view, Play(moment.seat, card))
                event(reason)
                assert HOLDS[reason](Told(moment.state, card)), (card, reason)


@given(any_rulesets(), seeds)
def test_a_reason_to_pass_any_cards_holds(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 8):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
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


# Positions that anybody can go through


@pytest.mark.parametrize("text", stanzas(__file__, "advice.txt"))
def test_what_is_advised_and_why(text: str) -> None:
    """What `casual` plays there, and what is said for a card."""
    stanza = read_stanza(text)
    for line in stanza.lines:
        check = check_pass if stanza.state.phase is Phase.PASSING else check_play
        check(stanza.state, line)


def check_pass(state: MatchState, line: str) -> None:
    view = view_of(state, 0)
    advice = hint(view)
    assert isinstance(advice.action, Pass)
    given = CardSet(advice.action.cards)
    assert (advice.reason is Reason.PASS_QUEEN) == (QUEEN in given)
    match line.split():
        case ["gives", *cards]:
            assert CardSet(" ".join(cards)) <= given
        case ["keeps", *cards]:
            assert not CardSet(" ".join(cards)) & given
        case ["why", *cards, expected]:
            assert reason_of(view, Pass(0, read_cards(" ".join(cards)))) == expected
        case _:
            raise ValueError(line)


def check_play(state: MatchState, line: str) -> None:
    view = view_of(state, deal_of(state).turn)
    advice = hint(view)
    assert isinstance(advice.action, Play)
    card, reason = advice.action.card, advice.reason
    match line.split():
        case ["plays", "one", "of", *cards]:
            assert card in CardSet(" ".join(cards))
        case ["plays", "none", "of", *cards]:
            assert card not in CardSet(" ".join(cards))
        case ["plays", "any", expected]:
            assert reason == expected
        case ["plays", expected, *why]:
            assert (card.text, *why) == (expected, *([reason] if why else []))
        case ["why", named, "not", expected]:
            assert reason_of(view, Play(deal_of(state).turn, Card(named))) != expected
        case ["why", named, expected]:
            assert reason_of(view, Play(deal_of(state).turn, Card(named))) == expected
        case _:
            raise ValueError(line)
