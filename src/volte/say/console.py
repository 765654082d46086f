"""What the terminal and the command say besides the game: prompts, keys, files, misuse."""

from __future__ import annotations

from typing import Final

from volte.fair import Verdict
from volte.say.connecting import CONNECTING
from volte.say.language import N_, Language
from volte.say.puzzle_console import PUZZLE_CONSOLE
from volte.say.scoring_terminal import SCORE_KEEPING


def console_sentence(words: Language, name: str, /, **params: object) -> str:
    """The sentence of that name."""
    return words.t(CONSOLE[name], **params)


CONSOLE: Final = {
    **CONNECTING,
    **PUZZLE_CONSOLE,
    **SCORE_KEEPING,
    # At the table
    "your_card": N_("Your card?"),
    "your_lead": N_("Your lead?"),
    "your_pass": N_("Your {count} cards {player:to}?"),
    "your_one_pass": N_("Your card {player:to}?"),
    "your_scatter": N_("Your {count} cards, in this order: {players:to}?"),
    "your_moon": N_("Minus (M) or plus (+)?"),
    "minus_or_plus": N_("Type minus to take it off your own points, or plus to put it on others."),
    "next_deal": N_("Enter for the next deal?"),
    "another_match": N_("Another match, yes or no?"),
    "another_match_pot": N_("The pot of {pot} waits. Another match, yes or no?"),
    "yes_or_no": N_("Please answer yes or no."),
    "kind_everything": N_("Everything"),
    "kind_plays": N_("Plays"),
    "kind_points": N_("Points"),
    "kind_talk": N_("Talk"),
    "kind_table": N_("The table"),
    "nothing_before": N_("Nothing was told before that."),
    "nothing_after": N_("Nothing has been told after that."),
    "uses_reader": N_("Do you use a screen reader, yes or no?"),
    "reader_used": N_("From now on cards have names, and words are few. To change that: {command}"),
    "reader_not_used": N_("You will not be asked again. To change that: {command}"),
    "question_mark": N_("Type ? for the keys."),
    "allow_undo": N_("Do you allow it, yes or no?"),
    "forced": N_("Only one card may be played."),
    "empty_answer": N_("Type a card, its place in your hand (.3), or ? for the keys."),
    "one_card": N_("Play one card."),
    "named_twice": N_("You have named {card:the} twice: name each card once."),
    "no_cards_now": N_("No card is wanted now: press Enter for the next deal, or type a key."),
    # With a referee
    "your_trick": N_("The trick is yours: Enter to turn it down?"),
    "others_trick": N_("The trick is {player:of}: Enter to have it turned down?"),
    "your_cut": N_("Enter to cut for the next deal?"),
    "others_cut": N_("Enter to let {player} cut for the next deal?"),
    "your_scores": N_("Enter to accept the scores?"),
    "no_cards_at_the_end": N_("No card is wanted now: press Enter to go on, or type a key."),
    "whose_card": N_("Say whose card, by name or by its place on the table: O Alice, or O 2."),
    "whose_revoke": N_(
        "Say who revoked, and in which trick: V Alice 4. For a revoke of your own: V 4."
    ),
    "nobody_called": N_("“{name}” is not one of the others: choose among {players}."),
    "no_such_place": N_("There is no place .{place} in your hand: choose .1 to .{most}."),
    "number_without_dot": N_("For a place in your hand, type a dot first: .{number}"),
    "not_text": N_("That was no text. Type a card, or ? for the keys."),
    "line_too_long": N_("That was too long. Type a card, or ? for the keys."),
    "refereed": N_(
        "This table has a referee: nothing stops a wrong card, and the others may object. Type ?"
        " for the keys."
    ),
    "rated": N_(
        "The matches at this table are rated. There are no hints, no card is taken back, and"
        " whoever leaves a match is rated as the last."
    ),
    "resumed": N_("The match goes on: deal {deal}, trick {trick}."),
    "resumed_passing": N_("The match goes on: deal {deal}, before the pass is over."),
    "resumed_choosing": N_(
        "The match goes on: deal {deal} is played, and a moon is to be counted."
    ),
    "resumed_between": N_("The match goes on; the cards are about to be dealt."),
    "saved": N_("The match is saved. To go on: {command}"),
    "not_saved_at_all": N_("The match could not be saved, and is lost."),
    # The keys
    "keys_card": N_("A card: its name (qs, queen of spades, ♠Q), or its place in your hand (.3)."),
    "keys_scatter": N_("Where everybody gets one of your cards: type them in the order told."),
    "keys_moon": N_("A moon of yours that may count in two ways: minus (M), or plus (+)."),
    "keys_pass": N_("Cards to pass: several on one line (qs as 10h, or .1 .4 .7)."),
    "key_table": N_("C: the cards on the table. 1 to {players}: one of them."),
    "key_table_ten": N_("C: the cards on the table. 1 to 9, and 0 for the tenth: one of them."),
    "key_scores": N_("S: the scores. F: the whole score sheet."),
    "key_turn": N_("T: whose turn it is."),
    "key_hand": N_("H: your hand."),
    "key_last": N_("L: the last trick."),
    "key_points": N_("P: the points taken in this deal."),
    "key_rules": N_("R: the rules of this table."),
    "key_hint": N_("I: a hint."),
    "key_claim": N_("E: ends the deal at once, when the rest changes nothing."),
    "key_before": N_("B and N: what was told before, and after."),
    "key_kind": N_("Y: goes through plays alone with B and N; then points, talk, the table, all."),
    "key_undo": N_("U: takes your last play back, as long as nobody has acted since."),
    "referee_object": N_("O and a name or a place (O Alice, O 2): objects to a card on the table."),
    "referee_revoke": N_(
        "V, a name and a trick (V Alice 4): claims a revoke. V 4: announces one of your own."
    ),
    "referee_back": N_("U: puts a revoke of yours right, until the trick is turned down."),
    "referee_tricks": N_("G: the tricks turned down in this deal."),
    "referee_down": N_("D, or Enter when asked: turns the trick down."),
    "referee_cut": N_("K, or Enter when asked: cuts for the next deal."),
    "referee_accept": N_("A, or Enter when asked: accepts the scores after the last deal."),
    "key_verbosity": N_("J: how much is told: less, and after the least everything."),
    "key_quit": N_("Q: leaves the table. The match is saved."),
    # Seats and names
    "no_such_player": N_("Nobody called “{level}” can sit down: choose among {levels}."),
    "one_person": N_("Only one person can sit at this terminal: write “me” once."),
    "seats_differ": N_("Seats named: {seats}, for {players} players. Name one for each player."),
    # Matches kept
    "played_elsewhere": N_("This match is being played in another terminal: go on there."),
    "nothing_to_resume": N_("No match waits to be resumed; “volte play” starts one."),
    "not_resumed": N_("The match in {path} cannot go on: {fault}"),
    "match_aside": N_("The match in {path} cannot go on, and is put aside as {aside}: {fault}"),
    "end_aside": N_(
        "The end of {path} was broken, and is put aside as {aside}; the match goes on from what is"
        " whole: {fault}"
    ),
    "record_elsewhere": N_("{path} is there already: this match is recorded in {place}."),
    "match_over": N_("The match in {path} is over; “volte replay” shows it."),
    # Records
    "replay_deal": N_("Enter for the next deal, Q to stop?"),
    "replay_trick": N_("Enter for the next trick, Q to stop?"),
    "lawful_whole": N_("{path}: a lawful record of a whole match."),
    "lawful_unfinished": N_("{path}: a lawful record of a match that is not over."),
    "replay_unfinished": N_("Here the record stops; the match is not over."),
    "hand_of": N_("{player} holds {cards}."),
    "kitty_of": N_("The kitty: {cards}."),
    "no_such_seat": N_("Nobody called “{seat}” sat there: choose 1 to {most}, or {players}."),
    "nothing_to_prove": N_("This match was dealt without commitments: nothing can be proved."),
    # The presets
    "preset": N_("{preset} ({players} players): {title}. {summary}"),
    "presets_more": N_("The rules of one of them: {command}"),
    # The command
    "no_such_switch": N_("There is no option {option}; “{command} --help” lists them all."),
    "no_such_command": N_("There is no command “{extra}”; “volte --help” lists them all."),
    "option_needs_value": N_("The option {option} needs a value."),
    "option_takes_no_value": N_("The option {option} takes no value."),
    "no_such_choice": N_("{option} is one of {values}, and not “{value}”."),
    "no_such_number": N_("{option} is a whole number from {least} up, and not “{value}”."),
    "no_such_table": N_("There is no table “{table}” of figures: choose among {tables}."),
    "argument_missing": N_("“{command}” needs the name of a file."),
    "argument_extra": N_("“{command}” has no use for “{extra}”: leave it out."),
    "rules_or_resume": N_("A match that is resumed keeps its rules and seats: leave out {option}."),
    "needs_connect": N_("{option} goes with --connect: name the address of a playroom there."),
    "needs_rules": N_("{option} goes with --rules: name a preset or a file there."),
    "interrupted": N_("Interrupted."),
    "no_home": N_("You have no home folder to keep matches in: name one in XDG_DATA_HOME."),
    "system_refuses": N_("The system does not let Volte go on: {why}."),
}
"""The sentences by name, in English."""

VERDICTS: Final = {
    Verdict.PROVED: N_("Deal {number}: proved, dealt as promised before the cards were known."),
    Verdict.NUMBER_SKIPPED: N_("Deal {number}: not proved, the commitment before it is missing."),
    Verdict.REVEAL_MISSING: N_("Deal {number}: not proved, its secret was never told."),
    Verdict.COMMITMENT_BROKEN: N_("Deal {number}: false! The secret is not the one promised."),
    Verdict.PROMISE_BROKEN: N_("Deal {number}: false! A player's bytes are not those promised."),
    Verdict.ORDER_WRONG: N_("Deal {number}: false! These are not the cards that were shuffled."),
    Verdict.LOT_WRONG: N_("Deal {number}: false! These are not the lots that were drawn."),
    None: N_("Deal {number}: not over yet, its secret is still kept."),
}
"""What `volte verify` says of a deal."""
