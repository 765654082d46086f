"""Passkeys: signing in by a finger, a face or a PIN, and the list of one's passkeys.

The script of the pages (`static/passkeys.js`) asks for a challenge, has the browser sign it, and
sends the answer on: all by forms that are read like any other, and answered in JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import count
from time import time
from typing import Any, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from volte.forms.fields import Field, FilledForm, Wrong, declared
from volte.names import clean_name
from volte.people.passkey_proof import (
    SIGN_IN,
    ask_for_proof,
    ask_to_make,
    confirming,
    made,
    proved,
    using,
)
from volte.people.passwords import has_password, sure_by_password
from volte.people.sessions import begin, hashed, known_device, still_here
from volte.people.store import Accounts, Passkey, Passkeys, passkey_gone
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.store import Conflict
from volte.store.store import session_lasts
from volte.store.writer import Writing
from volte.web.logs import get_logger
from volte.web.page import done_text, form_page, local_path, page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

MOST_PASSKEYS: Final = 20  # passkeys of one person
LONGEST_NAME: Final = 40
PAGE: Final = "/account/passkeys"

FIELDS: Final = declared(
    Field("name", meant=lambda name: clean_name(name, LONGEST_NAME)),
    Field("password", secret=True),
    Field("proof", secret=True),  # signed by another passkey
)

log = get_logger("volte.server")


DONE: Final = {
    "added": N_("The passkey has been saved: you can now sign in with it."),
    "renamed": N_("The passkey has been renamed."),
    "removed": N_("The passkey has been removed. Delete it on your device as well."),
}
"""Messages about what has just been done, by `done` in the query."""


def routes() -> list[BaseRoute]:
    return [
        route(PAGE, show),
        route(f"{PAGE}/challenge", challenge, methods=["POST"]),
        route(f"{PAGE}/signin", sign_in, methods=["POST"]),
        route(f"{PAGE}/options", options, methods=["POST"]),
        route(f"{PAGE}/add", add, methods=["POST"]),
        route(f"{PAGE}/{{key}}", show_one),
        route(f"{PAGE}/{{key}}/name", rename, methods=["POST"]),
        route(f"{PAGE}/{{key}}/remove", remove, methods=["POST"]),
    ]


# Pages


async def show(visit: Visit) -> Response:
    """The passkeys of the visitor, and a form for one more."""
    words = visit.words
    keys = await _passkeys(visit)
    return page(
        visit,
        "passkeys.html",
        keys=[_row(words, each) for each in keys],
        done=done_text(visit, DONE),
        full=len(keys) >= MOST_PASSKEYS,
        called=_usual_name(words, keys),
        longest=LONGEST_NAME,
        **await _ways(visit, keys),
    )


async def show_one(visit: Visit) -> Response:
    """The page of one passkey, to rename or remove it."""
    return await _one(visit, await _own(visit))


async def _one(
    visit: Visit, passkey: Passkey, form: FilledForm | None = None, wrong: Wrong | None = None
) -> Response:
    form = form or FilledForm.of(FIELDS, {"name": passkey.name})
    ways = await _ways(visit, await _passkeys(visit))
    key = _row(visit.words, passkey)
    return form_page(visit, "passkey.html", form, wrong, key=key, longest=LONGEST_NAME, **ways)


async def _ways(visit: Visit, keys: Sequence[Passkey]) -> dict[str, Any]:
    """Facts for the templates: the ways in which the visitor can confirm who they are."""
    ways = {"has_password": await has_password(visit)}
    return ways | {"has_passkey": bool(keys), "last": len(keys) == 1}


def _row(words: Words, passkey: Passkey) -> dict[str, str]:
    """A passkey as the pages show it to its owner."""
    used = passkey.used
    return {
        "key": _key(passkey),
        "name": passkey.name,
        "made": day_and_time(words, passkey.made),
        "used": words.t("never") if used is None else day_and_time(words, used),
    }


def _usual_name(words: Words, keys: Sequence[Passkey]) -> str:
    """A name for the next passkey that none has yet."""
    names = {each.name for each in keys}
    usual = (words.t("Passkey {number}", number=number) for number in count(1))
    return next(each for each in usual if each not in names)


# Making one


async def options(visit: Visit) -> Response:
    """The options with which the browser makes a passkey, or the faults of the form."""
    form = FilledForm.typed(FIELDS, await visit.fields())
    person = visit.known()
    await _spend(visit)
    known = await _passkeys(visit)
    if len(known) >= MOST_PASSKEYS:
        raise Refused(422, "too_many_passkeys", most=MOST_PASSKEYS)
    doubt, sure = await _doubt(visit, form)
    try:
        form.read(lambda _: doubt)
        return _json(await ask_to_make(visit, person, known, sure))
    except Conflict:
        return _wrong(visit, _not_the_password())
    except Wrong as wrong:
        return _wrong(visit, wrong)


async def add(visit: Visit) -> Response:
    """Store the passkey that the browser has made."""
    sent = await visit.fields()
    person = visit.known()
    try:
        name = FilledForm.typed(FIELDS, sent).read()["name"]
    except Wrong:
        name = visit.words.t("Passkey {number}", number=1)
    passkey = await made(visit, str(sent.get("credential", "")), person, name, time())
    try:
        await room_of(visit).store[Passkeys].add(passkey, session_lasts(hashed(visit.token)))
    except Conflict:
        await still_here(visit)
        raise Refused(409, "passkey_known") from None
    log.info("passkey_added", person=person.id)
    return JSONResponse({"next": f"{PAGE}?done=added"})


# Signing


async def challenge(visit: Visit) -> Response:
    """The options with which the browser signs a challenge: to sign in, or to confirm a person."""
    form = await visit.fields()
    await _spend(visit)
    if form.get("purpose") != "confirm":
        return _json(await ask_for_proof(visit, SIGN_IN, []))
    known = await _passkeys(visit)
    if not known:
        raise Refused(422, "passkey_unknown")
    return _json(await ask_for_proof(visit, confirming(visit.known()), known))


async def sign_in(visit: Visit) -> Response:
    """Sign the browser in as the passkey's owner."""
    form = await visit.fields()
    try:
        proof = await proved(visit, str(form.get("proof", "")), SIGN_IN, None)
        person = await room_of(visit).store.person(proof.passkey.person)
        if person is None:
            raise Refused(403, "passkey_unknown")
        response = JSONResponse({"next": local_path(str(form.get("next", "")))})
        await begin(visit, person, response, partial(using, visit, proof), known=True)
    except Refused as refused:
        log.warning("sign_in_failed", how="passkey", why=refused.reason)
        raise
    log.info("signed_in", person=person.id, how="passkey")
    return response


