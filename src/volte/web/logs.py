"""The log: named events with a few plain fields and no secrets.

Every line comes through here, also those of uvicorn and of the standard library. An event has a
name (`table_failed`), and fields that are words and numbers. Ids of tables and of people may
occur; names, cards, tokens and passwords never do, wherever they were logged.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import sys
import traceback
from collections.abc import MutableMapping
from hashlib import sha256
from typing import Any, Final

import msgspec
import structlog
from structlog.stdlib import ProcessorFormatter

from volte.web.settings import Settings

Event = MutableMapping[str, Any]

LEVELS: Final = ("debug", "info", "warning", "error")
KINDS: Final = ("text", "json")

LONGEST: Final = 500  # characters of one field

OURS: Final = "volte"
"""First part of our own loggers' names; other loggers put more than a name into an event."""

HIDDEN: Final = "…"  # replaces a secret

SECRET: Final = re.compile(
    r"address|agent|answer|authori[sz]ation|body|card|code|cookie|csrf|email|hand|hash|key|master"
    r"|message|name|nonce|pass(?!ed)|private|query|secret|seed|sentence|session|signature|text"
    r"|title|token|word",
    re.IGNORECASE,
)
"""Names of fields whose values are never logged: secrets, people's words, cards."""

_PAIR: Final = (
    r"(?i)\b(authorization|bearer|code|cookie|csrf|key|master|passw(?:or)?d|passwd|secret|seed"
    r"|token)(\"|')?\s*[=: ]\s*(\"|')?(?:(?:basic|bearer)\s+)?[^\s\"',;&]+"
)
_RANKS: Final = "10|[2-9AKQJTRDVXakqjtrdvx]"
_NAMES: Final = "ace|king|queen|jack|ten|as|roi|dame|valet|dix"
_SUITS: Final = "spades?|hearts?|diamonds?|clubs?|piques?|cœurs?|coeurs?|carreaux?|trèfles?"
SHAPES: Final = tuple(
    re.compile(shape)
    for shape in (
        r"(?<=://)[^/\s@]+(?=@)",  # the user and the password of a database
        r"\$argon2\S*",
        _PAIR,
        # Tokens, hashes and masters; ids have 20 characters at most, names of events no digits.
        r"(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{24,}=*",
        r"(?:[A-Za-z0-9+/]{4}){8,}={0,2}",
        r"\b[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){2,}\b",  # codes in groups
        rf"(?:{_RANKS})?\s?[♠♥♦♣♤♡♢♧]\ufe0f?\s?(?:{_RANKS})?",
        rf"\b(?:{_RANKS}|[BR]J)[SHDCshdc]?\b'?(?=(?:[\s,\"']+(?:{_RANKS}|[BR]J)[SHDCshdc]?\b)+)",
        rf"(?<![\w.])(?:{_RANKS})[SHDC]\b'?",
        rf"(?i)\b(?:{_NAMES}|10|[2-9]) (?:of|de) (?:{_SUITS})",
    )
)
"""Shapes of secrets and cards, to be hidden in any text."""


# Logging


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger whose events have names and fields: `log.error("table_failed", table=…)`.

    Events go to the standard library's logger of that name.
    """
    logger: structlog.stdlib.BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        processors=_TO_THE_LIBRARY,
        wrapper_class=structlog.stdlib.BoundLogger,
        context_class=dict,
    )
    return logger


def _where(_: Any, __: str, event: Event) -> Event:
    """Replace an error by its type and the lines that it came through; its text may name cards."""
    record = event.get("_record")
    info = event.pop("exc_info", None) or (record and record.exc_info)
    event.pop("stack_info", None)
    error = sys.exception() if info is True else info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)
        lines = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        event["where"] = f"{type(error).__name__} at {'; '.join(lines) or 'no line'}"
    return event


def _as_record(_: Any, __: str, event: Event) -> dict[str, Any]:
    """Arguments for the standard library; fields with a name of its own get a `_` at the end."""
    record = {"msg": event.pop("event"), "exc_info": None}
    return record | {"extra": {f"{key}_" if key in _TAKEN else key: event[key] for key in event}}


_TAKEN: Final = {*vars(logging.makeLogRecord({})), "message", "asctime"}
_TO_THE_LIBRARY: Final[list[Any]] = [structlog.stdlib.filter_by_level, _where, _as_record]

if not structlog.is_configured():  # loggers got from structlog itself work likewise
    structlog.configure(
        processors=_TO_THE_LIBRARY,
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def configure(settings: Settings) -> None:
    """Make this process log to its error stream, as the settings say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(settings.log))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    logging.raiseExceptions = False  # it would print what could not be logged
    for name in ("aiosqlite", "alembic", "asyncio", "sqlalchemy", "uvicorn"):
        # They log every connection, which nobody needs.
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    for name in ("python_multipart", "uvicorn.error"):
        # They warn of clients' faults, which are counted anyway (`volte.web.metrics`).
        logging.getLogger(name).setLevel(logging.ERROR)


