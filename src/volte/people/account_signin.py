"""Signing in by login and password, and coming back by a code."""

from __future__ import annotations

from time import time
from typing import Final

from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.account_form import NEW_PASSWORD, SECRET, Form, FormField, show, value
from volte.people.known_devices import know_device, known_device
from volte.people.passwords import (
    AccountFault,
    account_of,
    check_password,
    login_to_find,
    own_account,
    owner_of,
)
from volte.people.sessions import Sessions, become, begin, give_cookie
from volte.people.store import Account, Accounts, Passkeys, code_key
from volte.say import N_
from volte.store import Conflict, Person
from volte.web.logs import get_logger
from volte.web.page import local_path, page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

log = get_logger("volte.server")

LOGIN: Final = FormField("login", N_("Login"), autocomplete="username")
SIGN_IN: Final = Form(
    N_("Sign in"),
    N_("Sign in"),
    (LOGIN, FormField("password", N_("Password"), "", SECRET, "current-password")),
    template="signin.html",
)
RECOVER: Final = Form(
    N_("Come back by a code"),
    N_("Set the new password"),
    (
        LOGIN,
        FormField(
            "code",
            N_("Recovery code"),
            N_("Four groups of four; capitals and hyphens do not matter."),
            autocomplete="one-time-code",
        ),
        NEW_PASSWORD,
    ),
    (
        N_(
            "You were given recovery codes when you made your account. One of them lets you choose"
            " a new password."
        ),
        N_(
            "If you have none left, ask whoever runs this playroom: they can make new ones for you."
        ),
    ),
)


def routes() -> list[BaseRoute]:
    return [
        route("/signin", ask),
        route("/signin", sign_in, methods=["POST"]),
        route("/recover", ask_code),
        route("/recover", recover, methods=["POST"]),
    ]


async def ask(visit: Visit) -> Response:
    return await _sign_in_page(visit, local_path(visit.query_params.get("next", "")))


async def _sign_in_page(
    visit: Visit,
    following: str,
    form: FormData | None = None,
    fault: AccountFault | Refused | None = None,
) -> Response:
    """The form; a guest is told that they would no longer be who they are here."""
    guest = visit.person is not None and await own_account(visit) is None
    return show(visit, SIGN_IN, form, fault, "password", next=following, guest=guest)


async def sign_in(visit: Visit) -> Response:
    """Makes the browser that of the account's owner."""
    form = await visit.fields()
    following = local_path(value(form, "next"))
    try:
        account = await account_of(visit, value(form, "login"), value(form, "password"))
    except (AccountFault, Refused) as fault:
        return await _sign_in_page(visit, following, form, fault)
    person = await owner_of(visit, account)
    response = see_other(following)
    await begin(visit, person, response)
    await know_device(visit, response, person.id)
    log.info("signed_in", person=person.id)
    return response


# Without the password


async def ask_code(visit: Visit) -> Response:
    return show(visit, RECOVER, {"login": visit.query_params.get("login", "")})


async def recover(visit: Visit) -> Response:
    """Sets a new password for somebody who has a code, which is used up; all sessions end."""
    form = await visit.fields()
    try:
        fields = [value(form, name) for name in ("login", "code", "password")]
        person, left = await _recovered(visit, *fields)
    except (AccountFault, Refused) as fault:
        return show(visit, RECOVER, form, fault, "code")
    await become(visit, person)
    passkeys = await visit.room.store[Passkeys].of(person.id)
    response = page(visit, "recovered.html", codes_left=left, passkeys=len(passkeys))
    give_cookie(visit, response, visit.token)
    await know_device(visit, response, person.id)
    return response


async def _recovered(visit: Visit, login: str, code: str, password: str) -> tuple[Person, int]:
    """Whose password was set, and how many codes they have left.

    As much is done where there is no such login, and little for any wrong code: nobody guesses
    80 bits, so tries are counted by address alone. Raises `AccountFault` and `Refused`.
    """
    room, name = visit.room, login_to_find(login)
    text = check_password(visit, password, name)
    account = await room.store[Accounts].by_login(name) or Account("", name, "", 0, 0)
    device = await known_device(visit, account.person)
    if device:
        await room.limits.spend("device", f"code {device}")
    else:
        await room.limits.spend("code", visit.address)
    key = code_key(account.person, code)
    try:
        if not await room.store[Accounts].has_code(key):
            raise Conflict
        hashed = await room.passwords.hash(text)
        changed = replace(account, password=hashed, changed=time())
        await room[Sessions].recovered(changed, key)
    except Conflict:
        log.warning("recovery_failed", person=account.person)
        raise AccountFault("wrong_code", "code") from None
    person = await owner_of(visit, account)
    log.info("recovered", person=person.id)
    return person, await room.store[Accounts].codes_left(person.id)
