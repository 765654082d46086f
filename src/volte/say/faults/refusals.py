"""Why an action is refused: the rule in plain words, and what would be legal."""

from __future__ import annotations

from typing import Final

from volte.cards import Card, Suit
from volte.game import Refusal
from volte.referee import RefereedMatch
from volte.rules import Direction
from volte.say.language import N_, Language
from volte.say.telling import spoken_order
from volte.view import View


def refusal_sentence(language: Language, refusal: Refusal, view: View | None = None) -> str:
    """See `Words.refusal`."""
    text = rule_broken(language, refusal, view)
    # A referee does not say which cards could be played: any card of the hand may be (I3).
    refereed = view is not None and isinstance(view.state, RefereedMatch)
    whole_hand = refusal.clause == "P1" or (refereed and refusal.reason == "not_in_hand")
    if refusal.legal and not whole_hand:
        cards = spoken_order(refusal.legal)
        text += " " + language.t("You may play {cards:or}.", cards=cards)
    return text


def rule_broken(language: Language, refusal: Refusal, view: View | None = None) -> str:
    """The rule alone, also for somebody who reads a record: seats have numbers there."""
    params = refusal.params
    match refusal.reason:
        case "breach":
            suit = _SUITS.get(str(params["led"]))
            return duty(language, refusal.clause, suit, params.get("trick"))
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

NAMING: Final = {
    "bad_name": N_(
        "A name has 1 to {most} letters or other signs, on one line, and at least one that can be"
        " seen."
    ),
    "bad_sign": N_("The sign {sign} cannot be shown here: leave it out."),
}
"""What is wrong with a name."""

EVENING_FAULTS: Final = {
    "bad_evening_name": N_("The name of an evening has 1 to {most} signs, on one line."),
    "rounds_out_of_range": N_("An evening has 1 to {most} rounds."),
    "deals_out_of_range": N_("A round has 1 to {most} deals, the same number at every table."),
    "rules_not_for_evenings": N_(
        "At an evening every table plays the same number of deals, without a referee: choose"
        " another game."
    ),
    "break_out_of_range": N_("The break between two rounds has 0 to {most} minutes."),
    "evening_by_hand": N_("Only an evening itself opens its tables: leave the evening out."),
}
"""By reason, what is wrong with the plan of an evening."""

SETUP: Final = {
    **EVENING_FAULTS,
    **NAMING,
    "bad_table_name": N_("The name of a table has 1 to {most} signs, on one line."),
    "clock_out_of_range": N_(
        "A clock gives {least} to {most} seconds for a choice; 0 is for no clock."
    ),
    "grace_out_of_range": N_("A seat is kept for 0 to {most} seconds when a connection is lost."),
    "rules_without_options": N_("Those rules cannot be told in options, as every record does."),
    "rated_with_hints": N_("At a rated table nobody is given hints: do without them."),
    "rated_with_own_rules": N_(
        "A rated match goes by the rules of one of the games as they stand: take those, or play it"
        " without rating."
    ),
}
"""What is wrong with how a table is set up."""

AT_EVENINGS: Final = {
    "evening_begun": N_("The evening has begun: it can be changed no more."),
    "evening_full": N_("There is no room for more people at this evening."),
    "evening_over": N_("This evening is over."),
    "round_goes_on": N_("This round is still being played."),
    "too_few_people": N_(
        "At least {least} people have to come, so that there is something to compare."
    ),
    "no_round_now": N_("No round is being played now: you play from the next one."),
    "has_a_seat": N_("You have a seat in this round already: go to your table."),
    "no_bot_there": N_(
        "No bot has a seat that you could take for another whole deal: you play from the next"
        " round."
    ),
}
"""By reason, why something is not done to an evening."""

AT_TABLES: Final = {
    **SETUP,
    **AT_EVENINGS,
    # Who may
    "closed": N_("This table is closed."),
    "barred": N_("You cannot come back to this table."),
    "not_host": N_("Only the host may do that."),
    "not_seated": N_("That is for those who have a seat: sit down first."),
    "already_seated": N_("You have a seat here already: give it up first."),
    # Seats
    "seat_taken": N_("Somebody sits there already."),
    "seats_taken": N_("Somebody sits at a seat that would go: have it freed first."),
    "seat_free": N_("Nobody sits there."),
    "no_person_there": N_("No person sits there."),
    "own_seat": N_("That is your own seat."),
    "same_seat": N_("Name two different seats."),
    "not_your_seat": N_("That is not your seat."),
    "seen_other_hand": N_(
        "You have seen another hand of this deal: you can sit down there when it is over."
    ),
    "by_invitation": N_(
        "Seats at this table are by invitation: ask the host for the link that invites you."
    ),
    "bots_by_invitation": N_(
        "A bot’s seat is for people the host invites: ask the host for the link that invites you."
    ),
    "seat_asked": N_("You have asked for a seat: wait for the host, or for the end of this deal."),
    "seat_wanted": N_("Somebody else has asked for that seat: ask for another one, or wait."),
    "seat_denied": N_("The host wants you to wait until this deal is over."),
    "nobody_asks": N_("Nobody is asking for that seat any more."),
    "open_already": N_("This table is open already: give its address to whoever shall come."),
    "no_such_level": N_("There are no bots of that level."),
    # When
    "under_way": N_("That has to wait until the match is over."),
    "no_match": N_("No match is being played."),
    "paused": N_("The match is paused."),
    "not_paused": N_("The match is not paused."),
    "not_between_deals": N_("The deal is not over yet."),
    "ready_already": N_("You have said already that you are ready."),
    "stale": N_("Something has happened meanwhile: look again, then choose."),
    "ahead": N_("This table has not come so far: load it anew."),
    "cannot_be_asked": N_(
        "Somebody who has come since the match began cannot be asked: the card stays."
    ),
    # Rated matches
    "rated_needs_people": N_(
        "A rated match needs two people at least who play against each other: wait for somebody,"
        " or set the table up without rating."
    ),
    "rated_away": N_(
        "Somebody with a seat is away: a rated match waits for them, or frees the seat first."
    ),
    "rated_no_undo": N_("In a rated match no card is taken back."),
    "rated_seat": N_(
        "A rated match is finished by those who began it: watch, and sit down for the next one."
    ),
    "rated_stays": N_(
        "Nobody can be sent away from a rated match; if they go, a bot plays on for them."
    ),
    "rated_goes_on": N_("A rated match is played to its end as long as others have a seat there."),
    # Bots and clocks
    "away_already": N_("A bot plays at that seat already."),
    "not_away": N_("No bot plays at that seat."),
    "not_forced": N_("There is more than one card to choose from."),
    "no_clock": N_("There is no clock at this table."),
    "nothing_due": N_("Nobody waits for you now."),
    "no_more_time": N_("There is no more time to be had for this choice."),
    # The server
    "not_saved": N_("Nothing can be saved just now; the table waits, and nothing is lost."),
    "table_busy": N_("Too much is asked of this table at once: try again in a moment."),
    "table_failed": N_("Something went wrong at this table; what was saved is kept."),
    "stopping": N_("The server is stopping; the table is saved, and goes on later."),
    "moved_away": N_("This table is looked after elsewhere now: connect again."),
}
"""By reason, why a command is refused."""
