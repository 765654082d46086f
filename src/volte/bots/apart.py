"""What a bot is asked elsewhere, in another process or thread, and what it answers, as bytes.

A question is pickled: a view may be of a refereed match or not, and masks of two packs are wider
than the 64 bits that MessagePack has. Rules are sent as JSON, since the duties that a ruleset has
worked out are ten times longer, and are worked out once in a process. What comes back is JSON,
read as strictly as any message: nothing that a bot could send is ever run.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from volte.bots.advice import Hint
from volte.bots.casual import hint
from volte.bots.levels import SEARCHING
from volte.bots.protocol import Bot, Clock
from volte.game.codec import card_text, decoded, encode, read_card
from volte.referee import SeatAction
from volte.rules import Ruleset
from volte.view import View

LENGTH: Final = struct.Struct("<I")
"""How the length of what follows is written, where there is no telling where it ends."""

READY: Final = b"ready"
"""What a worker says first."""

KEPT: Final = 64
"""Rulesets that are kept at hand."""

_RULES: Final[msgspec.json.Decoder[Ruleset]] = msgspec.json.Decoder(Ruleset, dec_hook=read_card)


class Question(msgspec.Struct, frozen=True):
    """What a bot has to choose, or to advise.

    Attributes:
        seed: of the bot.
        view: of the seat that has to choose, and nothing beside it.
        clock: says nothing where it may take as long as it usually does.
        advises: whether it is asked what somebody else should do in its place, and why.
    """

    level: str
    seed: int
    view: View
    clock: Clock = Clock()
    advises: bool = False


class Came(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of it.

    Attributes:
        action: None where there is none, or advice was asked for.
        hint: the advice.
        failed: what kind of error there was instead; never what it said, which may tell cards.
    """

    action: SeatAction | None = None
    hint: Hint | None = None
    failed: str = ""


_CAME: Final[msgspec.json.Decoder[Came]] = msgspec.json.Decoder(Came, dec_hook=read_card)


class _Pickler(pickle.Pickler):
    """Sends rules without what follows from them."""

    dispatch_table: Any = copyreg.dispatch_table.copy()


def pack(question: Question) -> bytes:
    """A question to be sent, in about 2 kB."""
    view, packed = question.view, io.BytesIO()
    asked = (question.level, question.seed, question.clock, question.advises)
    whole = (*asked, view.seat, view.state)
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(whole)
    return packed.getvalue()


def unpack(data: bytes) -> Question:
    """The question that `pack` has packed. Only for bytes from a process of our own."""
    level, seed, clock, advises, seat, state = pickle.loads(data)
    return Question(level, seed, View(seat, state), clock, advises)


def pack_answer(came: Came) -> bytes:
    """An answer to be sent."""
    return encode(came)


def unpack_answer(data: bytes) -> Came:
    """The answer. Raises `msgspec.ValidationError` for anything else."""
    return decoded(_CAME, data)


def thought_of(question: Question, bots: Callable[[str, int], Bot]) -> Came:
    """What comes of it, here and now, whatever goes wrong.

    Args:
        bots: makes a bot of a level from a seed.
    """
    level, clock = question.level, no_longer_than_usual(question.level, question.clock)
    try:
        if question.advises:
            return Came(hint=_advice(level, question.view, clock))
        return Came(bots(level, question.seed).choose(question.view, clock))
    except Exception as error:
        return Came(failed=type(error).__name__)


def _advice(level: str, view: View, clock: Clock) -> Hint:
    """Advice of `expert`, or of `casual` for any level that does not search."""
    if level not in SEARCHING:
        return hint(view)
    from volte.bots.advising import ADVICE, advise  # here, as NumPy takes a while to come

    return advise(view, ADVICE if clock == Clock() else clock)


def no_longer_than_usual(level: str, clock: Clock) -> Clock:
    """The clock, for a bot of that level that shall not think longer than it usually does."""
    if level not in SEARCHING or clock.milliseconds is None:
        return clock
    from volte.bots.search import BY_LEVEL  # here, as NumPy takes a while to come

    return replace(clock, simulations=BY_LEVEL[level].usual.simulations)


@lru_cache(KEPT)
def _written(rules: Ruleset) -> bytes:
    return msgspec.json.encode(rules, enc_hook=card_text)


@lru_cache(KEPT)
def rules_of(written: bytes) -> Ruleset:
    """The ruleset, always the same one for the same bytes."""
    return _RULES.decode(written)


def _reduced(rules: Ruleset) -> tuple[object, ...]:
    return rules_of, (_written(rules),)


_Pickler.dispatch_table[Ruleset] = _reduced
