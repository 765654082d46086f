"""Numba set up: how the kernel's functions are compiled.

This is the only module that configures Numba. With `NUMBA_DISABLE_JIT=1` the same functions run
as plain Python, which is how the tests read the kernel a second time.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import from_dtype, types

from volte.kernel.layout import DEAL, OUTCOME, RULES, SEAT
from volte.kernel.startup import LLVM_CALLS, cache_folder, forget

Function = TypeVar("Function", bound=Callable[..., Any])

llvm.ffi.register_lock_callback(LLVM_CALLS.acquire, LLVM_CALLS.release)

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

# Types of arguments: a row, and arrays of rows
RULES_ROW: Final = from_dtype(RULES)
DEAL_ROW: Final = from_dtype(DEAL)
SEAT_ROW: Final = from_dtype(SEAT)
TABLE: Final = types.Array(RULES_ROW, 1, "C", readonly=True)
DEALS: Final = types.Array(DEAL_ROW, 1, "C")
SEATS: Final = types.Array(SEAT_ROW, 1, "C")
OUTCOMES: Final = types.Array(from_dtype(OUTCOME), 1, "C")


class _Cache:
    """The folder of compiled code; None where there is none to trust, or writing to it failed."""

    def __init__(self) -> None:
        kind = f"{numba.__version__} {np.__version__} {PDEP} {config.BOUNDSCHECK}"
        self.folder = None if INTERPRETED else cache_folder(kind)


_CACHE: Final = _Cache()

_SIGNATURES: Final[dict[Callable[..., Any], Any]] = {}
"""The signatures of entry points."""


def entry(signature: Any) -> Callable[[Function], Function]:
    """An entry point: a function for Python to call, once `startup.code` has had it compiled."""

    def mark(function: Function) -> Function:
        _SIGNATURES[function] = signature
        return function

    return mark


def compiled(function: Function) -> Function:
    """An entry point, compiled for its signature or read from the cache."""
    if INTERPRETED:
        return _interpreted(function)
    return _compiled(_SIGNATURES[function], function, no_cfunc_wrapper=True)  # type: ignore[no-any-return]


def shared(signature: Any) -> Callable[[Function], Function]:
    """A long part that is compiled once, on import; entry points call it as they would call C.

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

    Neither Python nor C calls it: leaving out the wrappers for them saves a fifth of the time.
    """
    return _part(function, forceinline=True)


def apart(function: Function) -> Function:
    """A part that is rarely needed: it is called, so that it does not bloat its callers."""
    return _part(function, forceinline=False)  # or it would be inlined with an `inlined` caller


def _part(function: Function, forceinline: bool) -> Function:
    return njit(  # type: ignore[no-any-return]
        function,
        forceinline=forceinline,
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
    """Keeps scratch alive up to here.

    A record does not hold the array it lies in, which Numba frees after its last mention.
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
