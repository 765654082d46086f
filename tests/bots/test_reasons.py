"""Reasons for a card or a pass: those of known positions, and true ones in any position."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from hypothesis import event, given
from kit import after, any_rulesets, deal_of, seeds, view_of
from kit.bots import choices
from kit.stanzas import read_stanza, stanzas

from volte.bots import Reason, hint
from volte.bots.grounds import Grounds
from volte.bots.odds import ABOVE, BELOW, TWIN, winning_place
from volte.bots.queen import kept_queen
from volte.bots.reasons import holding, reason_of, reasons_of
from volte.cards import QUEEN, QUEENS, SPADES, Card, CardSet, cards_in, mask_of, read_cards
from volte.game import DealState, MatchState, Pass, Phase, Play, TrickTaken, decide, legal_actions
from volte.rules import Ruleset
from volte.say.hints import why
from volte.say.language import Language
from volte.view import View

LANGUAGE: Final = Language("en")


class Choice(NamedTuple):
    """A legal card, and the state in which it is played, with all hands."""

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
    def bit(self) -> int:
        return self.card.bit

    @property
    def worth(self) -> int:
        """The points of the card."""
        return self.rules.values.get(self.card, 0)

    @property
    def legal(self) -> list[Choice]:
        """Every card that may be played instead, this one among them."""
        return [self._replace(card=card) for card in view_of(self.state, self.seat).legal]

    @property
    def hands_of_others(self) -> list[int]:
        return [hand for seat, hand in enumerate(self.deal.hands) if seat != self.seat]

    @property
    def winning(self) -> int:
        """The bit of the card that wins so far; 0 where none does."""
        place = winning_place(self.deal.trick, self.deal.led)
        return 0 if place < 0 else self.deal.trick[place].bit

    @property
    def on_top(self) -> bool:
        """Whether the card wins the trick as it then lies."""
        if self.deal.led is None:
            return self.card.suit is not None
        follows = self.card.suit is self.deal.led
        return follows and (not self.winning or bool(ABOVE[self.winning] & self.bit))

    @property
    def sure(self) -> bool:
        """Whether the card wins, and no later seat holds one that beats it."""
        beating = ABOVE[self.bit] | TWIN[self.bit]
        return self.on_top and not any(hand & beating for hand in self._later_hands)

    @property
    def decided(self) -> bool:
        """Whether the card that wins so far takes the trick."""
        return not self.on_top and not any(hand & ABOVE[self.winning] for hand in self._later_hands)

    @property
    def _later_hands(self) -> list[int]:
        players = self.rules.players
        later = range(self.seat + 1, self.seat + players - len(self.deal.trick))
        return [self.deal.hands[seat % players] for seat in later]

    @property
    def taker(self) -> int | None:
        """Seat that takes the trick, if this card ends it."""
        outcome = decide(self.state, Play(self.seat, self.card))
        assert isinstance(outcome, tuple)
        return next((each.seat for each in outcome if isinstance(each, TrickTaken)), None)

    @property
    def only_higher(self) -> bool:
        """Whether others hold cards of its suit, and every one of them beats it."""
        hands = [hand & (ABOVE[self.bit] | BELOW[self.bit]) for hand in self.hands_of_others]
        return any(hands) and not any(hand & BELOW[self.bit] for hand in hands)

    @property
    def clean_take(self) -> bool:
        """Whether the card takes the trick at once, and no penalty card comes with it."""
        then = deal_of(after(self.state, Play(self.seat, self.card)))
        brought = then.taken[self.seat] & ~self.deal.taken[self.seat]
        return self.taker == self.seat and not brought & self.rules.penalty_mask

    @property
    def given_away(self) -> bool:
        """Whether the card costs points, which go or may go to an opponent."""
        costs = self.worth > 0 and not self.on_top
        return costs and self.taker not in self.rules.side(self.seat)

    @property
    def completes_moon(self) -> bool:
        """Whether nothing is left that counts once the trick, which is sure, is taken."""
        foes = [
            taken
            for seat, taken in enumerate(self.deal.taken)
            if seat not in self.rules.side(self.seat)
        ]
        left = 0 if self.deal.kitty_taker == self.seat else self.deal.kitty
        for hand in self.deal.hands:
            left |= hand
        return self.sure and not any(
            cards & self.rules.penalty_mask for cards in (*foes, left & ~self.bit)
        )

    @property
    def burdens_leader(self) -> bool:
        """Whether points go, for certain, to the only one with the fewest in the match."""
        totals = self.state.totals
        place = winning_place(self.deal.trick, self.deal.led)
        winner = (self.deal.leader + place) % self.rules.players
        alone = [seat for seat, total in enumerate(totals) if total == min(totals)] == [winner]
        points = self.rules.points_in(mask_of(self.deal.trick) | self.deal.held)
        return self.decided and alone and points + max(0, self.worth) > 0


FACTS: Final[dict[Reason, Callable[[Choice], bool]]] = {
    Reason.TRAP: lambda choice: bool(choice.bit & QUEENS) and choice.only_higher,
    Reason.SAFE_EXIT: lambda choice: choice.only_higher,
    Reason.KEEP_EXIT: lambda choice: all(
        choice._replace(card=card).only_higher
        for card in cards_in(Grounds(view_of(choice.state, choice.seat), choice.bit).kept_exits)
    ),
    Reason.CATCH_QUEEN: lambda choice: (
        bool(choice.bit & SPADES)
        and any(hand & QUEENS for hand in choice.hands_of_others)
        and not any(hand & SPADES & ~QUEENS for hand in choice.hands_of_others)
    ),
    Reason.SAFE_TAKE: lambda choice: choice.clean_take,
    Reason.DUMP_QUEEN: lambda choice: bool(choice.bit & QUEENS) and choice.given_away,
    Reason.DUMP_POINTS: lambda choice: choice.given_away,
    Reason.BURDEN_LEADER: lambda choice: choice.burdens_leader,
    Reason.COMPLETE_MOON: lambda choice: choice.completes_moon,
    Reason.SURE_MOON: lambda choice: choice.sure,
    Reason.CLEAR_SUIT: lambda choice: choice.sure,
    Reason.KEEP_HIGH: lambda choice: not choice.sure,
    Reason.TAKE_ANY: lambda choice: all(each.on_top for each in choice.legal),
    Reason.TAKE_HIGH: lambda choice: all(each.on_top for each in choice.legal),
    Reason.JUST_ENOUGH: lambda choice: choice.on_top,
    Reason.TAKE_BONUS: lambda choice: choice.on_top,
    Reason.LOWEST: lambda choice: choice.on_top,
    Reason.DUCK: lambda choice: bool(BELOW[choice.winning] & choice.bit),
    Reason.HIGHEST_UNDER: lambda choice: bool(BELOW[choice.winning] & choice.bit),
    Reason.CANCEL: lambda choice: TWIN[choice.bit] == choice.winning,
    Reason.SPARE_QUEEN: lambda choice: not choice.bit & QUEENS,
    Reason.LEAVE_KITTY: lambda choice: not choice.on_top and choice.deal.kitty_taker is None,
}
"""By reason, a fact that its sentence states, by all hands and the rules of the trick."""

BESIDE: Final[dict[Reason, Callable[[Choice, Choice], bool]]] = {
    Reason.SAFER: lambda choice, other: other.on_top,
    Reason.SURER: lambda choice, other: choice.on_top and not other.sure,
    Reason.CHEAPER: lambda choice, other: other.on_top,
}
"""By reason, a fact about the card and each of the costlier ones beside it."""


@given(any_rulesets(), seeds)
def test_a_reason_to_play_any_card_states_a_fact(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 4):
        if moment.state.phase is Phase.PLAYING:
            for card in moment.view.legal:
                for reason in FACTS.keys() & holding(moment.view, Play(moment.seat, card)).keys():
                    event(reason)
                    assert FACTS[reason](Choice(moment.state, card)), (card, reason)


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
                choice = Choice(moment.state, card)
                assert not set(reasons) <= set(holding(view, each)), (card, each, reasons)
                if reasons[0] in BESIDE:
                    assert BESIDE[reasons[0]](choice, choice._replace(card=each.card))


@given(any_rulesets(), seeds)
def test_a_reason_sets_the_pass_apart_from_what_costs_more(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 4):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            some = legal_actions(moment.state, moment.seat)[:20]
            first, *others = [action for action in some if isinstance(action, Pass)]
            reasons = reasons_of(view, first, others[-2:])
            for each in others[-2:] if reasons != (Reason.PLAYED_OUT,) else ():
                assert not said(view, first, reasons) <= said(view, each, holding(view, each))


def said(view: View, action: Play | Pass, reasons: Iterable[Reason]) -> set[str]:
    """Return the sentences that give those reasons for an action."""
    return {why(LANGUAGE, view, action, [reason]) for reason in reasons}


# Positions that anybody can go through


def test_every_reason_is_shown_in_a_position() -> None:
    """Those left out belong to searches and to sums, to later deals, or to longer positions."""
    left_out = {Reason.ROUGHLY, Reason.BURDEN_LEADER}
    left_out |= {Reason.PASS_MOON, Reason.SPARE_QUEEN}
    left_out |= {Reason.MOON_CHANCE, Reason.MOON_OPEN, Reason.QUEEN_BEHIND}
    text = Path(__file__).with_name("advice.txt").read_text(encoding="utf-8")
    shown = set(re.findall(r"^(?:plays|why|holds)(?!.* not ).* ([a-z_]+)$", text, re.MULTILINE))
    assert shown == {*Reason} - left_out


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
        case ["holds", *cards, expected]:
            instead = Pass(0, read_cards(" ".join(cards)))
            assert str(kept_queen(view, instead, reasons_of(view, instead))) == expected
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
        case ["holds", named, expected]:
            instead = Play(view.deal.turn, Card(named))
            assert str(kept_queen(view, instead, reasons_of(view, instead))) == expected
        case ["why", named, "not", expected]:
            assert reason_of(view, Play(deal_of(state).turn, Card(named))) != expected
        case ["why", named, *beside, expected]:
            play, *dear = [Play(view.deal.turn, Card(each)) for each in (named, *beside[1:])]
            assert reason_of(view, play, dear) == expected
        case _:
            raise ValueError(line)
