"""Numba set up: where compiled code is kept, and the two ways in which the kernel's functions are made.

This is the only module that configures Numba. With `NUMBA_DISABLE_JIT=1` the same functions run
as plain Python, which is how the tests read the kernel a second time.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs
from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED: Final = bool(numba.config.DISABLE_JIT)
"""Whether the kernel runs as plain Python."""

SLOW_PDEP: Final = frozenset({"bdver4", "znver1", "znver2"})
"""Processors that have the instruction, but take hundreds of cycles for it."""


def _has_pdep() -> bool:
    """Whether the host has a quick `pdep` (BMI2); `VOLTE_KERNEL=portable` does without."""
    if os.environ.get("VOLTE_KERNEL") == "portable" or INTERPRETED:
        return False
    features = llvm.get_host_cpu_features()
    return bool(features.get("bmi2")) and llvm.get_host_cpu_name() not in SLOW_PDEP


PDEP: Final = _has_pdep()


def cache_folder() -> Path | None:
    """A writable folder of our own for compiled code, or None where there is none.

    Its name holds a digest of the kernel's source: Numba looks at the file of a function, and
    would not see that another one, which it calls, has changed.
    """
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {PDEP}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("volte", "volte")
    folder = Path(base, f"kernel-{digest.hexdigest()[:16]}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE: Final = None if INTERPRETED else cache_folder()


def compiled(signature: str) -> Callable[[Function], Function]:
    """An entry point: compiled for that signature when its module is imported, or read from cache."""

    def make(function: Function) -> Function:
        if INTERPRETED:
            return _interpreted(function)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(CACHE or "")
        try:
            entry = njit(signature, nogil=True, error_model="numpy", cache=CACHE is not None)
            return entry(function)  # type: ignore[no-any-return]
        finally:
            numba.config.CACHE_DIR = before

    return make


def inlined(function: Function) -> Function:
    """A part of the entry points that call it: LLVM writes it into them."""
    return njit(function, forceinline=True, error_model="numpy")  # type: ignore[no-any-return]


def _interpreted(function: Function) -> Function:
    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # 64-bit words wrap around
            return function(*map(_with_attributes, arguments))

    return run  # type: ignore[return-value]


def _with_attributes(argument: Any) -> Any:
    """Records whose fields are attributes, as they are in compiled code."""
    if isinstance(argument, np.ndarray) and argument.dtype.names:
        return argument.view(np.recarray)
    return argument
