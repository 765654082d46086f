"""What the terminal says of a playroom elsewhere, of its tables, and of the way there."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language

CONNECTING: Final = {
    # The playroom
    "your_name": N_("Your name?"),
    "you_are": N_("You are {name} here."),
    "open_tables": N_("Tables to join:"),
    "which_table": N_("Which table, 1 to {most}? Enter opens a new one."),
    "a_number_please": N_("Type a number from {least} to {most}, or only Enter."),
    "own_password": N_("Your password?"),
    "password": N_("The password of this table?"),
    "wrong_password": N_("That is not the password."),
    "table_address": N_("This table has the address {address}"),
    "table_private": N_(
        "This table is yours alone, until INVITE opens it to others. It has the address {address}"
    ),
    "table_name": N_("{player:of} table"),
    # Seats
    "which_seat": N_("Your seat, 1 to {most}? Enter takes seat {seat}, and 0 watches."),
    "all_taken": N_("Every seat is taken: you watch. A asks for a seat again."),
    "you_watch": N_("You watch. A asks for a seat."),
    "seated_already": N_("You have a seat."),
    "seat_is_free": N_("Seat {seat}: free."),
    "seat_of_bot": N_("Seat {seat}: {name}, a bot ({level})."),
    "seat_of_you": N_("Seat {seat}: you."),
    "seat_of_person": N_("Seat {seat}: {name}."),
    "seat_stood_in": N_("Seat {seat}: {name}; a bot plays for now."),
    "let_sit": N_("Let {name} sit down now, in this deal: yes or no?"),
    "host_is": N_("{name} is the host."),
    "host_is_you": N_("You are the host."),
    # The match
    "enter_to_begin": N_("Enter to begin the match?"),
    "bots_take_the_rest": N_("Bots take the seats that are free."),
    "host_begins": N_("The host begins the match."),
    "stay_for_another": N_("Do you stay for another match, yes or no?"),
    "enter_to_go_on": N_("Enter to go on with the match?"),
    "enter_to_come_back": N_("Enter to play for yourself again?"),
    "only_enter": N_("Press Enter alone, or type a key."),
    "not_asked": N_("Nothing is asked of you now. Type ? for the keys."),
    "no_match_yet": N_("No match has begun yet."),
    "no_longer_asked": N_("No answer is wanted any more."),
    "no_hints": N_("There are no hints at this table."),
    "clock_runs": N_("You have {clock} seconds for each choice. Type + for more."),
    "agree_to_clock": N_("This clock is short: do you agree to {clock} seconds, yes or no?"),
    # The connection
    "connection_lost": N_("The connection is lost; it is being looked for."),
    "connected_again": N_("Connected again."),
    "bot_plays_on": N_("A bot plays for you until you are back: {command}"),
    "match_waits": N_("The match waits for you: {command}"),
    "way_back": N_("To come back: {command}"),
    # The keys
    "key_who": N_("W: who is at the table. A: asks for a seat."),
    "key_bot": N_("X: lets a bot play for you, until you are back."),
    "key_pause": N_("Z: lets the match wait."),
    "key_invite": N_("INVITE: opens a table that is yours alone, and tells its address."),
    "key_more": N_("+: more time, where a clock runs."),
    "key_say": N_(
        "SAY and a text, or a semicolon before it: says it to the others. SAY alone: the prepared"
        " phrases."
    ),
    "key_mute": N_(
        "MUTE and a name or a number (MUTE Alice, MUTE 2): you read them no more, here or"
        " elsewhere. UNMUTE: you do again. MUTE alone: who has which number."
    ),
    "key_report": N_("REPORT and a name or a number: reports somebody to the moderators."),
    # Talk
    "saying": N_("{name}: {line}"),
    "saying_to_watchers": N_("{name}, to the watchers: {line}"),
    "own_saying": N_("You: {line}"),
    "phrase": N_("{number}: {line}"),
    "phrases_how": N_("SAY and a number says one of these; each reads it in their own language."),
    # Mutes and reports
    "other": N_("{number}: {name}"),
    "other_unseated": N_("{number}: {name}, without a seat"),
    "mute_how": N_("MUTE and a name or a number mutes one of these; UNMUTE takes it back."),
    "report_how": N_("REPORT and a name or a number tells for what reasons one can be reported."),
    "report_about": N_(
        "Moderators read what was said before and after. They decide; {name} does not learn who"
        " has reported."
    ),
    "reasons_how": N_("REPORT {who} and the number of a reason reports; a note may follow."),
    "nobody_else": N_("Nobody else has a seat here, or has said anything."),
    "called_alike": N_("“{name}” may be several: choose one by number, as MUTE alone tells."),
    # What cannot be
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
}
"""By name; they are looked up with those of `CONSOLE`."""


NETWORK: Final = (
    N_("Connection refused"),
    N_("Connection reset by peer"),
    N_("Name or service not known"),
    N_("Network is unreachable"),
    N_("No route to host"),
    N_("timed out"),
)
"""What systems answer when a playroom cannot be reached."""


LEVEL_NAMES: Final = {
    "beginner": N_("beginner"),
    "casual": N_("casual"),
    "strong": N_("strong"),
    "expert": N_("expert"),
}


def told_table(
    language: Language,
    number: int,
    name: str,
    rules: str,
    seats: int,
    free: int,
    with_password: bool = False,
) -> str:
    """A table of the playroom, in a line."""
    about = f"{name} ({rules})" if rules else name
    if free:
        told = language.n(
            "{number}: {table}. {count} of {seats} seats is free.",
            "{number}: {table}. {count} of {seats} seats are free.",
            free,
            number=number,
            table=about,
            seats=seats,
        )
    elif seats:
        told = language.t("{number}: {table}. No seat is free.", number=number, table=about)
    else:  # nothing else may be known of it
        told = language.t("{number}: {table}.", number=number, table=about)
    return f"{told} {language.t('It asks for a password.')}" if with_password else told
