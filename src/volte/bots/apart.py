"""Questions to bots that think in another process or thread, and their answers, as bytes.

A question is pickled: a view may be of a refereed match or not, and masks of two packs are wider
than the 64 bits that MessagePack has. Rules are sent as JSON, since the duties worked out from a
ruleset are ten times longer, and each process works them out once. Answers are JSON, read as
strictly as any message: nothing that a bot could send is ever run.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from volte.bots.advice import advise
from volte.bots.hints import Hint
from volte.bots.judged import DealLuck
from volte.bots.levels import SEARCHING, level_of
from volte.bots.protocol import Bot, Clock, Estimate
from volte.bots.reasons import hint
from volte.extras import strong_installed
from volte.game.codec import card_text, decoded, read_card
from volte.referee import Event, SeatAction
from volte.rules import Ruleset
from volte.view import View

LENGTH: Final = struct.Struct("<I")
"""The length of a message, written before it in a pipe."""

READY: Final = b"ready"
"""The first message of a worker."""

CACHED_RULESETS: Final = 64
"""Number of rulesets that are cached."""

_RULES: Final[msgspec.json.Decoder[Ruleset]] = msgspec.json.Decoder(Ruleset, dec_hook=read_card)


class BotQuestion(msgspec.Struct, frozen=True):
    """A question to a bot: to choose an action, or to advise on one."""

    level: str
    seed: int  # of the bot
    view: View  # of the seat that has to choose; no other knowledge is sent
    clock: Clock = Clock()  # without limits, the usual ones of the level
    advises: bool = False  # whether a hint is wanted, for a person who plays that seat


class ReviewQuestion(msgspec.Struct, frozen=True):
    """A match to be reviewed for one seat; see `volte.bots.reviewing.review`."""

    log: tuple[Event, ...]
    seat: int
    but: frozenset[int] = frozenset()  # numbers of events to skip: choices of somebody else
    clock: Clock | None = None  # for each choice; None for the usual one


class LuckQuestion(msgspec.Struct, frozen=True):
    """A match of which the luck is wanted: what the cards of each deal were worth."""

    log: tuple[Event, ...]


class Costly(msgspec.Struct, frozen=True):
    """A choice that cost much, without its view, which follows from the log of the match."""

    number: int  # of the event of the choice, from 1
    done: Estimate  # of the action that was taken
    weighed: tuple[Estimate, ...]  # all actions weighed, the best first


class Findings(msgspec.Struct, frozen=True):
    """Findings of a review of one seat."""

    costly: tuple[Costly, ...]  # the worst first
    # Per choice its deal, its trick (0 for a pass), and the expected worth of the match after it: a
    # part of the win, or stakes; None where unknown
    course: tuple[tuple[int, int, float | None], ...]
    left_out: int  # choices that could not be judged
    # By reason, how often it was the reason for the best action, and how often another action was
    # taken then at a cost
    reasons: dict[str, tuple[int, int]]


Question: TypeAlias = BotQuestion | ReviewQuestion | LuckQuestion


class BotAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice, a hint, findings of a review, its progress, the luck of a match, or an error."""

    action: SeatAction | None = None
    hint: Hint | None = None
    found: Findings | None = None
    percent: int | None = None  # of a review that is still going on
    deals: tuple[DealLuck, ...] | None = None  # the deals of a match that were scored
    failed: str = ""  # the kind of error; never its message, which may reveal cards


_ANSWER: Final[msgspec.json.Decoder[BotAnswer]] = msgspec.json.Decoder(
    BotAnswer, dec_hook=read_card
)


class _Pickler(pickle.Pickler):
    """Pickles rulesets as JSON, without the tables worked out from them."""

    dispatch_table: Any = copyreg.dispatch_table.copy()


def pack(question: Question) -> bytes:
    """Pack a question to be sent: about 2 kB, or a whole log for a review or for luck."""
    packed = io.BytesIO()
    parts: object = question
    if isinstance(question, BotQuestion):
        view = question.view
        asked = (question.level, question.seed, question.clock, question.advises)
        parts = (*asked, view.seat, view.state)
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(parts)
    return packed.getvalue()


def unpack(data: bytes) -> Question:
    """Unpack a question from `pack`. Only for bytes from a process of Volte's own."""
    parts = pickle.loads(data)
    if isinstance(parts, ReviewQuestion | LuckQuestion):
        return parts
    level, seed, clock, advises, seat, state = parts
    return BotQuestion(level, seed, View(seat, state), clock, advises)


def unpack_answer(data: bytes) -> BotAnswer:
    """Read an answer. Raises `msgspec.ValidationError` for anything else."""
    return decoded(_ANSWER, data)


def thought_of(question: BotQuestion, bots: Callable[[str, int], Bot]) -> BotAnswer:
    """Answer a question in this thread; errors become answers, too.

    Args:
        bots: makes a bot of a level from a seed.
    """
    level, clock = question.level, no_longer_than_usual(question.level, question.clock)
    try:
        if question.advises:
            searches = level in SEARCHING  # else this is the advice of `casual`
            return BotAnswer(hint=advise(question.view, clock) if searches else hint(question.view))
        return BotAnswer(bots(level, question.seed).choose(question.view, clock))
    except Exception as error:
        return BotAnswer(failed=type(error).__name__)


def no_longer_than_usual(level: str, clock: Clock) -> Clock:
    """Return the clock, limited also to the usual number of simulations of the level."""
    if level not in SEARCHING or clock.milliseconds is None or not strong_installed():
        return clock
    from volte.bots.search import BY_LEVEL  # here, as NumPy takes a while to come

    return replace(clock, simulations=BY_LEVEL[level_of(level)].usual.simulations)


ALIKE: Final = 400
"""Simulations for a choice that must be alike everywhere, where only plain Python searches."""


def repeatable(level: str) -> Clock:
    """Return the clock by which a level makes the same choice on every machine, busy or not: it
    counts simulations, and no time."""
    return Clock(simulations=ALIKE if level in SEARCHING and not strong_installed() else None)


@lru_cache(CACHED_RULESETS)
def rules_of(written: bytes) -> Ruleset:
    """Return the ruleset from JSON; equal bytes give the same cached object."""
    return _RULES.decode(written)


@lru_cache(CACHED_RULESETS)
def _reduced(rules: Ruleset) -> tuple[object, ...]:
    return rules_of, (msgspec.json.encode(rules, enc_hook=card_text),)


_Pickler.dispatch_table[Ruleset] = _reduced