# Changing one


async def rename(visit: Visit) -> Response:
    form = FilledForm.typed(FIELDS, await visit.fields())
    passkey = await _own(visit)
    try:
        name = form.read()["name"]
    except Wrong as wrong:
        return await _one(visit, passkey, form, wrong)
    await room_of(visit).store[Passkeys].rename(passkey, name)
    return see_other(f"{PAGE}?done=renamed")


async def remove(visit: Visit) -> Response:
    """Remove a passkey, once its owner has confirmed who they are."""
    form = FilledForm.typed(FIELDS, await visit.fields())
    passkey = await _own(visit)
    in_background = visit.headers.get("x-volte") == "1"
    wrong, sure = await _doubt(visit, form)
    if not wrong:
        try:
            await sure(passkey_gone(passkey))
        except Conflict:
            wrong = [_not_the_password()]
    if wrong and in_background:
        return _wrong(visit, wrong[0])
    if wrong:
        return await _one(visit, passkey, wrong=wrong[0])
    log.info("passkey_removed", person=passkey.person)
    following = f"{PAGE}?done=removed"
    return JSONResponse({"next": following}) if in_background else see_other(following)


async def _doubt(visit: Visit, form: FilledForm) -> tuple[list[Wrong], Writing]:
    """Faults of the visitor's proof that it is still them; empty where there are none. With them,
    a way to write that fails with `Conflict` or `Refused` if the proof no longer holds.

    Somebody with a password types it; somebody who has passkeys alone uses one of them; a guest
    has only the cookie, which came with the request.
    """
    store = room_of(visit).store
    if await has_password(visit):
        account = await sure_by_password(visit, form["password"])
        if account is not None:
            return [], partial(store[Accounts].sure, account)
        return [_not_the_password()], store.write
    person, proof = visit.known(), form["proof"]
    if not await _passkeys(visit):
        return [], store.write
    if proof:
        return [], partial(using, visit, await proved(visit, proof, confirming(person), person))
    doubt = Wrong("proof", N_("Confirm first that it is you, with one of your passkeys."))
    return [doubt], store.write


def _not_the_password() -> Wrong:
    return Wrong("password", N_("That is not your password. Try again."))


# Helpers


async def _spend(visit: Visit) -> None:
    """Count a request for a challenge: by a known device, else by address. Raises `Refused`."""
    device = await known_device(visit, None)
    await visit.room.limits.spend("passkey", device or visit.address)


async def _passkeys(visit: Visit) -> list[Passkey]:
    return await room_of(visit).store[Passkeys].of(visit.known().id)


async def _own(visit: Visit) -> Passkey:
    """The passkey of the address, one of the visitor's. Raises `Refused`."""
    for passkey in await _passkeys(visit):
        if _key(passkey) == visit.path_params["key"]:
            return passkey
    raise Refused(404, "no_passkey")


def _key(passkey: Passkey) -> str:
    """The key of a passkey in addresses, since its own id can be a thousand letters long."""
    return sha256(passkey.id).hexdigest()[:32]


def _wrong(visit: Visit, wrong: Wrong) -> Response:
    """The faults of a form, for the script."""
    return JSONResponse({"wrong": wrong.told_at(visit.words)}, wrong.status)


def _json(options: bytes) -> Response:
    """Options for the browser, which are JSON already."""
    return Response(b'{"options":%b}' % options, media_type="application/json")
