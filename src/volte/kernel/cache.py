"""A folder of our own for compiled code, where one can be had that nobody else can write to.

What lies there is run: Numba unpickles it. So a folder that is not ours, or that others may change,
counts as none, and the code is compiled anew at every start.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from pathlib import Path
from typing import Final

import platformdirs

KEPT: Final = 4
"""Folders that stay, those last used: for other versions, and for other processors."""

_OURS: Final = re.compile(r"kernel-[0-9a-f]{16}")
_ROOMS: Final = ("cards", "fair", "kernel")
"""Whose source compiled code is made of: their numbers are written into it."""


def cache_folder(kind: str) -> Path | None:
    """The folder for code that is compiled just so, or None where there is none to trust.

    Its name holds a digest of the source as well: Numba looks at the file of a function, and
    would not see that another one, which it calls, has changed.
    """
    base = _base()
    if base is None:
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


def _base() -> Path | None:
    """Where such folders lie; None where nobody knows of a home."""
    try:
        base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("volte", False)
    except RuntimeError:
        return None
    return Path(base) if Path(base).is_absolute() else None


def forget(folder: Path) -> None:
    """Takes away what is spoilt, so that the next start can write it anew."""
    shutil.rmtree(folder, ignore_errors=True)


def _digest(kind: str) -> str:
    digest = hashlib.sha256(kind.encode())
    package = Path(__file__).parents[1]
    for room in _ROOMS:
        for source in sorted((package / room).glob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _is_safe(folder: Path) -> bool:
    """Whether the folder can be written to, and only by us."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    if os.name != "posix":
        return True
    own = os.lstat(folder)
    private = stat.S_ISDIR(own.st_mode) and own.st_uid == os.geteuid() and not own.st_mode & 0o077
    return private and not any(map(_is_open, folder.parents))


def _is_open(folder: Path) -> bool:
    """Whether just anybody could put another folder in the place of one that is in it."""
    mode = folder.stat().st_mode
    return bool(mode & stat.S_IWOTH and not mode & stat.S_ISVTX)


def _prune(fresh: Path) -> None:
    """Takes away folders of old code: all but those last used."""
    others = [path for path in fresh.parent.iterdir() if _OURS.fullmatch(path.name)]
    others = [path for path in others if path != fresh and path.is_dir() and not path.is_symlink()]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[KEPT - 1 :]:
        forget(path)
