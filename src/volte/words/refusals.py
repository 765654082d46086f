"""Why an action is refused: the rule in plain words, and what would be legal."""

from __future__ import annotations

from typing import Final

from volte.cards import Card, Suit
from volte.game import Refusal
from volte.view import View
from volte.words.language import N_, Language
from volte.words.table_refusals import AT_TABLES
from volte.words.telling import told_order


def refusal_sentence(language: Language, refusal: Refusal, view: View | None = None) -> str:
    """See `Words.refusal`."""
    text = rule_broken(language, refusal, view)
    if refusal.legal and refusal.clause != "P1":  # for a pass, that is the whole hand
        cards = told_order(refusal.legal)
        text += " " + language.t("You may play {cards:or}.", cards=cards)
    return text


def rule_broken(language: Language, refusal: Refusal, view: View | None = None) -> str:
    """The rule alone, also for somebody who reads a record: seats have numbers there."""
    params = refusal.params
    match refusal.reason:
        case "breach":
            return _breach(language, refusal)
        case "not_in_hand":
            card = Card(str(params["card"]))
            if view is None:
                return language.t("The hand does not hold {card:the}.", card=card)
            return language.t("You do not hold {card:the}.", card=card)
        case "not_your_turn":
            return _not_your_turn(language, int(params["turn"]), view)
        case "pass_count":
            return language.n(
                "Exactly {count} card must be passed, not {given}.",
                "Exactly {count} cards must be passed, not {given}.",
                int(params["count"]),
                given=params["given"],
            )
        case "no_such_seat":
            return language.t("There is no seat {seat}.", seat=int(params["seat"]) + 1)
    message = REFUSALS.get(refusal.reason) or AT_TABLES[refusal.reason]
    return language.t(message, **params)


def _breach(language: Language, refusal: Refusal) -> str:
    message = BREACHES[refusal.clause]
    led = str(refusal.params["led"])
    suits = [suit for suit in Suit if suit.letter == led]
    return language.t(message, suit=suits[0] if suits else "", trick=refusal.params.get("trick"))


def _not_your_turn(language: Language, turn: int, view: View | None) -> str:
    if view is None:
        return language.t("It is the turn of seat {seat}.", seat=turn + 1)
    return language.t("It is {player:of} turn.", player=view.state.players[turn])


BREACHES: Final = {
    "L2": N_("The lowest club opens the deal."),
    "T1": N_("The suit led must be followed: {suit}."),
    "T3": N_("No penalty card may be discarded on the first trick."),
    "T4": N_("Hearts may not be led before they are broken."),
    "T5": N_("The queen of spades must go at the first chance."),
    "T6": N_("The queen of spades may not be discarded at the first chance."),
    "T7": N_("No heart may be played before trick {trick}."),
}
"""By clause, the duties that a play can break."""

REFUSALS: Final = {
    "not_playing_now": N_("Nobody is to play a card now."),
    "claim_not_proved": N_("The rest could still change a score: it must be played."),
    "not_passing_now": N_("No cards are passed now."),
    "already_passed": N_("These cards are passed already; they can be taken back first."),
    "no_pass_to_take_back": N_("No pass can be taken back now."),
    "nothing_to_undo": N_("No card can be taken back now."),
    "no_undo_asked": N_("Nobody has asked to take a card back."),
    "not_yours_to_allow": N_("Somebody else has to allow this."),
    "no_lots_due": N_("No lots are to be drawn now."),
    "lots_not_lawful": N_("These lots are not drawn as they must be."),
    "not_dealing_now": N_("No cards are to be dealt now."),
    "not_the_deck": N_("These are not the cards of this deck."),
    "no_commitment_due": N_("No shuffle is to be sealed now."),
    "no_promise_due": N_("Nothing can be promised for the shuffle now."),
    "not_a_digest": N_("This is no seal: a seal has 32 bytes."),
    "promises_missing": N_("Nothing is added to the shuffle until everybody has promised a share."),
    "promise_broken": N_("This is not the share that was promised for the shuffle."),
    "contribution_too_long": N_("At most {most} bytes can be added to the shuffle."),
    "not_a_secret": N_("This is no secret of a shuffle: one has 32 bytes."),
    "no_contribution_due": N_("Nothing can be added to the shuffle now."),
    "nothing_to_reveal": N_("No secret is to be told now."),
    "too_soon_to_reveal": N_("The secret may not be told before the next cut."),
}
"""Everything else that can be refused, except what `rule_broken` sees to."""
