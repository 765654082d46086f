"""Passkeys: how somebody comes in by a finger, a face or a PIN, and keeps their keys in order.

The script of the pages (`static/passkeys.js`) asks for a challenge, has the browser sign it, and
sends the answer on: all by forms that are read like any other, and answered in JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from time import time
from typing import Any, Final, NamedTuple

from starlette.datastructures import FormData
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from volte.names import NameFault, clean_name
from volte.people.account_passwords import has_password, sure_by_password
from volte.people.known_devices import know_device, known_device
from volte.people.passkey_proof import SIGN_IN, ask_for_proof, ask_to_make, confirming, made, proved
from volte.people.sessions import begin
from volte.people.store import Passkey, Passkeys
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.store import Conflict, Person
from volte.web.logs import get_logger
from volte.web.page import local_path, page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

MOST_PASSKEYS: Final = 20
"""Of one person."""

LONGEST_CALLED: Final = 40
PAGE: Final = "/account/passkeys"

log = get_logger("volte.server")


class Row(NamedTuple):
    """A passkey, as its owner sees it."""

    key: str
    name: str
    made: str
    used: str


DONE: Final = {
    "added": N_("The passkey is kept: from now on you can sign in with it."),
    "renamed": N_("The passkey has its new name."),
    "removed": N_("The passkey is removed. Delete it on your device as well."),
}
"""What has just been done, by how the address says it."""


def routes() -> list[BaseRoute]:
    return [
        route(PAGE, show, methods=["GET"]),
        route(f"{PAGE}/challenge", challenge, methods=["POST"]),
        route(f"{PAGE}/signin", sign_in, methods=["POST"]),
        route(f"{PAGE}/options", options, methods=["POST"]),
        route(f"{PAGE}/add", add, methods=["POST"]),
        route(f"{PAGE}/{{key}}", show_one, methods=["GET"]),
        route(f"{PAGE}/{{key}}/name", rename, methods=["POST"]),
        route(f"{PAGE}/{{key}}/remove", remove, methods=["POST"]),
    ]


# Pages


async def show(visit: Visit) -> Response:
    """The passkeys of whoever asks, and a form for one more."""
    person, words = visit.known(), visit.words
    keys = await _passkeys(visit, person)
    done = visit.query_params.get("done", "")
    return page(
        visit,
        "passkeys.html",
        keys=[_row(words, each) for each in keys],
        done=DONE.get(done, ""),
        full=len(keys) >= MOST_PASSKEYS,
        called=_usual_name(words, keys),
        longest=LONGEST_CALLED,
        **await _ways(visit, keys),
    )


async def show_one(visit: Visit) -> Response:
    """One of them: to call it something else, or to do away with it."""
    return await _one(visit, await _own(visit))


async def _one(visit: Visit, passkey: Passkey, **more: Any) -> Response:
    person = visit.known()
    keys = await _passkeys(visit, person)
    known = {"wrong": {}, "called": passkey.name, "longest": LONGEST_CALLED}
    return page(
        visit,
        "passkey.html",
        422 if more else 200,
        key=_row(visit.words, passkey),
        **await _ways(visit, keys),
        **(known | more),
    )


async def _ways(visit: Visit, keys: Sequence[Passkey]) -> dict[str, Any]:
    """How somebody can show that it is still them."""
    return {
        "has_password": await has_password(visit),
        "has_passkey": bool(keys),
        "last": len(keys) == 1,
    }


def _row(words: Words, passkey: Passkey) -> Row:
    used = words.t("never")
    if passkey.used is not None:
        used = day_and_time(words, passkey.used)
    return Row(_key(passkey), passkey.name, day_and_time(words, passkey.made), used)


def _usual_name(words: Words, keys: Sequence[Passkey]) -> str:
    """A name for the next key that none has yet."""
    names = {each.name for each in keys}
    called = [words.t("Passkey {number}", number=number) for number in range(1, len(keys) + 2)]
    return next(each for each in called if each not in names)


# Making one


async def options(visit: Visit) -> Response:
    """What the browser needs to make one more. A name, or a password, that will not do is told."""
    form = await visit.fields()
    person = visit.known()
    await _spend(visit)
    known = await _passkeys(visit, person)
    if len(known) >= MOST_PASSKEYS:
        raise Refused(422, "too_many_passkeys", most=MOST_PASSKEYS)
    wrong = _name_fault(visit, form) | await _doubt(visit, person, form)
    if wrong:
        return JSONResponse({"wrong": wrong}, 422)
    return _json(await ask_to_make(visit, person, known))


async def add(visit: Visit) -> Response:
    """Keeps the passkey that the browser has made."""
    form = await visit.fields()
    person = visit.known()
    name = _called(form) or visit.words.t("Passkey {number}", number=1)
    passkey = await made(visit, _field(form, "credential"), person, name, time())
    try:
        await visit.room.store[Passkeys].add(passkey)
    except Conflict:
        raise Refused(409, "passkey_known") from None
    log.info("passkey_added", person=person.id)
    return JSONResponse({"next": f"{PAGE}?done=added"})


# Signing


async def challenge(visit: Visit) -> Response:
    """What the browser needs to sign: to come in, or to show that it is still the same person."""
    form = await visit.fields()
    await _spend(visit)
    if form.get("purpose") != "confirm":
        return _json(await ask_for_proof(visit, SIGN_IN, []))
    person = visit.known()
    known = await _passkeys(visit, person)
    if not known:
        raise Refused(422, "passkey_unknown")
    return _json(await ask_for_proof(visit, confirming(person), known))


async def sign_in(visit: Visit) -> Response:
    """The browser is from now on that of whoever the passkey belongs to."""
    form = await visit.fields()
    try:
        passkey = await proved(visit, _field(form, "proof"), SIGN_IN, None)
    except Refused as refused:
        log.warning("sign_in_failed", how="passkey", why=refused.reason)
        raise
    person = await visit.room.store.person(passkey.person)
    if person is None:
        raise Refused(403, "passkey_unknown")
    response = JSONResponse({"next": local_path(_field(form, "next"))})
    await begin(visit, person, response)
    await know_device(visit, response, person.id)
    log.info("signed_in", person=person.id, how="passkey")
    return response


async def confirmed(visit: Visit, proof: str) -> bool:
    """Whether whoever asks has just shown one of their passkeys. Raises `Refused`."""
    person = visit.known()
    return bool(proof and await proved(visit, proof, confirming(person), person))


async def has_passkeys(visit: Visit) -> bool:
    """Whether whoever asks has any."""
    return bool(await _passkeys(visit, visit.known()))


# Changing one


async def rename(visit: Visit) -> Response:
    form = await visit.fields()
    passkey = await _own(visit)
    wrong = _name_fault(visit, form)
    if wrong:
        return await _one(visit, passkey, wrong=wrong, called=_field(form, "name"))
    await visit.room.store[Passkeys].rename(passkey, _called(form))
    return see_other(f"{PAGE}?done=renamed")


async def remove(visit: Visit) -> Response:
    """Does away with one, once its owner has shown that it is still them."""
    form = await visit.fields()
    passkey = await _own(visit)
    in_background = visit.headers.get("x-volte") == "1"
    wrong = await _doubt(visit, visit.known(), form)
    if wrong and in_background:
        return JSONResponse({"wrong": wrong}, 422)
    if wrong:
        return await _one(visit, passkey, wrong=wrong)
    await visit.room.store[Passkeys].remove(passkey)
    log.info("passkey_removed", person=passkey.person)
    following = f"{PAGE}?done=removed"
    return JSONResponse({"next": following}) if in_background else see_other(following)


async def _doubt(visit: Visit, person: Person, form: FormData) -> dict[str, str]:
    """Why it is not certain that this is still the same person, by field; empty where it is.

    Somebody with a password says it; somebody who has passkeys alone shows one of them; a guest
    has only the cookie, which came with the visit.
    """
    if await has_password(visit):
        if not await sure_by_password(visit, _field(form, "password")):
            return {"password": visit.words.t("That is not your password.")}
        return {}
    known = await _passkeys(visit, person)
    if known and not await confirmed(visit, _field(form, "proof")):
        return {"proof": visit.words.t("Show first, with one of your passkeys, that it is you.")}
    return {}


# Helpers


async def _spend(visit: Visit) -> None:
    """Counts a passkey that is asked for: by a known device, else by address. Raises `Refused`."""
    device = await known_device(visit, None)
    await visit.room.limits.spend("passkey", device or visit.address)


async def _passkeys(visit: Visit, person: Person) -> list[Passkey]:
    return await visit.room.store[Passkeys].of(person.id)


async def _own(visit: Visit) -> Passkey:
    """The passkey of the address, which is one of whoever asks. Raises `Refused`."""
    asked = visit.path_params["key"]
    for passkey in await _passkeys(visit, visit.known()):
        if _key(passkey) == asked:
            return passkey
    raise Refused(404, "no_passkey")


def _key(passkey: Passkey) -> str:
    """What it is called in addresses: its own id can be a thousand letters long."""
    return sha256(passkey.id).hexdigest()[:32]


def _called(form: FormData) -> str:
    """The name that was typed; empty for none that will do."""
    try:
        return clean_name(_field(form, "name"), LONGEST_CALLED)
    except NameFault:
        return ""


def _name_fault(visit: Visit, form: FormData) -> dict[str, str]:
    try:
        clean_name(_field(form, "name"), LONGEST_CALLED)
    except NameFault as fault:
        return {"name": visit.words.fault(fault)}
    return {}


def _field(form: FormData, name: str) -> str:
    return str(form.get(name, ""))


def _json(encoded: bytes) -> Response:
    """Options for the browser, which are JSON already."""
    return Response(b'{"options":%b}' % encoded, media_type="application/json")