def formatter(kind: str) -> logging.Formatter:
    """Formatter for lines of JSON (`json`), or for lines that people read (`text`)."""
    return ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.ExtraAdder(),
            structlog.contextvars.merge_contextvars,
            _named,
            _where,
            scrubbed,
        ],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            _stamped,
            _as_json if kind == "json" else _as_text,
        ],
    )


# Processors of an event, in turn


def _named(_: Any, __: str, event: Event) -> Event:
    """Add level and logger; cut other libraries' events to their first line, as values follow."""
    record: logging.LogRecord = event["_record"]
    event["level"], event["logger"] = record.levelname.lower(), record.name
    if record.name.partition(".")[0] != OURS:
        event["event"] = str(event["event"]).strip().partition("\n")[0]
    return event


def scrubbed(_: Any, __: str, event: Event) -> Event:
    """Hide secret values, recognised by the field's name, the value's type or its look."""
    for field in [field for field in event if not field.startswith("_")]:
        value = event[field]
        if field in _OUR_WORDS:
            event[field] = _on_one_line(str(value))
        elif SECRET.search(field):
            event[field] = HIDDEN
        else:
            event[field] = plain(value)
    return event


_OUR_WORDS: Final = frozenset({"level", "logger", "where", "route"})
"""Fields that hold names from our own source and nothing else."""


def plain(value: object) -> str | int | float | bool | None:
    """The value in a form fit for a log; of anything but words and numbers only the type."""
    match value:
        case bool() | None:
            return value
        case int() | float():
            return value if abs(value) < 2**53 else HIDDEN
        case str():
            if _PLAIN.fullmatch(value):
                return value
            text = value[: 4 * LONGEST]
            for shape in SHAPES:
                text = shape.sub(HIDDEN, text)
            return _on_one_line(text)
    return f"<{type(value).__name__}>"


_PLAIN: Final = re.compile("[a-z_]{1,40}|[0-9a-f]{1,20}|[A-Z]{3,7}")
"""Names of events, reasons, ids and methods: texts that cannot hide a secret."""


def _on_one_line(text: str) -> str:
    shown = text
    if not text.isprintable():
        shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + HIDDEN


def _stamped(_: Any, __: str, event: Event) -> Event:
    """Put the time (UTC), the level and the event before the other fields."""
    stamped = _CLOCK(None, "", {"level": event.pop("level"), "event": event.pop("event")})
    return {"at": stamped.pop("at"), **stamped, **event}


_CLOCK: Final = structlog.processors.TimeStamper(fmt="iso", utc=True, key="at")


def _as_json(_: Any, __: str, event: Event) -> str:
    return msgspec.json.encode(event).decode()


def _as_text(_: Any, __: str, event: Event) -> str:
    """Line to read, such as `2026-11-22T08:00:00.123456Z error table_failed table=… where=…`."""
    first = [str(event.pop(field)) for field in ("at", "level", "event")]
    return " ".join([*first, *(f"{field}={_quoted(value)}" for field, value in event.items())])


def _quoted(value: object) -> str:
    text = str(value)
    return msgspec.json.encode(text).decode() if re.search(r'[\s"=]', text) or not text else text


# Addresses


class Masks:
    """Marks that replace addresses in the log; an address keeps its mark until the server stops."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def __call__(self, address: str) -> str:
        return hmac.digest(self._key, address.encode(), sha256).hex()[:10]


mask: Final = Masks()  # its key lives as long as this process
