"""Numba set up: the two ways in which the kernel's functions are made.

This is the only module that configures Numba. With `NUMBA_DISABLE_JIT=1` the same functions run
as plain Python, which is how the tests read the kernel a second time.
"""

from __future__ import annotations

import atexit
import functools
import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types

from volte.kernel.cache import cache_folder, forget

Function = TypeVar("Function", bound=Callable[..., Any])


@atexit.register
def _let_llvm_rest() -> None:
    """Waits for the call of LLVM that another thread is in, and lets none begin any more.

    Code that is compiled in the background calls back into Python, which crashes once the program
    has taken Python down. A call takes half a second at most.
    """
    llvm.ffi.lib._lock.__enter__()  # no public call holds it; this thread may enter it again


config: Final[Any] = numba.config
njit: Final[Any] = numba.njit
"""Both can do more than their types say."""

INTERPRETED: Final = bool(config.DISABLE_JIT)
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


class _Cache:
    """Where compiled code is kept; nowhere, once that has failed."""

    def __init__(self) -> None:
        kind = f"{numba.__version__} {np.__version__} {PDEP} {config.BOUNDSCHECK}"
        self.folder = None if INTERPRETED else cache_folder(kind)


_CACHE: Final = _Cache()


def compiled(signature: Any) -> Callable[[Function], Function]:
    """An entry point: compiled for that signature on import of its module, or read from cache."""
    return functools.partial(_entry, signature)


def _entry(signature: Any, function: Function) -> Function:
    if INTERPRETED:
        return _interpreted(function)
    return _compiled(signature, function, no_cfunc_wrapper=True)  # type: ignore[no-any-return]


def shared(signature: Any) -> Callable[[Function], Function]:
    """A long part that is compiled once, on its own; entry points call it as they would call C.

    An `inlined` part, or one `apart`, is compiled again with each entry point that uses it.
    """
    return functools.partial(_shared, signature)


def _shared(signature: Any, function: Function) -> Function:
    if INTERPRETED:
        return function
    made = _compiled(signature, function, no_cpython_wrapper=True)
    _KEPT.append(made)
    [result] = made.overloads.values()
    name = f"volte.kernel.{function.__name__}"
    door = result.fndesc.llvm_cfunc_wrapper_name
    llvm.add_symbol(name, result.library.get_pointer_to_function(door))
    return types.ExternalFunction(name, signature)  # type: ignore[return-value]


_KEPT: Final[list[Any]] = []
"""Shared parts: their code must live as long as what calls it."""


def _compiled(signature: Any, function: Function, **options: bool) -> Any:
    if _CACHE.folder is not None:
        try:
            return _compiled_in(str(_CACHE.folder), signature, function, options)
        except Exception:  # a spoilt file or a full disk must not cost more than time
            forget(_CACHE.folder)
            _CACHE.folder = None
    return _compiled_in("", signature, function, options)


def _compiled_in(folder: str, signature: Any, function: Function, options: dict[str, bool]) -> Any:
    before = config.CACHE_DIR
    config.CACHE_DIR = folder
    try:
        make = njit(
            signature,
            nogil=True,
            error_model="numpy",
            cache=bool(folder),
            **options,
        )
        return make(function)
    finally:
        config.CACHE_DIR = before


def inlined(function: Function) -> Function:
    """A part of the entry points that call it: LLVM writes it into them.

    Neither Python nor C calls it, and to leave out the doors for them spares a fifth of the time.
    """
    return njit(  # type: ignore[no-any-return]
        function,
        forceinline=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )


def apart(function: Function) -> Function:
    """A part that is hardly ever needed: it is called, so as not to be in the way."""
    return njit(  # type: ignore[no-any-return]
        function,
        forceinline=False,  # or it would inherit it from an `inlined` part that calls it
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )


if INTERPRETED:

    def scratch(rows: int, kind: Any) -> Any:
        return np.zeros(rows, kind).view(np.recarray)

else:

    @inlined
    def scratch(rows: int, kind: Any) -> Any:
        """Records of a dtype that an entry point needs for itself, all zero."""
        return np.zeros(rows, kind)


@inlined
def hold(records: Any) -> None:
    """Keeps scratch where it is up to here.

    A record does not hold the array it lies in, which is given back after its last mention.
    """
    len(records)


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
