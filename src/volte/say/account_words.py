"""Accounts: how one keeps a name, comes back, and leaves; what their pages and commands say."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_

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
