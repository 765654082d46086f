"""One's account: made out of the guest one is, and changed; the codes for coming back."""

from __future__ import annotations

from time import time
from typing import Any, Final

from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.cards import Fault
from volte.names import clean_name
from volte.people import account_sessions, account_signin
from volte.people.account_form import CONFIRMED, Asked, Form, show
from volte.people.account_passwords import (
    AccountFault,
    check_password,
    own_account,
    read_login,
    sure_by_password,
)
from volte.people.account_sessions import when
from volte.people.known_devices import know_device
from volte.people.sessions import Sessions, become, begin, give_cookie
from volte.say import N_, Words
from volte.store import Conflict, Person
from volte.store.accounts import CODES_AT_ONCE, Account, code_key, new_codes
from volte.web.logs import get_logger
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import NameWanted, read_form, room_of, see_other, someone


def routes() -> list[BaseRoute]:
    return [
        Route("/account", show_account, methods=["GET"]),
        Route("/account", make, methods=["POST"]),
        Route("/account/name", ask_name, methods=["GET"]),
        Route("/account/name", change_name, methods=["POST"]),
        Route("/account/login", ask_login, methods=["GET"]),
        Route("/account/login", change_login, methods=["POST"]),
        Route("/account/password", ask_password, methods=["GET"]),
        Route("/account/password", change_password, methods=["POST"]),
        Route("/account/codes", ask_codes, methods=["GET"]),
        Route("/account/codes", change_codes, methods=["POST"]),
        *account_signin.routes(),
        *account_sessions.routes(),
    ]


log = get_logger("volte.server")

LOGIN = Asked(
    "login",
    N_("Login"),
    N_(
        "What you type to come back; nobody else sees it. {shortest} to {longest} characters,"
        " capitals or not."
    ),
    autocomplete="username",
)
NEW = Asked(
    "password",
    N_("New password"),
    N_("{least} characters or more, whatever you like: a few words are easy to keep in mind."),
    "password",
    "new-password",
)

MAKE = Form(
    N_("Make an account"),
    N_("Make the account"),
    (LOGIN, NEW),
    (
        N_(
            "You stay who you are, with your tables, matches and settings, and can come back at any"
            " browser. No address is asked for."
        ),
    ),
)
NAME = Form(
    N_("Change your name"),
    N_("Save"),
    (
        Asked(
            "name",
            N_("Your name"),
            N_("At most {most} characters. What you have played keeps the name it was under."),
            autocomplete="nickname",
        ),
    ),
)
LOGIN_FORM = Form(N_("Change your login"), N_("Save"), (LOGIN, CONFIRMED))
PASSWORD = Form(
    N_("Change your password"),
    N_("Save"),
    (CONFIRMED, NEW),
    (N_("At all other devices you are signed out."),),
)
CODES_FORM = Form(
    N_("New recovery codes"),
    N_("Make new codes"),
    (CONFIRMED,),
    (N_("The codes you have no longer work then."),),
)


CHANGED_MEANWHILE = AccountFault("wrong_present", CONFIRMED.name)
"""The password that was said was right, and is no longer."""


async def show_account(request: Request) -> Response:
    """What there is; for a guest the form that makes an account."""
    if request.state.person is None:
        raise NameWanted("/account")
    account = await own_account(request)
    if account is None:
        return show(request, MAKE)
    return page(request, "account.html", **await account_told(request, account))


async def account_told(request: Request, account: Account) -> dict[str, Any]:
    """What the page says of an account."""
    words: Words = request.state.words
    left = await room_of(request).store.accounts.codes_left(account.person)
    done = request.query_params.get("done", "")
    return {
        "account": account,
        "made": when(words, account.made),
        "changed": when(words, account.changed),
        "codes_left": left,
        "done": DONE.get(done, ""),
    }


DONE: Final = {
    "name_changed": N_("Your name is changed, from the next table on."),
    "login_changed": N_("Your login is changed."),
    "password_changed": N_("Your password is changed. At all other devices you are signed out."),
}
"""What the page can tell that has just been done."""


async def make(request: Request) -> Response:
    """An account for the guest who asks: they stay who they are, and all they have played."""
    form = await read_form(request)
    person = _person(request)
    if await own_account(request) is not None:  # the answer was loaded again
        return see_other("/account")
    try:
        login = read_login(_typed(form, "login"))
        password = check_password(request, _typed(form, "password"), login, person.name)
        hashed = await room_of(request).passwords.hash(password)
        codes = new_codes()
        now = time()
        account = Account(person.id, login, hashed, now, now)
        keys = [code_key(person.id, code) for code in codes]
        await room_of(request).store.accounts.make(account, keys)
    except Conflict:
        return show(request, MAKE, form, AccountFault("login_taken", "login"))
    except AccountFault as fault:
        return show(request, MAKE, form, fault)
    log.info("account_made", person=person.id)
    response = await _codes_page(request, person, codes, N_("Your account is made"))
    await know_device(request, response, person.id)
    return response


