"""What is wrong with what somebody types at a terminal, or with the command itself."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

TERMINAL_FAULTS: Final = {
    # Commands, files, seats
    "whose_card": N_("Say whose card, by name or by its place on the table: O Alice, or O 2."),
    "whose_revoke": N_(
        "Say who revoked, and in which trick: V Alice 4. For a revoke of your own: V 4."
    ),
    "nobody_called": N_("“{name}” is not one of the others: choose among {players}."),
    "not_text": N_("That was no text. Type a card, or ? for the keys."),
    "no_such_player": N_("Nobody called “{level}” can sit down: choose among {levels}."),
    "one_person": N_("Only one person can sit at this terminal: write “me” once."),
    "seats_differ": N_("Seats named: {seats}, for {players} players. Name one for each player."),
    "played_elsewhere": N_("This match is being played in another terminal: go on there."),
    "nothing_to_resume": N_("No match waits to be resumed; “volte play” starts one."),
    "not_resumed": N_("The match in {path} cannot go on: {fault}"),
    "match_aside": N_("The match in {path} cannot go on, and is put aside as {aside}: {fault}"),
    "end_aside": N_(
        "The end of {path} was broken, and is put aside as {aside}; the match goes on from what is"
        " whole: {fault}"
    ),
    "match_over": N_("The match in {path} is over; “volte replay” shows it."),
    "no_such_seat": N_("Nobody called “{seat}” sat there: choose 1 to {most}, or {players}."),
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
    # A playroom elsewhere
    "nobody_else": N_("Nobody else has a seat here, or has said anything."),
    "called_alike": N_("“{name}” may be several: choose one by number, as MUTE alone tells."),
    "not_an_address": N_(
        "“{address}” is no address of a playroom: copy it from the browser, as"
        " http://192.168.1.20:8000"
    ),
    "not_with_connect": N_("The playroom sees to that: leave out {option}."),
    "table_has_rules": N_("This table has its rules and seats: leave out {option}."),
    "no_playroom": N_(
        "{address} cannot be reached ({why}): is the address right, and the playroom open?"
    ),
    "no_playroom_there": N_("What answers at {address} is no playroom of Volte, or another Volte."),
    "leads_on": N_(
        "{address} leads on to “{place}”, and Volte goes no further: use the address that a browser"
        " shows there."
    ),
    "playroom_says": N_("{sentence}"),
    "playroom_gone": N_("{address} has not answered for a long time: come back later."),
    "session_gone": N_("The playroom does not know you any more: come in again by your name."),
    "turned_away": N_("You cannot come to this table, or not any longer."),
    "table_gone": N_("There is no such table, or no longer."),
    "other_version": N_("The playroom is of another version than this Volte: update the older."),
    # Puzzles
    "no_such_puzzle": N_("There is no puzzle {number}: they go from 1 to {most}."),
    "position_unreadable": N_("The position cannot be read at “{line}”: {why}."),
    "puzzle_options": N_("{option} and {other} do not go together: leave one of them out."),
    "progress_not_read": N_("{path} cannot be read, so what you solve is not kept: {why}."),
    "progress_not_kept": N_("What you have solved could not be kept in {path}: {why}."),
    # Score-keeping
    "score_no_sheets": N_("No sheets are kept yet; “volte score new” begins one."),
    "score_no_such_sheet": N_("There is no sheet “{name}”; “volte score list” lists them."),
    "score_two_sheets": N_("“{name}” may be several sheets: {sheets}. Say more of the name."),
    "score_one_form": N_("Choose one of --csv, --json and --record."),
    "score_no_dealer": N_("Type a name, “lots”, or Enter to leave it open."),
    "score_not_text": N_("That was no text: type ? for what can be typed."),
    "score_empty": N_("Type what was taken, such as {example}, or ? for help."),
    "score_not_a_deal": N_("“{text}” tells nothing of a deal: type ? for what can be typed."),
    "score_too_many": N_("Numbers typed: {given}, and {due} play. Type at most one for each."),
    "score_names_or_places": N_(
        "Type all numbers by name, or all in the order of the players, and not both."
    ),
    "score_name_twice": N_("{name} is named twice: once is enough."),
    "score_no_such_mark": N_("“{text}”: behind a number stands q for the queen, j for the jack."),
    "score_two_queens": N_("There is only one queen of spades: type q once."),
    "score_two_jacks": N_("There is only one jack of diamonds: type j once."),
    "score_queen_in_points": N_("Points are typed without q: the queen is among them."),
    "score_no_such_name": N_("Nobody here is called “{name}”: choose among {names}."),
    "score_which_name": N_("“{name}” may be {names}: type more of the name."),
    "score_no_such_place": N_("There is no player {place}: they go from 1 to {most}."),
    "score_name_wanted": N_("Say who: {names}."),
    "score_one_name": N_("Name one player only."),
    "score_why_misdealt": N_(
        "Say why: “misdeal exposed” for a card that was seen, “misdeal count” for a wrong number."
    ),
    "score_which_missing": N_("Name the cards that are missing, such as 2h."),
    "score_missing_first": N_("Type the deal first, and what is missing behind it."),
    "score_missing_from_what": N_("Missing cards are told of a deal that was played to its end."),
    "score_fix_what": N_("Say which deal, and what it should be, such as “fix 2 {example}”."),
    "score_no_such_deal": N_("There is no deal “{text}” on this sheet: choose among {labels}."),
    "score_no_deal_yet": N_("No deal is on this sheet yet, so there is nothing to correct."),
    "score_no_stake": N_("Say what a stake is worth, and the currency, such as “stake 0.25 EUR”."),
    "score_name_how": N_("Say who, and the new name, such as “name {name} Zoé”."),
    "score_title_what": N_("Say what the sheet is called, such as “title Friday evening”."),
    "score_lots_how": N_(
        "Say who drew which card, such as “lots anne ks, bruno 2h”: each name once."
    ),
    "score_not_settled": N_("“accept” first, when everybody agrees; then “next”."),
    "score_share_how": N_("Type a name and any word, or Enter to draw."),
}
"""The sentence of each fault at the terminal, by its reason."""

NETWORK: Final = (
    N_("Connection refused"),
    N_("Connection reset by peer"),
    N_("Name or service not known"),
    N_("Network is unreachable"),
    N_("No route to host"),
    N_("timed out"),
)
"""What systems answer when a playroom cannot be reached."""
