"""What a server says: why something is not done, and what `volte serve` tells whoever starts it."""

from __future__ import annotations

from math import ceil
from typing import Final

from volte.say.club_refusals import CLUB_SERVING
from volte.say.language import N_, Language
from volte.say.talk import TALK

MINUTE: Final = 60
"""Seconds."""


def serving_sentence(words: Language, reason: str, /, **params: object) -> str:
    """The sentence of that name; for one that has none, that something went wrong.

    Args:
        params: what it speaks of; `seconds` to wait are told as `wait`.
    """
    seconds = params.get("seconds")
    wait = {"wait": waiting_time(words, seconds)} if isinstance(seconds, int) else {}
    return words.t(SERVING.get(reason, SERVING["failed"]), **params, **wait)


def waiting_time(words: Language, seconds: int) -> str:
    """How long to wait, never less than that: "12 seconds", "5 minutes"."""
    if seconds <= 2 * MINUTE:
        return words.n("{count} second", "{count} seconds", seconds)
    return words.n("{count} minute", "{count} minutes", ceil(seconds / MINUTE))


SERVING: Final = {
    **CLUB_SERVING,
    **TALK,
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
    "passkey_confirm": N_("Show first, with one of your passkeys, that it is you."),
    "too_many_passkeys": N_("You have {most} passkeys already: remove one for another."),
    "no_passkey": N_("You have no such passkey."),
    # On the connection to a table
    "told_late": N_("You see this deal with every card, once it is over."),
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
    # Answers
    "no_match_yet": N_("No match has been begun yet."),
    "no_hints": N_("Nobody is given hints at this table."),
    "paused": N_("The match is paused."),
    "no_cards_held": N_("You hold no cards."),
    "no_hint_now": N_("There is nothing for you to choose now."),
    "no_such_language": N_("Volte speaks French and English."),
    # `volte serve`
    "serving": N_("The playroom is open: {address}"),
    "serving_already": N_("The playroom is open already: {address}"),
    "no_locks": N_(
        "The disk of {path} knows no locks: see that only one server at a time has that database."
    ),
    "serving_house": N_("Others in your house come in here: {address}"),
    "serving_stop": N_("Ctrl-C closes it; nothing is lost."),
    "serving_stopped": N_("The playroom is closed. Everything is kept."),
}
"""By reason."""

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
