"""The pages of accounts: making, changing, signing in; and recovery codes."""

from __future__ import annotations

from functools import partial
from time import time
from typing import Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.forms.fields import FilledForm, Wrong
from volte.names import clean_name
from volte.people.account_form import CONFIRMED, NEW_PASSWORD, Form, LabelledField, show
from volte.people.passwords import (
    AccountFault,
    check_password,
    login_to_find,
    own_account,
    owner_of,
    read_login,
    signed_in,
    sure_by_password,
)
from volte.people.sessions import Cookies, become, give_cookies, hashed, known_device, still_here
from volte.people.store import (
    CODES_AT_ONCE,
    Account,
    Accounts,
    Passkeys,
    code_key,
    codes_replaced,
    new_codes,
)
from volte.say import N_
from volte.say.measures import day_and_time
from volte.store import Conflict
from volte.store.store import session_lasts
from volte.web.again import brought_back
from volte.web.logs import get_logger
from volte.web.page import as_page, done_text, local_path, page
from volte.web.refused import Refused
from volte.web.room import change_person, room_of
from volte.web.visit import NameWanted, Visit, route, see_other


def routes() -> list[BaseRoute]:
    return [
        route("/account", show_account),
        route("/account", make, methods=["POST"]),
        route("/account/name", ask_name),
        route("/account/name", change_name, methods=["POST"]),
        route("/account/login", ask_login),
        route("/account/login", change_login, methods=["POST"]),
        route("/account/password", ask_password),
        route("/account/password", change_password, methods=["POST"]),
        route("/account/codes", ask_codes),
        route("/account/codes", change_codes, methods=["POST"]),
        route("/signin", ask_sign_in),
        route("/signin", sign_in, methods=["POST"]),
        route("/recover", ask_code),
        route("/recover", recover, methods=["POST"]),
    ]


log = get_logger("volte.server")

NEW_LOGIN = LabelledField(
    "login",
    meant=read_login,
    label=N_("Username"),
    help=N_(
        "You sign in with your username; nobody else sees it. {shortest} to {longest} "
        "characters; capitals make no difference."
    ),
    autocomplete="username",
)
MAKE = Form(
    N_("Create an account"),
    N_("Create the account"),
    (NEW_LOGIN, NEW_PASSWORD),
    (
        N_(
            "You keep your name, tables, matches and settings, and can come back from any"
            " browser. No email address is needed."
        ),
    ),
)
NAME = Form(
    N_("Change your name"),
    N_("Save"),
    (
        LabelledField(
            "name",
            meant=clean_name,
            label=N_("Your name"),
            help=N_(
                "At most {most} characters. Matches you have already played keep your old name."
            ),
            autocomplete="nickname",
        ),
    ),
)
LOGIN_FORM = Form(N_("Change your username"), N_("Save"), (NEW_LOGIN, CONFIRMED))
PASSWORD = Form(
    N_("Change your password"),
    N_("Save"),
    (CONFIRMED, NEW_PASSWORD),
    (N_("All your other devices will be signed out."),),
)
CODES_FORM = Form(
    N_("New recovery codes"),
    N_("Create new codes"),
    (CONFIRMED,),
    (N_("Your current codes will stop working."),),
)


CHANGED_MEANWHILE = AccountFault("wrong_present", CONFIRMED.name)
"""The fault where the password was right when it was checked, and has been changed since."""


async def show_account(visit: Visit) -> Response:
    """The page of an account; for a guest the form that makes one."""
    if visit.person is None:
        raise NameWanted("/account")
    account = await own_account(visit)
    if account is None:
        return show(visit, MAKE)
    return page(
        visit,
        "account.html",
        account=account,
        made=day_and_time(visit.words, account.made),
        changed=day_and_time(visit.words, account.changed),
        codes_left=await room_of(visit).store[Accounts].codes_left(account.person),
        done=done_text(visit, DONE),
    )


DONE: Final = {
    "name_changed": N_("Your name has been changed. It will show from your next table on."),
    "login_changed": N_("Your username has been changed."),
    "password_changed": N_(
        "Your password has been changed, and all your other devices have been signed out."
    ),
}
"""Messages about what has just been done, by `done` in the query."""


