"""Requests of the first page of a browser for the file that takes everything along."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence

import msgspec

from volte.alone.file import MatchesFileFault, packed, unpacked
from volte.say import words_of
from volte.solo.answer import SoloAnswer
from volte.solo.requests import JSON, TEXT
from volte.solo.room import SoloRoom
from volte.store import Unavailable


async def taken(room: SoloRoom, method: str, fields: Mapping[str, Sequence[str]]) -> SoloAnswer:
    """Make the file; or count what is new in one that is sent, or take it in where the person is
    sure."""
    sent = {name: texts[-1] for name, texts in fields.items() if texts}
    words = words_of(room.lang)
    try:
        if method == "POST":
            found = await _taken_in(room, sent.get("file", ""), bool(sent.get("sure")))
        else:
            file, left = await packed(room.store)
            found = {"file": b64encode(file).decode(), "left": left}
    except MatchesFileFault as fault:
        return SoloAnswer(422, TEXT, words.fault(fault))
    except Unavailable:
        return SoloAnswer(503, TEXT, words.why("unavailable"))
    return SoloAnswer(200, JSON, msgspec.json.encode(found).decode())


async def _taken_in(room: SoloRoom, file: str, sure: bool) -> dict[str, str | int]:
    try:
        data = b64decode(file, validate=True)
    except ValueError:
        data = b""
    carried = await unpacked(data)
    here = {listing.table for listing in await room.store.listings()}
    fresh = [each for each in carried.streams if each.listing.table not in here]
    if sure:
        await room.store.add(carried.streams, carried.person)
    return {"count": len(carried.streams), "fresh": len(fresh)}
