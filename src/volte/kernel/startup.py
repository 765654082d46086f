"""Compiled code: fetched when it is first needed, or in the background; its folder on disk.

A caller that cannot wait asks `ready` first, and uses the readable engine until then. While a
caller waits for compiling, the logger `volte.kernel` says so, by default on the error stream.
Threads may call all of this at the same time. A process that forks waits until compiling is done,
since its child could never finish it.

The cache is a folder of our own that nobody else can write to, as its content is run: Numba
unpickles it. So a folder that is not ours, or that others may change, is not used, and the code is
compiled anew at every start.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import logging
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock, Thread
from typing import Any, Final

import platformdirs

from volte.kernel.layout import KernelFault

LLVM_CALLS: Final = RLock()
"""Held during each call of LLVM, half a second at most. Code that is compiled in the background
calls back into Python, which crashes once the program has taken Python down: so the end of the
program waits for the call that another thread is in, and no other call begins after it."""
atexit.register(LLVM_CALLS.acquire)  # before llvmlite is imported, whose own hook thus runs first

_LOCK: Final = RLock()
_CODE: Final[dict[str, Callable[..., Any]]] = {}
_FAILED: Final[dict[str, str]] = {}
_COMING: Final[set[str]] = set()


def code(name: str) -> Callable[..., Any]:
    """An entry point of compiled code, such as `random.random_deals`: its module in
    `volte.kernel`, and the function, compiled or read from the cache once.

    Raises `KernelFault` if it cannot be had, as without Numba; then, and ever after.
    """
    if name in _CODE:
        return _CODE[name]
    with NOTICE.awaited():
        return _fetched(name)


def _fetched(name: str) -> Callable[..., Any]:
    with _LOCK:
        if name not in _CODE and name not in _FAILED:
            module, function = name.split(".")
            try:
                # Here, as Numba takes a while to come
                entry = getattr(importlib.import_module(f"volte.kernel.{module}"), function)
                _CODE[name] = entry()
            except Exception as error:  # anything that Numba, LLVM or the system cannot do here
                _FAILED[name] = f"{type(error).__name__}: {error}"
        if name not in _CODE:
            raise KernelFault("kernel_unavailable", why=_FAILED[name])
        return _CODE[name]


def ready(name: str = "playing.deals_to_end") -> bool:
    """Whether that code can be called without waiting."""
    return name in _CODE


def coming(name: str) -> bool:
    """Whether that code is being fetched in the background, or waits its turn there."""
    return name in _COMING


def unavailable(name: str = "playing.deals_to_end") -> KernelFault | None:
    """The reason why that code cannot be had; None if it can, or nobody has tried."""
    why = _FAILED.get(name)
    return None if why is None else KernelFault("kernel_unavailable", why=why)


def warm_up(*names: str) -> Thread:
    """Fetch compiled code in a background thread, which ends with the program.

    Code that cannot be had is never ready; `code` raises the reason.
    """
    names = names or ("playing.deals_to_end",)
    _COMING.update(names)
    thread = Thread(target=_fetch_all, args=(names,), daemon=True)
    thread.start()
    return thread


def _fetch_all(names: tuple[str, ...]) -> None:
    for name in names:
        with suppress(KernelFault):
            _fetched(name)
        _COMING.discard(name)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


class CompileNotice:
    """Log that code is being compiled while a thread waits: once if it is cached, once if not."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._waiting: list[None] = []  # one for each thread that waits
        self._kept: bool | None = None  # whether code being compiled is cached; None for no code
        self._untold = {  # each message is logged once, by the thread that takes it out
            True: KernelFault("compiled_once"),
            False: KernelFault("compiled_each_time"),
        }

    @contextmanager
    def awaited(self) -> Iterator[None]:
        """Mark that a thread waits for code meanwhile, whichever thread compiles it."""
        self._waiting.append(None)
        self._tell()
        try:
            yield
        finally:
            self._waiting.pop()

    def compiling(self, kept: bool | None) -> None:
        """Note that compiling begins, and whether the code is cached; None once it is done."""
        self._kept = kept
        self._tell()

    def _tell(self) -> None:
        if self._waiting and self._kept is not None:
            sentence = self._untold.pop(self._kept, None)
            if sentence is not None:
                self._log.warning(sentence)


NOTICE: Final = CompileNotice(logging.getLogger("volte.kernel"))


# The cache

MOST_FOLDERS: Final = 4
"""Folders that stay, the last used: for other versions, and for other processors."""

_OURS: Final = re.compile(r"kernel-[0-9a-f]{16}")
_ROOMS: Final = ("cards", "fair", "kernel")
"""Rooms whose source enters compiled code: their constants are compiled into it."""


def cache_folder(kind: str) -> Path | None:
    """The folder for code that is compiled in that way, or None if there is none to trust.

    Its name holds a digest of the source as well: Numba looks at the file of a function, and
    would not see a change in another function that it calls.
    """
    try:
        base = Path(
            os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("volte", False)
        )
    except RuntimeError:  # no home folder is known
        return None
    if not base.is_absolute():
        return None
    folder = base / f"kernel-{_digest(kind)}"
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _prune(folder)
        os.utime(folder)
        return folder if _is_safe(folder) else None
    except OSError:
        return None


def forget(folder: Path) -> None:
    """Remove a spoilt cache, so that the next start can write it anew."""
    shutil.rmtree(folder, ignore_errors=True)


def _digest(kind: str) -> str:
    digest = hashlib.sha256(kind.encode())
    package = Path(__file__).parents[1]
    for room in _ROOMS:
        for source in sorted((package / room).glob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _is_safe(folder: Path) -> bool:
    """Whether the folder can be written to, and only by this user."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    if os.name != "posix":
        return True
    own = os.lstat(folder)
    private = stat.S_ISDIR(own.st_mode) and own.st_uid == os.geteuid() and not own.st_mode & 0o077
    return private and not any(map(_is_open, folder.parents))


def _is_open(folder: Path) -> bool:
    """Whether anybody could replace a folder that lies in this one."""
    mode = folder.stat().st_mode
    return bool(mode & stat.S_IWOTH and not mode & stat.S_ISVTX)


def _prune(fresh: Path) -> None:
    """Remove folders of old code, except those last used."""
    others = [path for path in fresh.parent.iterdir() if _OURS.fullmatch(path.name)]
    others = [path for path in others if path != fresh and path.is_dir() and not path.is_symlink()]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[MOST_FOLDERS - 1 :]:
        forget(path)