async def make(visit: Visit) -> Response:
    """Make a guest's account; the guest stays the same person, with all they have played."""
    form = MAKE.typed(await visit.fields())
    person = visit.known()
    if await own_account(visit) is not None:  # the answer was loaded again
        return see_other("/account")
    try:
        login = form.read()["login"]
        password = check_password(visit, form["password"], login, person.name)
        await _ask_for(visit, login)
        secret, now = await room_of(visit).passwords.hash(password, visit.whose), time()
        codes = new_codes()
        keys = [code_key(person.id, code) for code in codes]
        account = Account(person.id, login, secret, now, now)
        making = partial(room_of(visit).store[Accounts].make, account, keys)
        cookies = await become(visit, person, making, goes_on=True, known=True)
    except Conflict:
        return show(visit, MAKE, form, AccountFault("login_taken", "login"))
    except (Wrong, AccountFault, Refused) as fault:
        return show(visit, MAKE, form, fault, "login")
    log.info("account_made", person=person.id)
    return _codes_page(visit, cookies, codes, N_("Your account is ready"))


async def _ask_for(visit: Visit, login: str) -> None:
    """Count a request for a login, as the answer tells whether it exists. Raises `Refused` 429."""
    await visit.room.limits.spend("sign_in", visit.address, login=login)


async def ask_name(visit: Visit) -> Response:
    return show(visit, NAME, NAME.of(name=visit.known().name))


async def change_name(visit: Visit) -> Response:
    """Change the name from the next table on; past matches keep the old one."""
    form = NAME.typed(await visit.fields())
    person = visit.known()
    try:
        name = form.read()["name"]
    except Wrong as wrong:
        return show(visit, NAME, form, wrong)
    await change_person(visit, lambda person: replace(person, name=name))
    await room_of(visit).store.bus.publish("person", person.id)
    return see_other("/account?done=name_changed")


async def ask_login(visit: Visit) -> Response:
    account = await _account(visit)
    return show(visit, LOGIN_FORM, LOGIN_FORM.of(login=account.login))


async def change_login(visit: Visit) -> Response:
    form = LOGIN_FORM.typed(await visit.fields())
    account = await _account(visit)
    try:
        login = form.read()["login"]
        account = await confirm(visit, form)
        await _ask_for(visit, login)
        await (
            room_of(visit)
            .store[Accounts]
            .change(account, replace(account, login=login), session_lasts(hashed(visit.token)))
        )
    except Conflict:
        await still_here(visit)
        owner = await room_of(visit).store[Accounts].by_login(login)
        fault = AccountFault("login_taken", "login") if owner is not None else CHANGED_MEANWHILE
        return show(visit, LOGIN_FORM, form, fault)
    except (Wrong, AccountFault, Refused) as fault:
        return show(visit, LOGIN_FORM, form, fault)
    return see_other("/account?done=login_changed")


async def ask_password(visit: Visit) -> Response:
    await _account(visit)
    return show(visit, PASSWORD)


async def change_password(visit: Visit) -> Response:
    """Change the password; all other sessions end, and only this device stays a known one."""
    form = PASSWORD.typed(await visit.fields())
    person, room = visit.known(), room_of(visit)
    await _account(visit)
    try:
        account = await confirm(visit, form)
        text = check_password(visit, form["password"], account.login, person.name)
        changed = replace(
            account, password=await room.passwords.hash(text, visit.whose), changed=time()
        )
        changing = partial(room.store[Accounts].change, account, changed)
        cookies = await become(visit, person, changing, goes_on=True, known=True, alone=True)
    except Conflict:
        return show(visit, PASSWORD, form, CHANGED_MEANWHILE)
    except (AccountFault, Refused) as fault:
        return show(visit, PASSWORD, form, fault)
    log.info("password_changed", person=person.id)
    response = see_other("/account?done=password_changed")
    give_cookies(visit, response, cookies)
    return response


async def ask_codes(visit: Visit) -> Response:
    await _account(visit)
    return show(visit, CODES_FORM)


async def change_codes(visit: Visit) -> Response:
    """Replace all recovery codes by new ones."""
    form = CODES_FORM.typed(await visit.fields())
    person = visit.known()
    await _account(visit)
    codes = new_codes()
    keys = [code_key(person.id, code) for code in codes]
    try:
        sure = partial(room_of(visit).store[Accounts].sure, await confirm(visit, form))
        cookies = await become(visit, person, sure, *codes_replaced(person.id, keys), goes_on=True)
    except Conflict:
        return show(visit, CODES_FORM, form, CHANGED_MEANWHILE)
    except (AccountFault, Refused) as fault:
        return show(visit, CODES_FORM, form, fault)
    log.info("codes_made", person=person.id)
    return _codes_page(visit, cookies, codes, N_("New recovery codes"))


