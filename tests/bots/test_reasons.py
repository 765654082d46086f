"""A reason that is given holds in the position, whoever has chosen the card."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import pytest
from hypothesis import event, given
from kit.bots import choices
from kit.deals import after, deal_of, view_of
from kit.stanzas import read_stanza, stanzas
from kit.strategies import any_rulesets, seeds

from volte.bots import Reason, hint
from volte.bots.candidates import burdens
from volte.bots.grounds import Grounds
from volte.bots.odds import ABOVE, BELOW, SUIT_OF, TWIN, winning_place
from volte.bots.reasons import holding, reason_of, reasons_of
from volte.cards import (
    HEARTS,
    JOKERS,
    QUEEN,
    QUEENS,
    SPADES,
    SUIT_MASKS,
    Card,
    CardSet,
    Rank,
    Suit,
    cards_in,
    in_first_pack,
    mask_of,
    read_cards,
)
from volte.game import DealState, MatchState, Pass, Phase, Play, TrickTaken, decide, legal_actions
from volte.rules import MoonRule, Ruleset
from volte.say.hints import why
from volte.say.language import Language
from volte.view import View

LANGUAGE: Final = Language("en")


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
        """Seat that takes the trick, if this card ends it."""
        outcome = decide(self.state, Play(self.seat, self.card))
        assert isinstance(outcome, tuple)
        return next((each.seat for each in outcome if isinstance(each, TrickTaken)), None)

    def may_hold(self, mask: int) -> bool:
        """Whether an opponent may have a card of the mask, as far as the seat can know."""
        return any(self.view.could_hold(seat).mask & mask for seat in self.foes)

    @property
    def later(self) -> list[int]:
        """The seats that play after this one."""
        players = self.rules.players
        return [(self.seat + n) % players for n in range(1, players - len(self.deal.trick))]

    @property
    def sure(self) -> bool:
        """Whether the card wins, and nobody has one that beats it."""
        beating = ABOVE[self.bit] | TWIN[self.bit]
        return self.on_top and not any(self.deal.hands[seat] & beating for seat in self.later)

    @property
    def decided(self) -> bool:
        """Whether the card that wins so far takes the trick."""
        hands = (self.deal.hands[seat] for seat in self.later)
        return not self.on_top and not any(hand & ABOVE[self.winning] for hand in hands)

    @property
    def foes_are_clean(self) -> bool:
        return not any(self.deal.taken[seat] & self.rules.penalty_mask for seat in self.foes)

    @property
    def grounds(self) -> Grounds:
        """Facts about the card that a sentence may name."""
        return Grounds(self.view, self.bit)

    @property
    def threat(self) -> tuple[int, ...]:
        """Seats of a side that alone has taken penalty cards, enough to fear a moon; else none."""
        return self._threat(0)

    @property
    def coming_threat(self) -> tuple[int, ...]:
        """The threat as it is, or once the trick goes to its winner, if that is decided."""
        return self.threat or self._threat(
            mask_of(self.deal.trick) | self.deal.held if self.decided else 0
        )

    def _threat(self, more: int) -> tuple[int, ...]:
        sides = [*self.rules.all_sides, *((seat,) for seat in range(self.rules.players))]
        have, won = self._after(more)
        for who in sides:
            share = sum(have[seat] for seat in who)
            tricks = sum(won[seat] for seat in who) / self.rules.hand_size
            if share == sum(have) and 1.5 * share * tricks >= 0.0615:
                return who
        return ()

    def _after(self, more: int) -> tuple[list[float], list[int]]:
        """By seat, the share of the penalty cards (of the tricks, where no moon counts) and the
        number of tricks, once the winner has the cards of the mask too."""
        won = [
            tricks + bool(more and seat == self.winner) for seat, tricks in enumerate(self.deal.won)
        ]
        if self.rules.moon.moon is MoonRule.OFF:
            return [tricks / self.rules.hand_size for tricks in won], won
        penalties = self.rules.penalty_mask
        taken = [
            cards | (more if seat == self.winner else 0)
            for seat, cards in enumerate(self.deal.taken)
        ]
        return [(cards & penalties).bit_count() / penalties.bit_count() for cards in taken], won


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
    threat = told.coming_threat
    return told.winner in threat and told.worth <= 0 < could and told.seat not in threat


def _keeps_stopper(told: Told) -> bool:
    against = bool(told.coming_threat) and told.seat not in told.coming_threat
    return against and _keeps_high(told, told.grounds.stopper)


def _keeps_high(told: Told, bit: int) -> bool:
    """Whether a legal card is kept that beats most of the hidden cards of its suit."""
    lower, higher = told.unseen & BELOW[bit], told.unseen & (ABOVE[bit] | TWIN[bit])
    stays = bit & told.legal and bit != told.bit
    return bool(stays) and lower.bit_count() > higher.bit_count()


def _can_be_beaten(told: Told) -> bool:
    beating = ABOVE[told.bit] | TWIN[told.bit]
    return told.card.joker is not None or any(
        told.view.could_hold(seat).mask & beating for seat in told.others
    )


def _keeps_cover(told: Told) -> bool:
    low, high = told.grounds.cover
    return told.hand & SUIT_OF[low] == low | high and bool(low & told.legal & BELOW[high])


def _may_shoot(told: Told) -> bool:
    """Whether moons count, and no opponent has taken a penalty card."""
    return told.rules.moon.moon is not MoonRule.OFF and told.foes_are_clean


def _completes(told: Told) -> bool:
    left = 0 if told.deal.kitty_taker == told.seat else told.deal.kitty
    for hand in told.deal.hands:
        left |= hand
    return told.foes_are_clean and told.sure and not left & ~told.bit & told.rules.penalty_mask


def _burdens_leader(told: Told) -> bool:
    totals = told.state.totals
    least = [seat for seat, total in enumerate(totals) if total == min(totals)]
    points = told.rules.points_in(mask_of(told.deal.trick) | told.deal.held) + max(0, told.worth)
    return told.decided and least == [told.winner] and told.winner in told.foes and points > 0


HOLDS: Final[dict[Reason, Callable[[Told], bool]]] = {
    Reason.FORCED: lambda told: len({*map(in_first_pack, cards_in(told.legal))}) == 1,
    Reason.LOW_LEAD: _can_be_beaten,
    Reason.SAFEST: _can_be_beaten,
    Reason.GIVE_POINTS: lambda told: told.worth > 0 and _can_be_beaten(told),
    Reason.FOLLOWED: lambda told: (
        told.leads
        and told.worth <= 1
        and (told.unseen & told.suit).bit_count() >= len(told.others)
        and all(told.view.could_hold(seat).mask & told.suit for seat in told.others)
    ),
    Reason.TRAP: lambda told: (
        told.leads and bool(told.bit & QUEENS) and told.worth > 0 and _has_only_higher(told)
    ),
    Reason.CATCH_QUEEN: lambda told: (
        told.leads
        and bool(told.bit & SPADES)
        and any(told.deal.hands[seat] & QUEENS for seat in told.others)
        and not any(told.deal.hands[seat] & SPADES & ~QUEENS for seat in told.others)
    ),
    Reason.KEEP_QUEEN: lambda told: bool(told.legal & QUEENS and not told.bit & QUEENS),
    Reason.SPARE_QUEEN: lambda told: (
        bool(told.legal & QUEENS and not told.bit & QUEENS and told.unseen & ABOVE[QUEEN.bit])
        and _may_shoot(told)
    ),
    Reason.KEEP_COVER: _keeps_cover,
    Reason.KEEP_ENTRY: lambda told: (
        not told.legal & BELOW[told.bit]
        and bool(told.grounds.entry & ABOVE[told.bit])
        and _keeps_high(told, told.grounds.entry)
    ),
    Reason.KEEP_EXIT: lambda told: (
        bool(told.grounds.kept_exits)
        and not told.grounds.kept_exits & (told.bit | ~told.legal)
        and all(
            _has_only_higher(told._replace(card=card)) for card in cards_in(told.grounds.kept_exits)
        )
    ),
    Reason.BURDEN_LEADER: _burdens_leader,
    Reason.JUST_ENOUGH: lambda told: told.on_top and bool(told.legal & ABOVE[told.bit]),
    Reason.NEARLY_VOID: lambda told: (told.hand & told.suit & ~told.bit).bit_count() == 1,
    Reason.KEEP_HIGH: lambda told: told.worth <= 0 and not told.sure and _may_shoot(told),
    Reason.KEEP_POINTS: lambda told: (
        told.worth <= 0 and bool(told.legal & told.rules.penalty_mask) and _may_shoot(told)
    ),
    Reason.SURE_MOON: lambda told: told.sure and _may_shoot(told),
    Reason.CLEAR_SUIT: lambda told: (
        told.leads and told.sure and bool(told.hand & told.suit & ~told.bit) and _may_shoot(told)
    ),
    Reason.RUN_SUIT: lambda told: (
        told.leads and bool(told.hand & told.suit & ~told.bit) and _may_shoot(told)
    ),
    Reason.MAKE_WAY: lambda told: told.leads and _can_be_beaten(told) and _may_shoot(told),
    Reason.HARMLESS: lambda told: told.leads and told.worth <= 0 and _may_shoot(told),
    Reason.DRIVE_COVER: lambda told: (
        told.leads
        and bool(told.bit & SPADES & ~QUEENS and told.hand & QUEENS)
        and bool(told.unseen & ABOVE[QUEEN.bit] & ABOVE[told.bit])
    ),
    Reason.TAKE_QUEEN: lambda told: (
        bool(told.bit & QUEENS) and told.worth > 0 and told.on_top and _may_shoot(told)
    ),
    Reason.DRAW_HEARTS: lambda told: (
        told.leads and bool(told.bit & HEARTS and told.unseen & HEARTS) and _may_shoot(told)
    ),
    Reason.COMPLETE_MOON: _completes,
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
        and all(
            told.grounds.like(card.bit)
            for card in cards_in(told.legal & ABOVE[told.bit] & BELOW[told.winning])
        )
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
    Reason.DROP_COVER: lambda told: bool(told.bit & ABOVE[QUEEN.bit]) and told.may_hold(QUEENS),
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
"""By reason to play a card, the condition under which it may be given."""


@given(any_rulesets(), seeds)
def test_a_reason_to_play_any_card_holds(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 4):
        if moment.state.phase is Phase.PLAYING:
            for card in moment.view.legal:
                for reason in holding(moment.view, Play(moment.seat, card)):
                    event(reason)
                    assert HOLDS[reason](Told(moment.state, card)), (card, reason)


BESIDE: Final[dict[Reason, Callable[[Told, Told], bool]]] = {
    Reason.SAFER: lambda told, other: other.on_top,
    Reason.SURER: lambda told, other: told.on_top and not other.sure,
    Reason.CHEAPER: lambda told, other: other.on_top,
    Reason.HEAVIER: lambda told, other: told.grounds.relief > other.grounds.relief,
}
"""By reason, the condition between a card and each of the costlier ones beside it."""


@given(any_rulesets(), seeds)
def test_a_reason_sets_the_card_apart_from_what_costs_more(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 4):
        if moment.state.phase is Phase.PLAYING:
            view, draws = moment.view, random.Random(seed)
            card, *others = draws.sample(list(view.legal), len(view.legal))
            dear = [Play(moment.seat, each) for each in others[: draws.randrange(4)]]
            reasons = reasons_of(view, Play(moment.seat, card), dear)
            for reason in reasons:
                event(reason)
            for each in dear if reasons != (Reason.PLAYED_OUT,) else ():
                told = Told(moment.state, card)
                assert not set(reasons) <= set(holding(view, each)), (card, each, reasons)
                if reasons[0] in BESIDE:
                    assert BESIDE[reasons[0]](told, told._replace(card=each.card))


@given(any_rulesets(), seeds)
def test_a_reason_to_pass_any_cards_holds(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 4):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            some = legal_actions(moment.state, moment.seat)[:20]
            for action in some:
                assert isinstance(action, Pass)
                for reason in holding(view, action):
                    event(reason)
                    assert PASSES[reason](view, mask_of(action.cards)), (action.cards, reason)
            first, *others = [action for action in some if isinstance(action, Pass)]
            reasons = reasons_of(view, first, others[-2:])
            for each in others[-2:] if reasons != (Reason.PLAYED_OUT,) else ():
                assert not said(view, first, reasons) <= said(view, each, holding(view, each))


def said(view: View, action: Play | Pass, reasons: Iterable[Reason]) -> set[str]:
    """Return the sentences that give those reasons for an action."""
    return {why(LANGUAGE, view, action, [reason]) for reason in reasons}


def _are_heaviest(view: View, given: int) -> bool:
    heavier = burdens(view)[: given.bit_count() + 2]
    return not given & ~mask_of(heavier)


DEAR_SPADES: Final = QUEENS | ABOVE[QUEEN.bit]

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
    Reason.PASS_LOWEST: lambda view, given: all(
        _tops(card, given, 0) for card in cards_in(view.hand.mask & ~given)
    ),
    Reason.PASS_HIGHEST: lambda view, given: all(
        _tops(card, view.hand.mask & ~given, 0) for card in cards_in(given)
    ),
    Reason.PASS_SPADES: lambda view, given: (
        bool(given & DEAR_SPADES) and not view.hand.mask & ~given & ABOVE[QUEEN.bit]
    ),
    Reason.PASS_NEARLY: lambda view, given: any(
        (view.hand.mask & suit & ~given).bit_count() == 1 for suit in SUIT_MASKS if suit & given
    ),
    Reason.PASS_TOPS: lambda view, given: all(
        _tops(card, view.hand.mask & ~given & SUIT_OF[card.bit], 0) for card in cards_in(given)
    ),
    Reason.GUARD: lambda view, given: (
        not given & SPADES & BELOW[QUEEN.bit] and bool(view.hand.mask & ~given & DEAR_SPADES)
    ),
    Reason.KEEP_TOP_HEART: lambda view, given: any(
        card.bit & HEARTS and not view.unseen & ABOVE[card.bit]
        for card in cards_in(view.hand.mask & ~given)
    ),
    Reason.KEEP_HEARTS: lambda view, given: bool(view.hand.mask & HEARTS) and not given & HEARTS,
    Reason.KEEP_COVER: lambda view, given: any(
        (view.hand.mask & suit & ~given).bit_count() == 2 for suit in SUIT_MASKS if suit & given
    ),
    Reason.KEEP_SUIT: lambda view, given: any(
        sum((card.rank or 0) < Rank.TEN for card in view.hand.of(suit)) >= 2
        and any((card.rank or 0) > Rank.TEN for card in view.hand.of(suit))
        for suit in Suit
        if not given & SUIT_MASKS[suit]
    ),
    Reason.PASS_CLEARED: lambda view, given: all(
        (card.rank or 0) > Rank.TEN
        for card in cards_in(view.hand.mask & ~given)
        if given & SUIT_OF[card.bit]
    ),
    Reason.PLAYED_OUT: lambda view, given: True,
}


def _tops(card: Card, given: int, by: int = 1) -> bool:
    return all((card.rank or 0) >= (other.rank or 0) + by for other in cards_in(given))


def test_every_reason_has_its_truth() -> None:
    told = {*HOLDS, *PASSES, *BESIDE, Reason.ALIKE, Reason.ROUGHLY}
    told |= {Reason.PASS_HEAVIER, Reason.PASS_MOON}
    assert told == set(Reason)


# Positions that anybody can go through


@pytest.mark.parametrize("text", stanzas(__file__, "advice.txt"))
def test_what_is_advised_and_why(text: str) -> None:
    """Each position lists the advice of `casual`, and reasons for some cards."""
    stanza = read_stanza(text)
    for line in stanza.lines:
        check = check_pass if stanza.state.phase is Phase.PASSING else check_play
        check(stanza.state, line)


def check_pass(state: MatchState, line: str) -> None:
    view = view_of(state, 0)
    advice = hint(view)
    assert isinstance(advice.action, Pass)
    given = CardSet(advice.action.cards)
    assert QUEEN in given or advice.reason is not Reason.PASS_QUEEN
    match line.split():
        case ["gives", *cards]:
            assert CardSet(" ".join(cards)) <= given
        case ["keeps", *cards]:
            assert not CardSet(" ".join(cards)) & given
        case ["why", *words, expected]:
            first, *dear = [Pass(0, read_cards(each)) for each in " ".join(words).split(" beside ")]
            assert reason_of(view, first, dear) == expected
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
