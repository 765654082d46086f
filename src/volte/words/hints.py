"""Advice in words."""

from __future__ import annotations

from typing import Final

from volte.bots import Hint, Reason
from volte.game import ChooseMoon, Pass
from volte.rules import Direction
from volte.view import View
from volte.words.language import N_, Language
from volte.words.moon_choice import moon_choices
from volte.words.telling import received, scattered, told_order


def hint_sentence(language: Language, hint: Hint, view: View | None = None) -> str:
    """See `Words.hint`."""
    action = hint.action
    if isinstance(action, Pass):
        text = _pass(language, action, view)
    else:
        text = language.t("Play {card:the}", card=action.card)
    return language.t("{advice}: {reason}.", advice=text, reason=language.t(REASONS[hint.reason]))


def _pass(language: Language, action: Pass, view: View | None) -> str:
    if view is None or view.deal.direction is not Direction.SCATTER:
        return language.t("Pass {cards:the}", cards=told_order(action.cards))
    players = view.state.players
    gifts = scattered(action.seat, action.cards, len(players))
    return language.t("Pass {gifts}", gifts=received(language, players, gifts))


def moon_hint(language: Language, view: View, choice: ChooseMoon) -> str:
    """Advice on how a moon should count (W7), and what that does."""
    minus, plus = moon_choices(language, view)
    return language.t("Better: {choice}", choice=minus if choice.minus else plus)


REASONS: Final = {
    Reason.FORCED: N_("no other card may be played"),
    Reason.LOW_LEAD: N_("somebody else will probably take this trick"),
    Reason.SAFE_LEAD: N_("taking this trick will probably cost little"),
    Reason.JOKER_LEAD: N_("it gives the lead away"),
    Reason.FLUSH_QUEEN: N_("a low card may drive a dear one out of another hand"),
    Reason.DUCK: N_("it stays under the card that wins"),
    Reason.SAFE_TAKE: N_("there is nothing to pay, a good time for a high card"),
    Reason.SHED_HIGH: N_("it is high, and would take points later"),
    Reason.TAKE_HIGH: N_("the trick cannot be avoided, so a high card may as well go"),
    Reason.TAKE_BONUS: N_("it takes a card that counts below zero"),
    Reason.DUMP_QUEEN: N_("the queen of spades goes to somebody else"),
    Reason.DUMP_POINTS: N_("its points go to somebody else"),
    Reason.VOID_SUIT: N_("it is the last of its suit, which leaves you free to discard"),
    Reason.STOP_MOON: N_("somebody may be shooting the moon, and must be stopped"),
    Reason.SHOOT_MOON: N_("this hand can take everything"),
    Reason.PASS_DANGER: N_("these are the cards most likely to take points"),
    Reason.PASS_QUEEN: N_("the queen of spades and the cards most likely to take points"),
}