async def ask_name(request: Request) -> Response:
    return show(request, NAME, {"name": _person(request).name})


async def change_name(request: Request) -> Response:
    """Another name, from the next table on; what has been played is not written anew."""
    form = await read_form(request)
    person = _person(request)
    try:
        name = clean_name(_typed(form, "name"))
    except Fault as fault:
        return show(request, NAME, form, AccountFault(fault.reason, "name", **fault.params))
    await room_of(request).store.change_person(replace(person, name=name))
    await room_of(request).store.bus.publish("person", person.id)
    return see_other("/account?done=name_changed")


async def ask_login(request: Request) -> Response:
    account = await _account(request)
    return show(request, LOGIN_FORM, {"login": account.login})


async def change_login(request: Request) -> Response:
    form = await read_form(request)
    account = await _account(request)
    try:
        login = read_login(_typed(form, "login"))
        await confirm(request, form)
        await room_of(request).store.accounts.change(account, replace(account, login=login))
    except Conflict:
        owner = await room_of(request).store.accounts.by_login(login)
        fault = AccountFault("login_taken", "login") if owner is not None else CHANGED_MEANWHILE
        return show(request, LOGIN_FORM, form, fault)
    except (AccountFault, Refused) as fault:
        return show(request, LOGIN_FORM, form, fault)
    return see_other("/account?done=login_changed")


async def ask_password(request: Request) -> Response:
    account = await _account(request)
    return show(request, PASSWORD, {"login": account.login})


async def change_password(request: Request) -> Response:
    """Another password; wherever else the person is signed in, they are no more, and this is the
    one device that is known."""
    form = await read_form(request)
    person, account = _person(request), await _account(request)
    room = room_of(request)
    try:
        await confirm(request, form)
        text = check_password(request, _typed(form, "password"), account.login, person.name)
        changed = replace(account, password=await room.passwords.hash(text), changed=time())
        await room[Sessions].secured(account, changed, request.state.token)
    except Conflict:
        return show(request, PASSWORD, form, CHANGED_MEANWHILE)
    except (AccountFault, Refused) as fault:
        return show(request, PASSWORD, form, fault)
    log.info("password_changed", person=person.id)
    response = see_other("/account?done=password_changed")
    await begin(request, person, response)
    await know_device(request, response, person.id)
    return response


async def ask_codes(request: Request) -> Response:
    await _account(request)
    return show(request, CODES_FORM)


async def change_codes(request: Request) -> Response:
    """Ten new codes in place of those there were."""
    form = await read_form(request)
    person = _person(request)
    await _account(request)
    try:
        await confirm(request, form)
    except (AccountFault, Refused) as fault:
        return show(request, CODES_FORM, form, fault)
    codes = new_codes()
    keys = [code_key(person.id, code) for code in codes]
    await room_of(request).store.accounts.put_codes(person.id, keys)
    log.info("codes_made", person=person.id)
    return await _codes_page(request, person, codes, N_("New recovery codes"))


async def confirm(request: Request, form: FormData) -> None:
    """Whoever asks says their password once more. Raises `AccountFault` and `Refused`."""
    if not await sure_by_password(request, _typed(form, CONFIRMED.name)):
        raise AccountFault("wrong_present", CONFIRMED.name)


async def _codes_page(
    request: Request, person: Person, codes: tuple[str, ...], heading: str
) -> Response:
    """The only page on which the codes ever stand; the session is a new one from here on."""
    token = await become(request, person)
    response = page(request, "codes.html", codes=codes, heading=heading, most=CODES_AT_ONCE)
    give_cookie(request, response, token, room_of(request)[Sessions].lasting)
    return response


def _person(request: Request) -> Person:
    """Who asks. Raises `Refused` 401."""
    someone(request)
    person: Person = request.state.person
    return person


async def _account(request: Request) -> Account:
    """The account of who asks. Raises `Refused`."""
    someone(request)
    account = await own_account(request)
    if account is None:
        raise Refused(403, "no_account")
    return account


def _typed(form: FormData, name: str) -> str:
    return str(form.get(name, ""))
