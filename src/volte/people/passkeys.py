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
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from volte.names import NameFault, clean_name
from volte.people.account_passwords import has_password, sure_by_password
from volte.people.known_devices import know_device, known_device
from volte.people.passkey_proof import SIGN_IN, ask_for_proof, ask_to_make, confirming, made, proved
from volte.people.sessions import begin
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.store import Conflict, Person
from volte.store.passkeys import Passkey
from volte.web.logs import get_logger
from volte.web.page import local_path, page
from volte.web.refused import Refused
from volte.web.visit import read_form, room_of, see_other, someone

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
        Route(PAGE, show, methods=["GET"]),
        Route(f"{PAGE}/challenge", challenge, methods=["POST"]),
        Route(f"{PAGE}/signin", sign_in, methods=["POST"]),
        Route(f"{PAGE}/options", options, methods=["POST"]),
        Route(f"{PAGE}/add", add, methods=["POST"]),
        Route(f"{PAGE}/{{key}}", show_one, methods=["GET"]),
        Route(f"{PAGE}/{{key}}/name", rename, methods=["POST"]),
        Route(f"{PAGE}/{{key}}/remove", remove, methods=["POST"]),
    ]


# Pages


async def show(request: Request) -> Response:
    """The passkeys of whoever asks, and a form for one more."""
    person, words = _person(request), _words(request)
    keys = await _passkeys(request, person)
    done = request.query_params.get("done", "")
    return page(
        request,
        "passkeys.html",
        keys=[_row(words, each) for each in keys],
        done=DONE.get(done, ""),
        full=len(keys) >= MOST_PASSKEYS,
        called=_usual_name(words, keys),
        longest=LONGEST_CALLED,
        **await _ways(request, keys),
    )


async def show_one(request: Request) -> Response:
    """One of them: to call it something else, or to do away with it."""
    return await _one(request, await _own(request))


async def _one(request: Request, passkey: Passkey, **more: Any) -> Response:
    person = _person(request)
    keys = await _passkeys(request, person)
    known = {"wrong": {}, "called": passkey.name, "longest": LONGEST_CALLED}
    return page(
        request,
        "passkey.html",
        422 if more else 200,
        key=_row(_words(request), passkey),
        **await _ways(request, keys),
        **(known | more),
    )


