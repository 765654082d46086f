"""Advice in words."""

from __future__ import annotations

from typing import Final

from volte.bots import Hint, Reason
from volte.game import ChooseMoon, Pass
from volte.rules import Direction
from volte.say.hint_costs import costs
from volte.say.language import N_, Language
from volte.say.moon_choice import moon_choices
from volte.say.telling import received, scattered, told_order
from volte.view import View


def hint_sentence(language: Language, hint: Hint, view: View | None = None) -> str:
    """See `Words.hint`."""
    action = hint.action
    if isinstance(action, Pass):
        text = _pass(language, action, view)
    else:
        text = language.t("Play {card:the}", card=action.card)
    advice = language.t("{advice}: {reason}.", advice=text, reason=language.t(REASONS[hint.reason]))
    if hint.reason is Reason.ALIKE:
        return advice
    return " ".join([advice, *costs(language, hint)])


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
    Reason.ALIKE: N_("the cards that you may play are all worth the same here"),
    Reason.LOW_LEAD: N_("somebody else will probably take this trick"),
    Reason.SAFE_LEAD: N_("taking this trick will probably cost little"),
    Reason.SAFE_EXIT: N_(
        "the others only have higher cards of its suit, so somebody else takes the trick"
    ),
    Reason.JOKER_LEAD: N_("it gives the lead away"),
    Reason.FLUSH_QUEEN: N_("a spade below the queen may drive her out of another hand"),
    Reason.GUARD: N_("your low spades stay to protect the high ones"),
    Reason.DUCK: N_("it stays under the card that wins"),
    Reason.HIGHEST_UNDER: N_(
        "it is the highest that stays under the card that wins, and the lower ones may be needed"
        " later"
    ),
    Reason.CANCEL: N_("it cancels its equal, and neither takes the trick"),
    Reason.LEAVE_KITTY: N_("it leaves the kitty, which comes with this trick, to somebody else"),
    Reason.SAFE_TAKE: N_("you play last, and the trick costs nothing"),
    Reason.SHED_HIGH: N_("it is high, and might take points later"),
    Reason.TAKE_HIGH: N_("the trick can hardly be avoided, so a high card may as well go"),
    Reason.TAKE_ANY: N_("the trick is yours whichever card you play"),
    Reason.LOWEST: N_("it is the lowest you may play, and somebody may still go over it"),
    Reason.TAKE_BONUS: N_("there is a card to be had that counts below zero"),
    Reason.DUMP_QUEEN: N_("the queen of spades goes to somebody else"),
    Reason.DUMP_POINTS: N_("its points go to somebody else"),
    Reason.DROP_COVER: N_("later it might have to take the queen of spades"),
    Reason.VOID_SUIT: N_("it is the last of its suit, which leaves you free to discard"),
    Reason.STOP_MOON: N_("somebody may be shooting the moon, and this may stop it"),
    Reason.NO_POINT: N_("somebody may be shooting the moon, and gets no points from you here"),
    Reason.KEEP_STOPPER: N_("somebody may be shooting the moon, and you keep a card to stop it"),
    Reason.SHOOT_MOON: N_("this hand can take everything"),
    Reason.TRY_MOON: N_("nobody else has any points yet, and this hand may take everything"),
    Reason.GO_ON_MOON: N_("all the points so far are yours, and the moon is within reach"),
    Reason.PASS_DANGER: N_("these are the cards most likely to take points"),
    Reason.PASS_QUEEN: N_("the queen of spades and the cards most likely to take points"),
    Reason.PASS_VOID: N_("one of your suits is emptied, and you may be able to discard"),
    Reason.PASS_LOW: N_("the high cards stay, in case they can take everything"),
    Reason.ROUGHLY: N_("by a rough count nothing else costs less"),
    Reason.PLAYED_OUT: N_("nothing else comes out better when the deal is played out many times"),
}
