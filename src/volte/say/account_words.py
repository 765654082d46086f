"""Accounts: how one keeps a name, comes back, and leaves; what their pages and commands say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import N_

PAGES: Final[Mapping[str, str]] = {
    # On other pages
    "sign_in": N_("Sign in"),
    "have_account": N_("You have an account already? Sign in."),
    "you_are_here_as": N_("You are here as {name}."),
    # The settings
    "you": N_("You"),
    "you_are_guest": N_(
        "You are here as {name}, a guest. This browser alone knows you: without an account, nobody"
        " can give you your name and your matches back."
    ),
    "you_are": N_("You are {name}, and sign in as “{login}”."),
    "account_keep": N_("Keep your name: make an account"),
    "account": N_("Your account"),
    "sessions": N_("Where you are signed in"),
    "data": N_("Your data"),
    "leave_account": N_("Sign out"),
    "leave_account_help": N_("At this device. You come back by your login and password."),
    # Making an account
    "account_make": N_("Make an account"),
    "account_make_about": N_(
        "You stay who you are, with your tables, matches and settings, and can come back at any"
        " browser. No address is asked for."
    ),
    "account_make_do": N_("Make the account"),
    "login": N_("Login"),
    "login_help": N_(
        "What you type to come back; nobody else sees it. {shortest} to {longest} characters,"
        " capitals or not."
    ),
    "password_new": N_("New password"),
    "password_new_help": N_(
        "{least} characters or more, whatever you like: a few words are easy to keep in mind."
    ),
    "password_show": N_("Show what is typed"),
    "account_made": N_("Your account is made"),
    # Codes
    "codes_keep": N_(
        "Should you forget your password, one of these {most} codes lets you back in. Print them,"
        " or copy them to a safe place: they are shown now, and never again."
    ),
    "codes_list": N_("Your recovery codes"),
    "codes_once": N_("Each of them works once. Whoever has one can be you."),
    "codes_copy": N_("Copy the codes"),
    "codes_copied": N_("The codes are copied."),
    "codes_print": N_("Print this page"),
    "codes_kept": N_("I have kept them"),
    # The account
    "account_name": N_("Name, as the others see it"),
    "account_since": N_("Account since"),
    "account_password": N_("Password set"),
    "account_codes": N_("Recovery codes that are left"),
    "account_change": N_("What you can change"),
    "account_more": N_("What else is yours"),
    "name_change": N_("Change your name"),
    "name_help": N_("At most {most} characters. What you have played keeps the name it was under."),
    "login_change": N_("Change your login"),
    "password_change": N_("Change your password"),
    "password_change_about": N_("At all other devices you are signed out."),
    "codes_new": N_("New recovery codes"),
    "codes_new_about": N_("The codes you have no longer work then."),
    "codes_new_do": N_("Make new codes"),
    "save": N_("Save"),
    "password_present": N_("Your present password"),
    "password_present_help": N_("So that nobody does this at a browser you have left open."),
    "name_changed": N_("Your name is changed, from the next table on."),
    "login_changed": N_("Your login is changed."),
    "password_changed": N_("Your password is changed. At all other devices you are signed out."),
    # Signing in
    "password_own": N_("Password"),
    "sign_in_guest": N_(
        "This browser is {name} now, a guest. Once you have signed in it forgets them, and their"
        " matches stay theirs. To keep them, make an account of {name} instead."
    ),
    "sign_in_other": N_("This browser is {name} now. Once you have signed in, it is you."),
    "sign_in_forgotten": N_("Forgotten your password?"),
    "sign_in_new": N_("No account yet?"),
    "sign_in_new_help": N_("Say a name, play, and make an account whenever you like."),
    # Coming back by a code
    "recover": N_("Come back by a code"),
    "recover_about": N_(
        "You were given recovery codes when you made your account. One of them lets you choose a"
        " new password."
    ),
    "recover_else": N_(
        "If you have none left, ask whoever runs this playroom: they can make new ones for you."
    ),
    "recover_do": N_("Set the new password"),
    "code": N_("Recovery code"),
    "code_help": N_("Four groups of four; capitals and hyphens do not matter."),
    "recovered": N_("Welcome back"),
    "recovered_about": N_(
        "Your password is set, and you are signed in here. At all other devices you are signed out."
    ),
    "recovered_passkeys": N_(
        "Look through your passkeys: whoever had your account may have left one of theirs."
    ),
    "codes_left": N_("Recovery codes that you have left: {count}."),
    "codes_few": N_("Make new codes before you need them."),
    # Sessions
    "sessions_about": N_(
        "A device that you do not know? End it, then change your password. Ended devices leave"
        " their tables at once."
    ),
    "session_begun": N_("Signed in"),
    "session_used": N_("Last used"),
    "session_here": N_("this one"),
    "session_end": N_("End"),
    "session_end_of": N_("End: {device}, signed in {begun}"),
    "session_end_here": N_("End this one: sign out here"),
    "sessions_end_others": N_("End all others"),
    "sessions_none": N_("You are signed in nowhere else."),
    "session_ended": N_("That session is over."),
    "sessions_ended": N_("All other sessions are over."),
    "agent_both": N_("{browser} on {system}"),
    "agent_program": N_("Volte in a terminal"),
    "agent_unknown": N_("A device that does not say what it is"),
    # Data
    "data_about": N_(
        "What is kept about you: your name, language and settings; your account, if you have one;"
        " where you are signed in; the matches you have played, and what you have said, reported,"
        " rated and joined. No address, no birthday, nothing about your browser but its kind."
    ),
    "data_take": N_("Take it with you"),
    "data_take_about": N_(
        "One ZIP file: everything as text that programs read (JSON), what you did at every evening"
        " of a club, and the record of every match that is over, which Volte can replay."
    ),
    "data_take_do": N_("Download my data"),
    "data_delete": N_("Be forgotten for good"),
    "data_delete_link": N_("To the page where you can be deleted"),
    "data_delete_goes": N_(
        "Your name, settings, account, passkeys, codes and sessions go at once, and so do your"
        " score sheets, your ratings and what you have said at tables."
    ),
    "data_delete_stays": N_(
        "The matches you have played stay, as others have played in them too: in their records"
        " your name stands as it was told then, and likewise in the standings of clubs’ evenings"
        " to which you came. Reports that moderators have to judge stay until they have. At a table"
        " where you sit, a bot plays on for you."
    ),
    "data_delete_final": N_("There is no way back. You may want to download your data first."),
    "data_delete_do": N_("Delete me"),
    "data_confirm": N_("Type your name"),
    "data_confirm_help": N_("Exactly as you are called here, so that it is no accident."),
    "data_deleted": N_("You are forgotten"),
    "data_deleted_about": N_("Whatever the playroom kept about you is gone. Farewell!"),
}

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
"""By reason."""
