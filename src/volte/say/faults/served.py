"""What a server does not do, and why `volte serve` does not start."""

from __future__ import annotations

from math import ceil
from typing import Final

from volte.say.language import N_, Language

MINUTE: Final = 60
"""Seconds."""


def why(words: Language, reason: str, /, **params: object) -> str:
    """See `Words.why`."""
    seconds = params.get("seconds")
    wait = {"wait": waiting_time(words, seconds)} if isinstance(seconds, int) else {}
    return words.t(SERVING.get(reason, SERVING["failed"]), **params, **wait)


def waiting_time(words: Language, seconds: int) -> str:
    """How long to wait, never less than that: "12 seconds", "5 minutes"."""
    if seconds <= 2 * MINUTE:
        return words.n("{count} second", "{count} seconds", seconds)
    return words.n("{count} minute", "{count} minutes", ceil(seconds / MINUTE))


SERVING: Final = {
    # To anybody
    "no_session": N_("The server does not know you here: give your name on the first page."),
    "no_table": N_("There is no such table."),
    "closed": N_("This table has been closed."),
    "barred": N_("The host has sent you away from this table."),
    "needs_password": N_("This table asks for a password: come in through its page."),
    "nobody_watches": N_("At this table, nobody may watch while a match is played."),
    "no_invitation": N_("This invitation is not valid any more: ask the host for a new link."),
    "wrong_password": N_("That is not the password of this table."),
    "bad_password": N_("The password of a table has 1 to {most} characters."),
    "not_found": N_("There is nothing at this address."),
    "forbidden": N_("You may not do that."),
    "csrf": N_("This form is out of date: load the page again, then send it once more."),
    "wrong_origin": N_("This came from the page of another site, and is not done."),
    "wrong_form": N_("What was sent cannot be read."),
    "too_large": N_("What was sent is too long."),
    "wrong_node": N_(
        "This address is that of another node of the playroom: the server in front leads to the"
        " wrong one."
    ),
    "too_many": N_("That was too often in a short time: wait {wait}, then try again."),
    "no_account": N_("You are here as a guest: make an account first, on the page “Your account”."),
    "person_gone": N_("That account has just been deleted."),
    "wait_for": N_("That was wrong several times: wait {wait}, then try again."),
    "too_many_sockets": N_("Too many connections come from your address: close some of them."),
    "too_many_tables": N_(
        "You have {most} tables open at the same time, here or at another device: close one of"
        " them first."
    ),
    "busy": N_("The server has too much to do at the moment: try again soon."),
    "unavailable": N_("Nothing can be kept or looked up at the moment: try again soon."),
    "failed": N_("Something went wrong on the server. What you have played is kept."),
    "no_sheet": N_("There is no such score sheet, or it is not shown to you."),
    "too_many_sheets": N_("You have {most} score sheets, and nobody needs more: use those."),
    "no_match": N_("There is no such match, or you may not see it."),
    "device_link_over": N_("This link has been used, or is too old: ask for another one."),
    "match_goes_on": N_("The record is here once the match is over: it shows every card."),
    # Passkeys
    "passkey_needs_name": N_(
        "Passkeys need an address with a name. On the machine of the server, that is “localhost”"
        " in place of the number."
    ),
    "passkey_late": N_("That took too long, or was done already: try again."),
    "passkey_elsewhere": N_("This passkey was asked for by another site, and opens nothing here."),
    "passkey_unknown": N_("This passkey is not known here, or has been removed."),
    "passkey_refused": N_("This passkey does not prove what it has to: try again, or another one."),
    "passkey_copied": N_(
        "This passkey has been used elsewhere than here since, as a copy would be, and opens"
        " nothing. Come in another way, and remove it."
    ),
    "passkey_known": N_("This passkey is known here already."),
    "too_many_passkeys": N_("You have {most} passkeys already: remove one for another."),
    "no_passkey": N_("You have no such passkey."),
    "malformed": N_("The server cannot read that."),
    "no_hello": N_("The first message has to be a hello, and none has come."),
    "second_hello": N_("You have said hello already."),
    "old_protocol": N_("The server speaks version {version} of its language: load the page again."),
    "too_big": N_("That message was too long: {most} bytes at most."),
    "too_slow": N_("Your connection is too slow to follow. You come back to where you were."),
    "elsewhere": N_("This table is at another node of the playroom, and you are taken there."),
    "moved_away": N_("The table is being looked for; you come back to it in a moment."),
    "stopping": N_("The server stops. The table is kept, and goes on when it is back."),
    "idle": N_("Nothing has happened here for long. Come back whenever you like."),
    "not_saved": N_("Nothing can be kept at the moment, so the table waits. Nothing is lost."),
    "saved": N_("Everything can be kept again: the table goes on."),
    "no_hints": N_("Nobody is given hints at this table."),
    "paused": N_("The match is paused."),
    "no_cards_held": N_("You hold no cards."),
    "no_hint_now": N_("There is nothing for you to choose now."),
    "no_such_language": N_("Volte speaks French and English."),
    # Clubs
    "no_club": N_("There is no such club, or it is not shown to you."),
    "no_evening": N_("There is no such evening, or it is not shown to you."),
    "invitation_over": N_("This invitation is no longer good: ask the club for another one."),
    "too_many_clubs": N_("You have {most} clubs, and nobody needs more: use those."),
    "club_full": N_("A club has {most} members at most."),
    "too_many_evenings": N_(
        "This club has {most} evenings to come: let one of them take place first, or cancel it."
    ),
    "owner_stays": N_("The club is yours: give it to another member first, or dissolve it."),
    "club_has_evenings": N_("The club still has evenings to come: cancel them first."),
    "not_a_member": N_("That person is no member of the club."),
    "not_your_table": N_(
        "The cards of this table are played at others as well: only those who have a seat here may"
        " come in."
    ),
    "evening_goes_on": N_(
        "These deals are still being played at other tables: you can read them once the round is"
        " over."
    ),
    # Sayings
    "talk_off": N_("Nobody talks at this table: its host has set it up so."),
    "phrases_only": N_("At this table, only the prepared phrases may be said: choose one of them."),
    "no_such_phrase": N_("There is no such prepared phrase: choose one of the list."),
    "nothing_said": N_("Write something first, or choose a phrase."),
    "saying_too_long": N_("That was too long: {most} characters at most."),
    "saying_unprintable": N_("Something in that cannot be shown: write it in one line of text."),
    "talk_too_fast": N_("The others cannot follow that fast: wait {wait}, then say it."),
    "players_talk": N_(
        "While a match is played, only those who have a seat talk at the table: talk to the other"
        " watchers."
    ),
    "watchers_talk": N_("That is for people without a seat: you talk at the table."),
    "silenced": N_("A moderator has taken speech from you until {until}. The reason: {why}"),
    "silenced_for_good": N_("A moderator has taken speech from you for good. The reason: {why}"),
    # Mutes and reports
    "not_at_table": N_("Nobody like that has been at this table lately."),
    "own_saying": N_("That is about yourself."),
    "too_many_muted": N_("You have muted {most} people: take some of them off the list first."),
    "no_such_reason": N_("Choose one of the reasons offered."),
    "note_too_long": N_("That note was too long: {most} characters at most."),
    "too_many_reports": N_("You have reported much in a short time: wait {wait} with the next."),
    # Public tables
    "excluded": N_(
        "A moderator has closed public tables to you until {until}; at tables of friends you may"
        " play. The reason: {why}"
    ),
    "excluded_for_good": N_(
        "A moderator has closed public tables to you for good; at tables of friends you may play."
        " The reason: {why}"
    ),
    # Moderation
    "no_report": N_("There is no such report."),
    "no_measure": N_("There is no such measure."),
    "own_report": N_("That report is about yourself: somebody else has to decide it."),
}
"""The sentence of each refusal of the server, by its reason."""