async def _ways(request: Request, keys: Sequence[Passkey]) -> dict[str, Any]:
    """How somebody can show that it is still them."""
    return {
        "has_password": await has_password(request),
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


async def options(request: Request) -> Response:
    """What the browser needs to make one more. A name, or a password, that will not do is told."""
    form = await read_form(request)
    person = _person(request)
    await _spend(request)
    known = await _passkeys(request, person)
    if len(known) >= MOST_PASSKEYS:
        raise Refused(422, "too_many_passkeys", most=MOST_PASSKEYS)
    wrong = _name_fault(request, form) | await _doubt(request, person, form)
    if wrong:
        return JSONResponse({"wrong": wrong}, 422)
    return _json(await ask_to_make(request, person, known))


async def add(request: Request) -> Response:
    """Keeps the passkey that the browser has made."""
    form = await read_form(request)
    person = _person(request)
    name = _called(form) or _words(request).t("Passkey {number}", number=1)
    passkey = await made(request, _field(form, "credential"), person, name, time())
    try:
        await room_of(request).store.passkeys.add(passkey)
    except Conflict:
        raise Refused(409, "passkey_known") from None
    log.info("passkey_added", person=person.id)
    return JSONResponse({"next": f"{PAGE}?done=added"})


# Signing


async def challenge(request: Request) -> Response:
    """What the browser needs to sign: to come in, or to show that it is still the same person."""
    form = await read_form(request)
    await _spend(request)
    if form.get("purpose") != "confirm":
        return _json(await ask_for_proof(request, SIGN_IN, []))
    person = _person(request)
    known = await _passkeys(request, person)
    if not known:
        raise Refused(422, "passkey_unknown")
    return _json(await ask_for_proof(request, confirming(person), known))


async def sign_in(request: Request) -> Response:
    """The browser is from now on that of whoever the passkey belongs to."""
    form = await read_form(request)
    try:
        passkey = await proved(request, _field(form, "proof"), SIGN_IN, None)
    except Refused as refused:
        log.warning("sign_in_failed", how="passkey", why=refused.reason)
        raise
    person = await room_of(request).store.person(passkey.person)
    if person is None:
        raise Refused(403, "passkey_unknown")
    response = JSONResponse({"next": local_path(_field(form, "next"))})
    await begin(request, person, response)
    await know_device(request, response, person.id)
    log.info("signed_in", person=person.id, how="passkey")
    return response


async def confirmed(request: Request, proof: str) -> bool:
    """Whether whoever asks has just shown one of their passkeys. Raises `Refused`."""
    person = _person(request)
    return bool(proof and await proved(request, proof, confirming(person), person))


async def has_passkeys(request: Request) -> bool:
    """Whether whoever asks has any."""
    return bool(await _passkeys(request, _person(request)))


# Changing one


async def rename(request: Request) -> Response:
    form = await read_form(request)
    passkey = await _own(request)
    wrong = _name_fault(request, form)
    if wrong:
        return await _one(request, passkey, wrong=wrong, called=_field(form, "name"))
    await room_of(request).store.passkeys.rename(passkey, _called(form))
    return see_other(f"{PAGE}?done=renamed")


async def remove(request: Request) -> Response:
    """Does away with one, once its owner has shown that it is still them."""
    form = await read_form(request)
    passkey = await _own(request)
    in_background = request.headers.get("x-volte") == "1"
    wrong = await _doubt(request, _person(request), form)
    if wrong and in_background:
        return JSONResponse({"wrong": wrong}, 422)
    if wrong:
        return await _one(request, passkey, wrong=wrong)
    await room_of(request).store.passkeys.remove(passkey)
    log.info("passkey_removed", person=passkey.person)
    following = f"{PAGE}?done=removed"
    return JSONResponse({"next": following}) if in_background else see_other(following)


async def _doubt(request: Request, person: Person, form: FormData) -> dict[str, str]:
    """Why it is not certain that this is still the same person, by field; empty where it is.

    Somebody with a password says it; somebody who has passkeys alone shows one of them; a guest
    has only the cookie, which came with the request.
    """
    if await has_password(request):
        if not await sure_by_password(request, _field(form, "password")):
            return {"password": _words(request).t("That is not your password.")}
        return {}
    known = await _passkeys(request, person)
    if known and not await confirmed(request, _field(form, "proof")):
        return {
            "proof": _words(request).t("Show first, with one of your passkeys, that it is you.")
        }
    return {}


# Helpers


async def _spend(request: Request) -> None:
    """Counts a passkey that is asked for: by a known device, else by address. Raises `Refused`."""
    device = await known_device(request, None)
    await room_of(request).limits.spend("passkey", device or request.state.address)


def _person(request: Request) -> Person:
    """Who asks. Raises `Refused` 401."""
    someone(request)
    person: Person = request.state.person
    return person


def _words(request: Request) -> Words:
    words: Words = request.state.words
    return words


async def _passkeys(request: Request, person: Person) -> list[Passkey]:
    return await room_of(request).store.passkeys.of(person.id)


async def _own(request: Request) -> Passkey:
    """The passkey of the address, which is one of whoever asks. Raises `Refused`."""
    asked = request.path_params["key"]
    for passkey in await _passkeys(request, _person(request)):
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


def _name_fault(request: Request, form: FormData) -> dict[str, str]:
    try:
        clean_name(_field(form, "name"), LONGEST_CALLED)
    except NameFault as fault:
        return {"name": _words(request).fault(fault)}
    return {}


def _field(form: FormData, name: str) -> str:
    return str(form.get(name, ""))


def _json(encoded: bytes) -> Response:
    """Options for the browser, which are JSON already."""
    return Response(b'{"options":%b}' % encoded, media_type="application/json")
