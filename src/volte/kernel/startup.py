"""Compiled code, fetched when it is first needed, and in the background if wished."""

from __future__ import annotations

import importlib
from threading import Lock, Thread
from types import ModuleType
from typing import Final

_LOCK: Final = Lock()
_CODE: Final[dict[str, ModuleType]] = {}


def code(name: str) -> ModuleType:
    """The module of compiled code `volte.kernel.<name>`, compiled or read from the cache once."""
    with _LOCK:
        if name not in _CODE:
            _CODE[name] = importlib.import_module(f"volte.kernel.{name}")
        return _CODE[name]


def ready(name: str = "playing") -> bool:
    """Whether that code can be called without waiting."""
    return name in _CODE


def warm_up(*names: str) -> Thread:
    """Fetches compiled code in a background thread, which ends with the program."""
    thread = Thread(target=lambda: [code(name) for name in names or ("playing",)], daemon=True)
    thread.start()
    return thread
