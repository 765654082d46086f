"""What the scripts of the pages say: `client_sentences` goes to the browser as JSON.

A place in braces is filled in by the script, with a name or a number.
"""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language
from volte.say.levels import LEVEL_WORDS
from volte.say.verbosity import CHANGED

CLIENT: Final = {
    # The connection, and what stands at the table
    "connecting": N_("Connecting to the table…"),
    "lost": N_("The connection is lost; trying again…"),
    "back": N_("The connection is back."),
    "ended": N_("This page is no longer connected to the table: load it again to go on."),
    "unsent": N_("The connection is lost. What you did goes out when it is back."),
    "one_waits": N_("The connection is lost, and what you did before still waits for it."),
    "remembered": N_("Before the connection was lost: {line}"),
    "not_remembered": N_("The connection is lost: that can be asked again when it is back."),
    "play_waits": N_(
        "This card waits for the connection, and is played if it is still your turn: {card}"
    ),
    "take_it_back": N_("Take the card back"),
    "taken_back": N_("Taken back: {card}"),
    "close_answer": N_("Close"),
    "turn_title": N_("● Your turn – {name}"),
    "copied": N_("The address is copied."),
    "saved": N_("Your settings are saved."),
    "not_saved": N_("Your settings could not be saved: try again."),
    "choose": N_("Pass these cards ({count} of {most})"),
    "pass_these": N_("Pass these cards"),
    "pass_first": N_("Choose {most} cards first; {count} are chosen."),
    "too_many_chosen": N_("{most} cards are chosen already: put one back first."),
    "no_cards": N_("You hold no cards."),
    "nothing_on_table": N_("No card is on the table."),
    "missed": N_("Much has happened meanwhile: you find it all under “What has happened”."),
    "type_cards": N_("Type a card, as in qs, 10h or .3; several for the pass"),
    "type_watching": N_("You only watch here, and hold no cards."),
    "part_open": N_("Open now, further down this page: {name}"),
    "clock": N_("Seconds left: {count}"),
    "your_turn": N_("Your turn."),
    "asks_undo": N_("{name} asks to take a card back."),
    "asks_seat": N_("{name} asks for the seat of a bot ({bot}), in the middle of this deal."),
    "allow_seat": N_("Let them sit down now"),
    "deny_seat": N_("Not during this deal"),
    "you": N_("you"),
    "host": N_("host"),
    "crown": N_("leads the match"),
    "turn": N_("on turn"),
    "dealer": N_("dealer"),
    "has_passed": N_("has passed"),
    "state_free": N_("free"),
    "state_bot": N_("bot"),
    "state_here": N_("here"),
    "state_gone": N_("connection lost"),
    "state_stand_in": N_("a bot plays for this seat"),
    **{f"level_{name}": each.name for name, each in LEVEL_WORDS.items()},
    "seat_number": N_("Seat {number}"),
    "seat_named": N_("Seat {number}: {name}"),
    "seat_empty": N_("Seat {number}: free"),
    "sit": N_("Take seat {number}"),
    "ask_seat": N_("Ask the host for seat {number}"),
    "stand": N_("Leave my seat"),
    "start": N_("Begin the match"),
    "start_again": N_("Another match"),
    "next": N_("Next deal"),
    "claim": N_("End the deal: the rest changes nothing"),
    "undo": N_("Take the last card back"),
    "take_back_pass": N_("Take the pass back"),
    "allow_undo": N_("Allow it"),
    "refuse_undo": N_("Do not allow it"),
    "away": N_("Let a bot play for me"),
    "back_again": N_("Play myself again"),
    "more_time": N_("More time"),
    "accept_clock": N_("Agree to the short clock"),
    "refuse_clock": N_("No short clock for me"),
    "pause": N_("Pause"),
    "unpause": N_("Go on"),
    "close": N_("Close the table"),
    "close_sure": N_("Close the table for good?"),
    "seat_bot": N_("Seat a bot there"),
    "remove": N_("Free the seat"),
    "bar": N_("Send away for good"),
    "replace": N_("Let a bot play there"),
    "hand_over": N_("Make this player the host"),
    "swap": N_("Swap the two seats"),
    "ask_table": N_("Cards on the table"),
    "ask_scores": N_("Scores"),
    "ask_turn": N_("Whose turn"),
    "ask_situation": N_("Situation"),
    "ask_hand": N_("My hand"),
    "ask_last": N_("Last trick"),
    "ask_points": N_("Points taken"),
    "ask_sheet": N_("Score sheet"),
    "ask_rules": N_("Rules"),
    "ask_hint": N_("Hint"),
    "ask_keys": N_("Keys"),
    # Seats, trick, hands
    "menu": N_("Menu"),
    "seat_figures": N_("{name}: {names}"),
    "seat_roles": N_("{name}; {names}"),
    "cards_one": N_("{number} card"),
    "cards_many": N_("{number} cards"),
    "points_one": N_("{number} point"),
    "points_many": N_("{number} points"),
    "total_now": N_("total {number}"),
    "leads": N_("has the lead"),
    "figure_taken": N_("deal"),
    "figure_total": N_("total"),
    "deal_number": N_("Deal {number}"),
    "hearts_broken": N_("Hearts are broken"),
    "hearts_whole": N_("Hearts are not broken"),
    "you_lead": N_("You lead"),
    "you_led": N_("You led"),
    "one_leads": N_("{name} leads"),
    "one_led": N_("{name} led"),
    "for_you": N_("For you: {names}"),
    "passes_to": N_("Your cards go to {name}."),
    # Keys, and help for newcomers
    "intro_title": N_("How this page works"),
    "intro_hand": N_(
        "Your hand is one list. Tab leads to it; the arrows left and right go from card to card, "
        "up and down to the next suit; Enter plays the card you are on."
    ),
    "tapping_auto": N_(
        "With the mouse, a click plays a card. By touch, the first tap raises it, and the second "
        "plays it."
    ),
    "tapping_once": N_("A click or a tap plays a card."),
    "tapping_twice": N_("A click or a tap raises a card, and a second one plays it."),
    "tapping_confirm": N_(
        "A click or a tap raises a card, and the button below your hand plays it."
    ),
    "intro_barred": N_("A card that may not be played now does not move, and says why."),
    "intro_ask": N_(
        "Ask whenever you like: the buttons below your hand tell the cards on the table, the "
        "scores, whose turn it is."
    ),
    "intro_ask_keys": N_(
        "Ask whenever you like, with the buttons below your hand or with their keys: {keys}."
    ),
    "intro_key": N_("{key} ({name})"),
    "intro_told": N_(
        "All that happens is announced, and never moves you. You find it again under “What has "
        "happened”."
    ),
    "intro_repeat": N_("{key} says the last message again."),
    "intro_all_keys": N_("{key} lists the keys that work now."),
    "intro_settings": N_(
        "How much is told, how fast bots play, sounds, looks and keys: choose them under "
        "“Settings”."
    ),
    "intro_done": N_("Got it"),
    "note_pass": N_("Touch a card to choose it; touch it again to put it back."),
    "note_barred": N_("Hatched cards may not be played now. Touch one, and it says why."),
    "note_ask": N_("The menu has the scores, the last trick, the rules, and all else."),
    "note_ask_keys": N_(
        "The menu has the scores, the last trick, the rules, and all else. {key} lists the keys."
    ),
    "note_settings": N_("Faces, sounds, pace and looks: choose them under “Settings”."),
    "keys_title": N_("The keys that work now"),
    "keys_about": N_("Escape closes this list."),
    "keys_moving": N_("Moving and playing"),
    "keys_asking": N_("Questions"),
    "keys_hearing": N_("What was said"),
    "keys_off": N_("Single-letter keys are switched off: switch them on in the settings."),
    "key_sides": N_("Arrows left and right"),
    "does_sides": N_("to the card beside"),
    "key_ends": N_("Home, End"),
    "does_ends": N_("to the first card, to the last"),
    "key_jump": N_("Arrows up and down"),
    "does_jump": N_("to the suit before or after"),
    "does_jump_rank": N_("to the rank before or after"),
    "key_use": N_("Enter or Space"),
    "does_choose": N_("choose the card, or put it back"),
    "does_play": N_("play the card"),
    "key_tab": N_("Tab"),
    "does_tab": N_("on to the buttons, then to the rest of the page"),
    "key_escape": N_("Escape"),
    "does_escape": N_("back to your hand"),
    "key_digits": N_("1 to {number}"),
    "key_digits_ten": N_("1 to 9, and 0"),
    "does_digits": N_("one of the cards on the table"),
    "key_shift": N_("Shift and {keys}"),
    "does_seats": N_("one of the seats, clockwise from yours"),
    "does_type": N_("type cards"),
    "does_repeat": N_("Say the last message again"),
    "does_before": N_("The message before"),
    "does_after": N_("The message after"),
    "does_kind": N_("Which messages: all, plays, points, talk, table"),
    "close_dialog": N_("Close"),
    # What is announced, repeated and looked up
    "nothing_said": N_("Nothing has been said yet."),
    "nothing_before": N_("There is no message before that one."),
    "nothing_after": N_("There is no message after that one."),
    "why_again": N_(
        "A key had cut that off, so it was said again. Under “Settings” you can say how fast your"
        " screen reader speaks, or switch this off."
    ),
    "ask_verbosity": N_("How much is told: less, and after the least everything"),
    **{f"told_{verbosity}": sentence for verbosity, sentence in CHANGED.items()},
    "kind_everything": N_("Everything"),
    "kind_plays": N_("Plays"),
    "kind_points": N_("Points"),
    "kind_talk": N_("Talk"),
    "kind_table": N_("The table"),
    "kind_silenced": N_("{name}: silenced"),
    "silenced": N_("Silenced: {line}"),
    # Choosing and playing cards, and what is asked once more
    "play_card": N_("Play: {card}"),
    "choose_card": N_("Choose: {card}"),
    "put_back": N_("Put back: {card}"),
    "to_pass": N_("{card}, to pass"),
    "barred": N_("may not be played now"),
    "chosen": N_("{count} chosen."),
    "raised_tap": N_("Raised: {card}. Tap it again to play it."),
    "raised_button": N_("Raised: {card}. The button below your hand plays it."),
    "sure_claim": N_("End the deal now?"),
    "about_claim": N_(
        "If no card can change a score any more, the rest is played by itself. Otherwise nothing "
        "happens, and you play on."
    ),
    "yes_claim": N_("End the deal"),
    "no_claim": N_("Play on"),
    "sure_stand": N_("Leave your seat?"),
    "about_stand": N_(
        "A bot sits down there and plays your cards. You can take the seat again, as long as "
        "nobody else has."
    ),
    "about_stand_free": N_("The seat is free for anybody then."),
    "no_stand": N_("Stay"),
    "about_close": N_("Everybody has to leave, and a match that goes on is never finished."),
    "no_close": N_("Keep it open"),
    # The proof of the shuffle
    "proof_help": N_(
        "Your browser shuffles every deal again, with nothing but the secret of the house and"
        " everybody's shares, and compares the cards."
    ),
    "proof_none": N_("This match was dealt without seals: nothing can be proved."),
    "proof_failed": N_("The deals could not be loaded: try again."),
    "proof_all": N_("Check every deal here"),
    "proof_one": N_("Check deal {number} here"),
    "proof_deal": N_("Deal {number}"),
    "proof_facts": N_("What was told of deal {number}"),
    "proof_waits": N_(
        "The secret of this deal is told when the cards are cut for the next one, or when the"
        " match is over."
    ),
    "proof_holds": N_(
        "The cards of deal {number} are exactly those that these bytes give, and the seal was there"
        " before anybody's bytes were known."
    ),
    "proof_fails": N_("Deal {number} is not proved!"),
    "proof_sum": N_("Deals proved: {count} of {most}."),
    # What was looked at
    "right_chain": N_("Its number is the next one: no deal has been dropped."),
    "wrong_chain": N_("Its number is not the next one: a deal is missing."),
    "right_order": N_("All was told in its order: seal, promises, shares, cards, secret."),
    "wrong_order": N_("Something was told out of its order."),
    "right_seal": N_("The secret and the shares of the house's seats are those under the seal."),
    "wrong_seal": N_("The secret or a share of the house's seats is not the one under the seal."),
    "right_promises": N_("The share of every person is the one promised."),
    "wrong_promises": N_("A share is not the one promised: {name}."),
    "right_own": N_("Your own share is the one that this browser has drawn and sent."),
    "wrong_own": N_("Your own share is not the one that this browser has sent."),
    "wrong_own_left": N_("Your own share is left out, although this browser has sent one."),
    "right_cards": N_("Shuffled again here, the pack gives exactly these hands."),
    "wrong_cards": N_("Shuffled again here, the pack gives other hands."),
    "right_lots": N_("Drawn again here, the lots are the same."),
    "wrong_lots": N_("Drawn again here, the lots are others."),
    # What is on record
    "fact_seal": N_("Seal of the house"),
    "fact_secret": N_("Secret of the house"),
    "fact_promise": N_("Seal of a share ({name})"),
    "fact_share": N_("Share ({name})"),
    "fact_house": N_("Share under the seal of the house ({name})"),
    "fact_none": N_("none, left out"),
    # Refereed tables
    "has_referee": N_("A referee rules at this table: nothing is refused."),
    "early_card": N_("{card}, out of turn"),
    "play_early": N_("Play out of turn: {card}"),
    "raised_early": N_(
        "It is not your turn. The same once more plays this card out of turn: {card}."
    ),
    "turn_down": N_("Turn the trick down"),
    "put_right": N_("Put my card right"),
    "object": N_("Object…"),
    "object_title": N_("To whose card do you object?"),
    "object_about": N_(
        "A card out of turn goes back to its hand, and so does one that breaks a rule. If nothing "
        "is wrong with it, it stays, and that costs you nothing."
    ),
    "object_to": N_("{name}: {card}"),
    "claim_revoke": N_("Claim a revoke…"),
    "claim_title": N_("Who revoked, and in which trick?"),
    "claim_about": N_(
        "If it is so, the deal stops, and whoever revoked pays for all of it. If it is not, that "
        "costs you nothing."
    ),
    "claim_who": N_("Who revoked"),
    "claim_own": N_("I revoked myself"),
    "claim_which": N_("In which trick"),
    "claim_sure": N_("Claim it"),
    "claim_no_one": N_("Say first who revoked."),
    "claim_no_trick": N_("Say first in which trick."),
    "never_mind": N_("Never mind"),
    "cut": N_("Cut the cards"),
    "accept": N_("Accept the scores"),
    "nothing_to_claim": N_("Nothing to claim: next deal"),
    "deal_reckoned": N_("Deal {number}, not yet final"),
    "until_cut": N_("A revoke can be claimed until the cards are cut."),
    "until_accepted": N_("A revoke can be claimed until everybody has accepted the scores."),
    "revoke": N_("revoke"),
    "has_accepted": N_("accepted"),
    "keys_referee": N_("At a table with a referee"),
    # A match looked at again
    "replay_play": N_("Play"),
    "replay_pause": N_("Stop"),
    "replay_option": N_("Deal {number}: {names}"),
    "replay_pass": N_("Deal {number} of {most}, before the first trick"),
    "replay_trick": N_("Deal {number} of {most}, trick {count}"),
    "replay_over": N_("Deal {number} of {most}, the end"),
    "replay_failed": N_("This deal could not be loaded: try again."),
    # Score sheet, ends of deals and matches
    # The score sheet, and the drawing of it
    "sheet_dealt": N_("Dealer, pass"),
    "way_left": N_("to the left"),
    "way_right": N_("to the right"),
    "way_second_left": N_("to the second on the left"),
    "way_second_right": N_("to the second on the right"),
    "way_across": N_("across"),
    "way_hold": N_("no pass"),
    "moon": N_("moon"),
    "slam": N_("slam"),
    "first": N_("in the lead:"),
    "stakes": N_("Stakes"),
    "led_by": N_("In the lead: {names}, with {points}."),
    "won_by": N_("First place: {names}, with {points}."),
    "behind": N_("Behind: {names}."),
    "ends_at": N_("The match ends at {most}."),
    # Between deals, and after the match
    "deal_over": N_("Deal {number} is over"),
    "match_over": N_("The match is over"),
    "ending_player": N_("Player"),
    "ending_deal": N_("This deal"),
    "ending_total": N_("Total"),
    "to_replay": N_("Look at it again"),
    "to_proof": N_("Check the deals"),
    "to_record": N_("Save the record"),
    # Talk, before its panel is there
    "ask_talk": N_("Talk"),
    "talk_unread": N_("Talk, {count} new"),
    "talk_says": N_("{name}: {line}"),
    "talk_own": N_("You: {line}"),
    "talk_write": N_("Write something…"),
    # Tables of the wider family: partners, two packs, a choice about the moon
    # Partners
    "partner": N_("partner"),
    "partner_yours": N_("your partner"),
    "partner_of": N_("partner of {names}"),
    # A card for each of the others
    "passes_all": N_("You give one card to each of the others."),
    "way_scatter": N_("one card to each"),
    "for_one": N_("{card}, for {name}"),
    "now_for": N_("For {name}: {card}."),
    "each_title": N_("One card for each"),
    "each_about": N_("The card you choose first goes to the player on your left, and so on."),
    "each_for": N_("For {name}:"),
    "each_none": N_("no card yet"),
    "each_swap": N_("Swap with the card for {name}"),
    # Cards that cancel each other
    "cancelled_card": N_("{card}, cancelled"),
    "held": N_("Waiting for whoever takes the next trick:"),
    "last_held": N_("Nobody took it: its cards cancel each other."),
    # How a moon counts
    "moon_title": N_("You took them all: how shall it count?"),
    "moon_minus": N_("Take the points off mine"),
    "moon_plus": N_("Give the points to the others"),
    "choose_moon": N_("Say how it counts"),
    # Totals
    "halved": N_("fell to half"),
    "trickless": N_("no trick"),
    "tied": N_("Equal totals, so the match goes on: {names}."),
}
"""By the name that the scripts call each sentence."""

PLACES: Final = (
    *("bot", "card", "count", "key", "keys", "line", "most", "name", "names", "number", "points"),
)
"""What the scripts can fill in."""


def client_sentences(words: Language) -> dict[str, str]:
    """The sentences of the scripts, their places left open."""
    places = {place: f"{{{place}}}" for place in PLACES}
    return {name: words.t(message, **places) for name, message in CLIENT.items()}
