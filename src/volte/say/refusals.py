"""Why an action is refused: the rule in plain words, and what would be legal."""

from __future__ import annotations

from typing import Final

from volte.cards import Card, Suit
from volte.game import Refusal
from volte.referee import RefereedMatch
from volte.rules import Direction
from volte.say.language import N_, Language
from volte.say.table_refusals import AT_TABLES
from volte.say.telling import told_order
from volte.view import View


def refusal_sentence(language: Language, refusal: Refusal, view: View | None = None) -> str:
    """See `Words.refusal`."""
    text = rule_broken(language, refusal, view)
    whole_hand = refusal.clause == "P1" or _anything_goes(refusal, view)
    if refusal.legal and not whole_hand:
        cards = told_order(refusal.legal)
        text += " " + language.t("You may play {cards:or}.", cards=cards)
    return text


def _anything_goes(refusal: Refusal, view: View | None) -> bool:
    """Whether any card of the hand could be played: a referee does not say which (I3)."""
    refereed = view is not None and isinstance(view.state, RefereedMatch)
    return refereed and refusal.reason == "not_in_hand"


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
        case "not_turned_down" | "not_yours_to_turn_down" | "not_yours_to_cut" | "moon_not_chosen":
            return _somebody_elses(language, refusal, view)
        case "pass_count" if view is not None and view.deal.direction is Direction.SCATTER:
            scatter = N_("Give {count} cards, one to each of the others in turn, not {given}.")
            return language.t(scatter, **params)
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


_SUITS: Final = {suit.letter: suit for suit in Suit}


def _breach(language: Language, refusal: Refusal) -> str:
    led = str(refusal.params["led"])
    return duty(language, refusal.clause, _SUITS.get(led), refusal.params.get("trick"))


def duty(language: Language, clause: str, suit: Suit | None = None, trick: object = None) -> str:
    """What that clause asks of a play, the suit having been led."""
    return language.t(BREACHES[clause], suit="" if suit is None else suit, trick=trick)


def _not_your_turn(language: Language, turn: int, view: View | None) -> str:
    if view is None:
        return language.t("It is the turn of seat {seat}.", seat=turn + 1)
    return language.t("It is {player:of} turn.", player=view.state.players[turn])


def _somebody_elses(language: Language, refusal: Refusal, view: View | None) -> str:
    """An act of a refereed table that is for one seat alone (I4, I6)."""
    turn = int(refusal.params["turn"])
    if view is None:
        return language.t(OF_A_SEAT[refusal.reason], seat=turn + 1)
    return language.t(OF_A_PLAYER[refusal.reason], player=view.state.players[turn])


BREACHES: Final = {
    "L2": N_("The lowest club opens the deal."),
    "W2": N_("A club opens the deal."),
    "W3": N_("The queen of spades may not be led or discarded before hearts are broken."),
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
    "no_moon_to_choose": N_("You have no moon to count now."),
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
    # Refereed tables
    "no_referee": N_("This table has no referee: what is not allowed is refused at once."),
    "already_played": N_("Your card lies on the table already."),
    "trick_not_full": N_("The trick is not full yet: it is turned down once everybody has played."),
    "nothing_to_put_right": N_("You have no revoke to put right in this trick."),
    "own_card": N_("You cannot object to your own card; a revoke of yours you can take back."),
    "no_card_there": N_("That player has no card on the table."),
    "too_late_to_claim": N_("No revoke can be claimed now: the cards are cut, or not dealt yet."),
    "too_few_tricks": N_(
        "Whoever has taken fewer than {count} tricks in this deal cannot have mixed them."
    ),
    "no_such_trick": N_("There has been no trick {trick} in this deal."),
    "not_yet_turned_down": N_(
        "Trick {trick} is not turned down yet: object to the card, or put your own right."
    ),
    "nothing_to_cut": N_("No cards are to be cut now."),
    "nothing_to_accept": N_("No scores are to be accepted now."),
    "already_accepted": N_("You have accepted the scores already."),
    "too_late_for_a_misdeal": N_("A misdeal can be declared only before the first card is played."),
    "no_claims_here": N_("With a referee every card is played: the rest cannot be claimed."),
    "no_undo_here": N_(
        "At a table with a referee no card is taken back at will: only a revoke can be put right,"
        " until the trick is turned down."
    ),
}
"""Everything else that can be refused, except what `rule_broken` sees to."""

OF_A_PLAYER: Final = {
    "not_turned_down": N_("{player} is to turn the trick down first."),
    "not_yours_to_turn_down": N_("It is for {player} to turn the trick down."),
    "not_yours_to_cut": N_("It is for {player} to cut."),
    "moon_not_chosen": N_("{player} is to choose first how the moon counts."),
}
"""What one player alone may do, told to another."""

OF_A_SEAT: Final = {
    "not_turned_down": N_("Seat {seat} is to turn the trick down first."),
    "not_yours_to_turn_down": N_("It is for seat {seat} to turn the trick down."),
    "not_yours_to_cut": N_("It is for seat {seat} to cut."),
    "moon_not_chosen": N_("Seat {seat} is to choose first how the moon counts."),
}
"""The same to somebody who reads a record."""
