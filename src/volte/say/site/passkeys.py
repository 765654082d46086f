"""The page of somebody's passkeys, and signing in with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import N_

PAGES: Final[Mapping[str, str]] = {
    "passkeys": N_("Passkeys"),
    "passkeys_intro": N_(
        "With a passkey you sign in as you unlock your device: by finger, face or PIN, or by a"
        " security key. Nothing that could be stolen is kept here, and there is nothing to learn"
        " by heart."
    ),
    "passkeys_guest": N_(
        "You have no password here: this browser alone knows who you are. With a passkey you can"
        " come back from elsewhere, too."
    ),
    "passkeys_mine": N_("Your passkeys"),
    "passkeys_none": N_("You have none yet."),
    "passkeys_full": N_("You have as many passkeys as anybody may have: remove one for another."),
    "passkey_make_title": N_("Make a passkey"),
    "passkey_name": N_("Name of the passkey"),
    "passkey_name_help": N_("By which you know it again, such as the device that it is on."),
    "passkey_usual": N_("Passkey {number}"),
    "passkey_password": N_("Your password"),
    "passkey_password_help": N_("So that nobody does this who only sits down at your browser."),
    "passkey_make": N_("Make the passkey"),
    "passkey_made": N_("Made"),
    "passkey_used": N_("Last used"),
    "passkey_never": N_("never"),
    "passkey_change": N_("Change"),
    "passkey_change_one": N_("Change: {name}"),
    "passkey_one": N_("Passkey: {name}"),
    "passkey_rename": N_("Call it that"),
    "passkey_remove_title": N_("Remove this passkey"),
    "passkey_remove_help": N_(
        "It opens nothing here any more. Delete it on your device as well: this page cannot."
    ),
    "passkey_remove_last": N_(
        "You have no password and no other passkey: afterwards this browser alone knows who you"
        " are."
    ),
    "passkey_remove_proof": N_("Your browser asks you for one of your passkeys first."),
    "passkey_remove": N_("Remove the passkey"),
    "passkeys_back": N_("Back to the passkeys"),
    "passkey_added": N_("The passkey is kept: from now on you can sign in with it."),
    "passkey_renamed": N_("The passkey has its new name."),
    "passkey_removed": N_("The passkey is removed. Delete it on your device as well."),
    "passkey_sign_in_title": N_("With a passkey"),
    "passkey_sign_in": N_("Sign in with a passkey"),
    "passkey_sign_in_help": N_("By finger, face, PIN or security key: no name, no password."),
    "passkey_script": N_("Passkeys need JavaScript: please allow it for this site."),
    "passkey_password_wrong": N_("That is not your password."),
    # Said by the script
    "passkey_unsupported": N_("This browser cannot use passkeys."),
    "passkey_insecure": N_(
        "Passkeys work over HTTPS only, or on the machine of the server itself."
    ),
    "passkey_nameless": N_(
        "Passkeys need an address with a name. On this machine, that is the same address with"
        " “localhost” in place of the number."
    ),
    "passkey_waiting": N_("Your browser or your device asks you now."),
    "passkey_confirmed": N_(
        "Thank you, it is you. Press the button once more to make the new passkey."
    ),
    "passkey_cancelled": N_("Nothing was done: it was cancelled, or took too long. Try again."),
    "passkey_known": N_("This device has a passkey for you already."),
    "passkey_elsewhere": N_("Your browser does not allow passkeys at this address."),
    "passkey_unfit": N_("This device cannot make a passkey that asks for finger, face or PIN."),
    "passkey_failed": N_("That did not work. Try again."),
    "passkey_offline": N_("The server cannot be reached. Try again in a moment."),
}