SERVE_FAULTS: Final = {
    "port_taken": N_("Port {port} is taken: name another one with --port, or 0 for any."),
    "port_forbidden": N_("The system keeps port {port} for itself: name one from 1024 up."),
    "address_unknown": N_("This machine has no address {host}: leave --host out, or say 0.0.0.0."),
    "not_listening": N_("The server cannot listen at {host}, port {port}: {why}."),
    "database_open": N_(
        "The playroom at {address} (process {process}) has {path} open: go there, stop it, or name"
        " another database with --database."
    ),
    "database_opening": N_(
        "Another server (process {process}) has {path} open: wait for it, stop it, or name another"
        " database with --database."
    ),
    "bad_port": N_("A port is a number from 0 to 65,535, and not {port}."),
    "bad_origin": N_(
        "“{text}” is no origin: write it like https://volte.example, in small letters."
    ),
    "bad_base_path": N_(
        "“{text}” is no base path: write it like /games/volte, with a slash before every name and"
        " none at the end."
    ),
    "bad_setting": N_("{name} cannot be “{text}”."),
    "bad_setting_in_file": N_("{path}, line {at}: {name} cannot be “{text}”."),
    "no_such_setting": N_("{path}, line {at}: there is no setting {name}; is {near} meant?"),
    "config_not_read": N_("The settings in {path} cannot be read: {why}."),
    "config_not_toml": N_("{path} is no TOML file: {why}."),
    "breached_not_read": N_("The list of passwords in {path} cannot be read: {why}."),
    "bad_node": N_(
        "“{text}” is no name of a node: take up to 32 small letters, digits and hyphens, like a or"
        " west-2."
    ),
    "name_taken": N_(
        "Another node of this playroom is called {name}: give this one a name of its own with"
        " --node."
    ),
    "no_workers": N_(
        "There are no workers any more: start several servers on one PostgreSQL, each with a name"
        " (--node a, --node b) and a port, behind a proxy as in deploy/."
    ),
    "no_data_folder": N_("{path} cannot be made, to keep the tables in: {why}."),
}
"""By reason, why a server cannot be started."""

