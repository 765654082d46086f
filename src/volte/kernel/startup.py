"""Compiled code, fetched when it is first needed, and in the background if wished.

Whoever cannot wait asks `ready` first, and uses the readable engine until then. Threads may call
all of this at the same time. A process that forks waits until what is being compiled is done, since
its child could never finish it.
"""

from __future__ import annotations

import importlib
import os
from contextlib import suppress
from threading import RLock, Thread
from types import ModuleType
from typing import Final

from volte.kernel.table import KernelFault

_LOCK: Final = RLock()
_CODE: Final[dict[str, ModuleType]] = {}
_FAILED: Final[dict[str, str]] = {}
_COMING: Final[set[str]] = set()


def code(name: str) -> ModuleType:
    """The module of compiled code `volte.kernel.<name>`, compiled or read from the cache once.

    `random` plays deals at random, `playing` those with other policies and those that have begun;
    `judging` is asked before these, and before `choosing`; `Batch` needs `stepping`, and `until`
    where policies play along; bots that search need `worlds`, `playouts` and `likelihood`.

    Raises `KernelFault` where it cannot be had, as without Numba; then, and ever after.
    """
    with _LOCK:
        if name not in _CODE:
            _CODE[name] = _fetch(name)
        return _CODE[name]


def _fetch(name: str) -> ModuleType:
    if name not in _FAILED:
        try:
            return importlib.import_module(f"volte.kernel.{name}")
        except Exception as error:  # whatever Numba, LLVM or the system cannot do here
            _FAILED[name] = f"{type(error).__name__}: {error}"
    raise KernelFault("kernel_unavailable", why=_FAILED[name])


def ready(name: str = "playing") -> bool:
    """Whether that code can be called without waiting."""
    return name in _CODE


def coming(name: str) -> bool:
    """Whether that code is being fetched in the background, or waits its turn there."""
    return name in _COMING


def unavailable(name: str = "playing") -> KernelFault | None:
    """Why that code cannot be had; None where it can, or nobody has tried."""
    why = _FAILED.get(name)
    return None if why is None else KernelFault("kernel_unavailable", why=why)


def warm_up(*names: str) -> Thread:
    """Fetches compiled code in a background thread, which ends with the program.

    What cannot be had is never ready; `code` says why to whoever asks for it.
    """
    names = names or ("playing",)
    _COMING.update(names)
    thread = Thread(target=_fetch_all, args=(names,), daemon=True)
    thread.start()
    return thread


def _fetch_all(names: tuple[str, ...]) -> None:
    for name in names:
        with suppress(KernelFault):
            code(name)
        _COMING.discard(name)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )
