"""Entries and acts as JSON: how sheets are kept, in files and in databases, and how they travel."""

from __future__ import annotations

from typing import Final

import msgspec

from volte.game.codec import decoded, encode, read_card
from volte.scorekeeper.model.acts import Act
from volte.scorekeeper.model.entries import Entry


class Header(msgspec.Struct, frozen=True, tag_field="entry", tag="Header"):
    """What is kept in front of the entries, and shown to nobody.

    Attributes:
        master: the 32 bytes of the `House` that draws lots on this sheet.
        volte_sheet: the version of what follows.
    """

    master: bytes
    volte_sheet: int = 1


_HEADER: Final[msgspec.json.Decoder[Header]] = msgspec.json.Decoder(Header)
_ENTRY: Final[msgspec.json.Decoder[Entry]] = msgspec.json.Decoder(Entry, dec_hook=read_card)
_ACT: Final[msgspec.json.Decoder[Act]] = msgspec.json.Decoder(Act, dec_hook=read_card)


def encode_header(header: Header) -> bytes:
    """The first bytes of a sheet's stream."""
    return encode(header)


def decode_header(data: bytes) -> Header:
    """The way back. Raises `msgspec.ValidationError`."""
    return decoded(_HEADER, data)


def encode_entry(entry: Entry) -> bytes:
    """The bytes of an entry."""
    return encode(entry)


def decode_entry(data: bytes) -> Entry:
    """The way back. Raises `msgspec.ValidationError`."""
    return decoded(_ENTRY, data)


def encode_act(act: Act) -> bytes:
    """The bytes of an act."""
    return encode(act)


def decode_act(data: bytes) -> Act:
    """The way back; whether the act can be done is for `decide`. Raises `ValidationError`."""
    return decoded(_ACT, data)