STORE_FAULTS: Final = {
    "store_url": N_(
        "“{text}” is no place for the data: write sqlite:///PATH or postgresql://USER@HOST/NAME."
    ),
    "store_not_opened": N_("{path} cannot hold the data: {why}."),
    "store_foreign": N_("{path} holds something else: name a database of Volte, or an empty one."),
    "store_newer": N_("{path} was made by a newer Volte: install it, or name another database."),
    "store_pooled": N_(
        "Something between here and {path} shares connections out, such as PgBouncer: name the"
        " address of PostgreSQL itself."
    ),
    "store_unreachable": N_(
        "The database {path} cannot be reached ({why}): start it, or name another one."
    ),
    "store_denied": N_("{path} does not let Volte in: look after the name and the password."),
    "store_in_use": N_("A server has {path} open: stop it first, then try again."),
    "copy_exists": N_("{path} is there already: name another file, or write --force."),
    "copy_of_itself": N_("{path} is the database itself: name another file for the copy."),
    "copy_damaged": N_("{path} is damaged, and nothing was changed: take an older copy."),
    "not_sqlite": N_(
        "The data is in PostgreSQL, which copies itself: use pg_dump, and pg_restore to put it"
        " back."
    ),
    "store_missing": N_("{path} does not exist: create that database, or name another one."),
}
"""By reason; `path` is a file, or the address of a database without its password."""

STORE_WHY: Final = (
    N_("Connection refused"),
    N_("Name or service not known"),
    N_("another program holds it"),
    N_("it is damaged"),
)
"""What keeps a database from being used."""

ACCOUNT_FAULTS: Final = {
    "bad_login": N_("A login has {least} to {most} letters, digits or signs: choose such a one."),
    "login_taken": N_("Somebody else has this login: choose another one."),
    "password_length": N_("A password has {least} to {most} characters: choose such a one."),
    "password_own": N_("Others would try your login or name first: choose another password."),
    "password_common": N_("Others would try this password early on: choose another one."),
    "wrong_login": N_("Login and password do not go together: look at both, and try again."),
    "wrong_present": N_("That is not your present password: try again."),
    "wrong_code": N_("Login and code do not go together, or the code was used: look at both."),
    "wrong_name": N_("That is not your name: to be deleted, type “{player}”."),
}
"""By reason, what is wrong with what somebody types about their account."""

PEOPLE_FAULTS: Final = {
    "login_missing": N_("Say whose account: “{command}” needs a login, and “volte people list”"
                        " tells them."),
    "no_such_login": N_("Nobody has the login “{text}”: “volte people list” tells them all."),
    "no_such_role": N_("A role is moderator, administrator or none, and not “{text}”."),
    "delete_unsure": N_("To delete {player} for good, add --yes: there is no way back."),
    "reckon_unsure": N_("To work out all results and ratings anew, add --yes: those there are now"
                        " are thrown away, and “volte backup” keeps them before."),
    "database_away": N_("The database does not answer at the moment: try again soon."),
}  # fmt: skip
"""By reason, what is wrong with a command of `volte people`."""
