"""Refused forms: their page is shown once more, filled in with what was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Message

from volte.cards import VolteError
from volte.say import N_
from volte.store import Unavailable
from volte.web.addresses import base_path
from volte.web.refilled import SECRETS, TOKEN, refilled
from volte.web.refused import Refused
from volte.web.security import mark_of
from volte.web.visit import CookieWanted, NameWanted, SentForm, Visit

LONGEST_CARRIED: Final = 16_000

MOST_LEADS: Final = 3

LONGEST_READ: Final = 10.0  # seconds that a page may take


async def sent_form(visit: Visit) -> SentForm | None:
    """The form that a browser has sent from a page of ours, read now if it has not been yet."""
    if visit.method != "POST" or "text/html" not in visit.headers.get("accept", ""):
        return None
    if not visit.visitor.has_read:
        with suppress(Refused, ClientDisconnect, CookieWanted):
            await visit.fields()
    return visit.visitor.sent


async def form_again(
    visit: Visit, sent: SentForm, path: str, reason: str, sentence: str
) -> str | None:
    """The page of a form, with the sentence at its head; None where it cannot be shown.

    What was sent is in it, if it was made for whoever sends it.

    Args:
        path: where the form goes.
    """
    visit.visitor.refused = reason, sentence
    action = f"{base_path(visit)}{path}"
    for address in _pages(visit, path):
        page = await _read(visit, address)
        filled = page and refilled(page, action, sent.fields if sent.same else None)
        if filled:
            return filled
    visit.visitor.refused = None
    return None


def _pages(visit: Visit, path: str) -> Iterator[str]:
    """Addresses where the page of a form may be: the one it was sent from (its referer), then the
    one that it was sent to, which may redirect to the page."""
    with suppress(ValueError):
        came = urlsplit(visit.headers.get("referer", ""))
        if came.netloc == visit.headers.get("host"):
            yield f"{came.path.removeprefix(base_path(visit))}?{came.query}".removesuffix("?")
    yield path


async def _read(visit: Visit, address: str) -> str | None:
    """HTML of a page of ours, as the same person would see it now; None where there is none."""
    for _ in range(MOST_LEADS):
        status, headers, body = await _get(visit, address)
        if status not in (303, 307):
            return body.decode() if status == 200 and _is_page(headers) else None
        address = headers.get("location", "").removeprefix(base_path(visit))
    return None


def _is_page(headers: dict[str, str]) -> bool:
    return headers.get("content-type", "").startswith("text/html")


async def _get(visit: Visit, address: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a request of the same person: status, headers and body."""
    path, _, query = address.partition("?")
    asked: dict[str, Any] = {"method": "GET", "path": path, "raw_path": quote(path).encode()}
    scope = {name: visit.scope[name] for name in visit.scope.keys() - {"endpoint", "path_params"}}
    status, headers, body = 404, dict[str, str](), bytearray()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = {name.decode(): value.decode() for name, value in message["headers"]}
        elif _is_page(headers):
            body.extend(message.get("body", b""))

    with suppress(HTTPException, VolteError, Unavailable, NameWanted, TimeoutError):
        async with asyncio.timeout(LONGEST_READ):  # some addresses never stop answering
            await visit.app.router(scope | asked | {"query_string": query.encode()}, receive, send)
    return status, headers, bytes(body)


# While somebody signs in


class CarriedForm(msgspec.Struct, frozen=True):
    """A form that was sent when the session was over."""

    path: str
    mark: str
    once: str
    fields: dict[str, tuple[str, ...]]


async def sign_in_page(visit: Visit, sent: SentForm) -> str | None:
    """The page where one signs in, which carries the form along."""
    sentence = N_(
        "You are no longer signed in. Sign in, and your form comes back just as you filled it in."
    )
    visit.visitor.refused = "no_session", visit.words.t(sentence)
    visit.visitor.carried = _carried(visit, sent)
    following = next(_pages(visit, visit.url.path))
    return await _read(visit, f"/signin?{urlencode({'next': following})}")


def _carried(visit: Visit, sent: SentForm) -> str:
    """The form as one text, without secrets; empty where it is too long to be carried along."""
    fields = {
        name: tuple(texts)
        for name, texts in sent.fields.items()
        if name not in SECRETS and name != TOKEN
    }
    form = CarriedForm(visit.url.path, sent.mark, sent.once, fields)
    text = msgspec.json.encode(form).decode()
    return text if len(text) <= LONGEST_CARRIED else ""


async def brought_back(visit: Visit, text: str) -> str | None:
    """The page of the form that was carried along, for the person for whom it was made."""
    try:
        form = msgspec.json.decode(text, type=CarriedForm)
    except (msgspec.DecodeError, UnicodeError):
        return None
    if form.mark != mark_of(visit.who):
        return None
    sent = visit.visitor.sent = SentForm(form.fields, True, form.mark, form.once)
    sentence = N_("You are signed in. Check your form, then send it: nothing has been done yet.")
    return await form_again(visit, sent, form.path, "signed_in", visit.words.t(sentence))
