"""What `volte people` and `volte reckon` say to whoever looks after a playroom."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language


def people_sentence(words: Language, name: str, /, **params: object) -> str:
    """The sentence of that name."""
    return words.t(PEOPLE[name], **params)


PEOPLE: Final = {
    "people_none": N_("Nobody has an account."),
    "people_none_such": N_("No account has “{text}” in its login or name."),
    "people_more": N_("There may be more: name a part of the login."),
    "people_one": N_("{login}: {name}, {role}, made {made}, last here {used}."),
    "people_never": N_("never"),
    "role_": N_("plays"),
    "role_moderator": N_("moderator"),
    "role_administrator": N_("administrator"),
    "people_codes": N_("New recovery codes of {login}; those from before no longer work:"),
    "people_codes_how": N_("With one of them a new password is chosen at the address /recover."),
    "people_role_is": N_("{login} has this role: {role}."),
    "people_nowhere": N_("{login} is signed in nowhere."),
    "people_session": N_("{device}, since {begun}, last used {used}."),
    "people_out": N_("{login} is signed out everywhere. Sessions ended: {count}."),
    "people_deleted": N_("{login} is forgotten for good."),
    "device_unknown": N_("unknown device"),
    "reckoned_none": N_("No match is over: there are no results, and no ratings."),
    "reckoned": N_("All results and ratings are worked out anew. Matches: {count}."),
    "reckoned_not": N_(
        "Matches of which nothing can be worked out: {count}. The log says where that fails."
    ),
}

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
"""By reason."""
