"""Messages of a client as they are read, or cannot be."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from volte.cards import VolteError
from volte.conversation.ending import ConversationEnded
from volte.say import Words
from volte.wire.messages import LONGEST_ID, PROTOCOL, Asking, Hello, decode_asking
from volte.wire.reading import FieldFault


class Unread(msgspec.Struct, frozen=True):
    """A message that cannot be read."""

    id: str  # its id; empty if that cannot be read either
    fault: VolteError | None  # the fault in one of its parts

    @property
    def reason(self) -> str:
        fault = self.fault
        return "malformed" if fault is None or isinstance(fault, FieldFault) else fault.reason

    def told(self, words: Words) -> str:
        """The sentence that says which part of the message cannot be read."""
        return words.why("malformed") if self.fault is None else words.fault(self.fault)


Request: TypeAlias = Asking | Unread


class _Identified(msgspec.Struct):
    """The one part that is read of a malformed message."""

    id: str


def read(text: str | bytes) -> Request:
    """Read a message of a client."""
    if isinstance(text, bytes):
        return Unread(_id_of(text), None)
    try:
        return decode_asking(text)
    except msgspec.DecodeError as error:
        fault = error.__cause__
        return Unread(_id_of(text), fault if isinstance(fault, VolteError) else None)


def _id_of(text: str | bytes) -> str:
    try:
        found = msgspec.json.decode(text, type=_Identified).id
    except (msgspec.DecodeError, ValueError, RecursionError):
        return ""
    return found if len(found) <= LONGEST_ID else ""


def hello_of(text: str | bytes, words: Words) -> Hello:
    """Read the first message of a client. Raises `ConversationEnded`."""
    hello = read(text)
    if isinstance(hello, Unread):
        raise ConversationEnded("malformed", line=hello.told(words))
    if not isinstance(hello, Hello):
        raise ConversationEnded("malformed")
    if hello.protocol != PROTOCOL:
        raise ConversationEnded("old_protocol", version=PROTOCOL)
    return hello