async def confirm(visit: Visit, form: FilledForm) -> Account:
    """The account of the visitor, who has typed its password once more. Raises `AccountFault` and
    `Refused`.

    The password may be changed before anything is written: `Accounts.sure` checks for that.
    """
    account = await sure_by_password(visit, form[CONFIRMED.name])
    if account is None:
        raise AccountFault("wrong_present", CONFIRMED.name)
    return account


def _codes_page(visit: Visit, cookies: Cookies, codes: tuple[str, ...], heading: str) -> Response:
    """The only page that ever shows the codes; it also gives the cookies of a new session."""
    response = page(visit, "codes.html", codes=codes, heading=heading, most=CODES_AT_ONCE)
    give_cookies(visit, response, cookies)
    return response


async def _account(visit: Visit) -> Account:
    """The account of the visitor. Raises `Refused` for a guest."""
    visit.someone()
    account = await own_account(visit)
    if account is None:
        raise Refused(403, "no_account")
    return account


# Signing in


LOGIN: Final = LabelledField("login", label=N_("Username"), autocomplete="username")
SIGN_IN: Final = Form(
    N_("Sign in"),
    N_("Sign in"),
    (
        LOGIN,
        LabelledField(
            "password", label=N_("Password"), secret=True, autocomplete="current-password"
        ),
    ),
    template="signin.html",
)
RECOVER: Final = Form(
    N_("Use a recovery code"),
    N_("Save the new password"),
    (
        LOGIN,
        LabelledField(
            "code",
            label=N_("Recovery code"),
            help=N_("Four groups of four characters; capitals and hyphens make no difference."),
            autocomplete="one-time-code",
        ),
        NEW_PASSWORD,
    ),
    (
        N_(
            "You were given recovery codes when you created your account. With one of them you"
            " can choose a new password."
        ),
        N_("No codes left? Ask the person who runs this playroom for new ones."),
    ),
)


async def ask_sign_in(visit: Visit) -> Response:
    return await _sign_in_page(visit, local_path(visit.query_params.get("next", "")))


async def _sign_in_page(
    visit: Visit,
    following: str,
    form: FilledForm | None = None,
    fault: AccountFault | Refused | None = None,
) -> Response:
    """The form for signing in; it warns a guest that they would no longer be this guest here."""
    guest = visit.person is not None and await own_account(visit) is None
    return show(visit, SIGN_IN, form, fault, "password", next=following, guest=guest)


async def sign_in(visit: Visit) -> Response:
    """Sign the browser in as the account's owner."""
    sent = await visit.fields()
    form = SIGN_IN.typed(sent)
    following = local_path(str(sent.get("next", "")))
    visit.visitor.carried = str(sent.get("carried", ""))
    try:
        _, cookies = await signed_in(visit, form["login"], form["password"])
    except (AccountFault, Refused) as fault:
        return await _sign_in_page(visit, following, form, fault)
    again = await brought_back(visit, visit.visitor.carried)
    response = see_other(following) if again is None else as_page(visit, again)
    give_cookies(visit, response, cookies)
    return response


# Without the password


async def ask_code(visit: Visit) -> Response:
    return show(visit, RECOVER, RECOVER.of(login=visit.query_params.get("login", "")))


async def recover(visit: Visit) -> Response:
    """Set a new password for somebody with a recovery code, which is used up; all sessions end."""
    form = RECOVER.typed(await visit.fields())
    try:
        fields = [form[name] for name in ("login", "code", "password")]
        person, cookies = await _recovered(visit, *fields)
    except (AccountFault, Refused) as fault:
        return show(visit, RECOVER, form, fault, "code")
    left = await room_of(visit).store[Accounts].codes_left(person)
    passkeys = await room_of(visit).store[Passkeys].of(person)
    response = page(visit, "recovered.html", codes_left=left, passkeys=len(passkeys))
    give_cookies(visit, response, cookies)
    return response


async def _recovered(visit: Visit, login: str, code: str, password: str) -> tuple[str, Cookies]:
    """Set a new password by a recovery code, and make its owner the visitor: their id, and the
    cookies to give.

    An unknown login takes the same work, and a wrong code little: nobody guesses 80 bits, so tries
    are counted by address alone. Raises `AccountFault` and `Refused`.
    """
    room, name = room_of(visit), login_to_find(login)
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
        changed = replace(
            account, password=await room.passwords.hash(text, visit.whose), changed=time()
        )
        person = await owner_of(visit, account)
        recovering = partial(room.store[Accounts].recover, changed, key)
        cookies = await become(visit, person, recovering, known=True, alone=True)
    except Conflict:
        log.warning("recovery_failed", person=account.person)
        raise AccountFault("wrong_code", "code") from None
    log.info("recovered", person=person.id)
    return person.id, cookies
