"""Tools for compiled code: Numba set up, and operations on masks and generators.

This is the only module that configures Numba. With `NUMBA_DISABLE_JIT=1` the same functions run
as plain Python, which is how the tests read the kernel a second time.

A mask of cards is a `uint64`. Python's own numbers are signed, so every constant that meets a mask
is made a `uint64` first.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import event
from numba.extending import intrinsic

from volte.fair.chance import GAMMA
from volte.kernel.layout import DEAL, OUTCOME, RULES, SEAT
from volte.kernel.startup import LLVM_CALLS, NOTICE, cache_folder, forget

Function = TypeVar("Function", bound=Callable[..., Any])

llvm.ffi.register_lock_callback(LLVM_CALLS.acquire, LLVM_CALLS.release)

config: Final[Any] = numba.config
njit: Final[Any] = numba.njit
"""Numba's names, untyped: both can do more than their types say."""

INTERPRETED: Final = bool(config.DISABLE_JIT)
"""Whether the kernel runs as plain Python."""

SLOW_PDEP: Final = frozenset({"bdver4", "znver1", "znver2"})
"""Processors that have the instruction, but take hundreds of cycles for it."""


PDEP: Final = (
    not INTERPRETED
    and os.environ.get("VOLTE_KERNEL") != "portable"
    and bool(llvm.get_host_cpu_features().get("bmi2"))
    and llvm.get_host_cpu_name() not in SLOW_PDEP
)
"""Whether the host has a quick `pdep` (BMI2); `VOLTE_KERNEL=portable` does without."""

# Types of arguments: a row, and arrays of rows
RULES_ROW: Final = from_dtype(RULES)
DEAL_ROW: Final = from_dtype(DEAL)
SEAT_ROW: Final = from_dtype(SEAT)
TABLE: Final = types.Array(RULES_ROW, 1, "C", readonly=True)
DEALS: Final = types.Array(DEAL_ROW, 1, "C")
SEATS: Final = types.Array(SEAT_ROW, 1, "C")
OUTCOMES: Final = types.Array(from_dtype(OUTCOME), 1, "C")


class _Cache:
    """The folder of compiled code; None if none can be trusted, or writing to it failed."""

    def __init__(self) -> None:
        kind = f"{numba.__version__} {np.__version__} {PDEP} {config.BOUNDSCHECK}"
        self.folder = None if INTERPRETED else cache_folder(kind)


_CACHE: Final = _Cache()


ENTRIES: Final[list[str]] = []
"""Names of the entry points of all modules imported so far, as `startup.code` takes them."""


def cache() -> Path | None:
    """The folder of compiled code; None if it has to be compiled at every start."""
    return _CACHE.folder


def entry(signature: Any) -> Callable[[Function], Callable[[], Function]]:
    """Mark an entry point: a function for Python to call, once `startup.code` has compiled it.

    Its name then holds a function that compiles it for its signature, or reads it from the cache.
    """

    def mark(function: Function) -> Callable[[], Function]:
        ENTRIES.append(f"{function.__module__.rpartition('.')[2]}.{function.__name__}")
        if INTERPRETED:
            return functools.partial(_interpreted, function)
        return functools.partial(_compiled, signature, function, no_cfunc_wrapper=True)

    return mark


def shared(signature: Any) -> Callable[[Function], Function]:
    """Compile a long part once, on import; entry points call it as they would call C.

    An `inlined` part, or one `apart`, is compiled again with each entry point that uses it.
    """

    def share(function: Function) -> Function:
        if INTERPRETED:
            return function
        made = _compiled(signature, function, no_cpython_wrapper=True)
        _SHARED.append(made)
        [result] = made.overloads.values()
        name = f"volte.kernel.{function.__name__}"
        door = result.fndesc.llvm_cfunc_wrapper_name
        llvm.add_symbol(name, result.library.get_pointer_to_function(door))
        return types.ExternalFunction(name, signature)  # type: ignore[return-value]

    return share


_SHARED: Final[list[Any]] = []
"""Shared parts: their code must live as long as their callers."""


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
    cached = bool(folder)
    try:
        with event.install_listener("numba:compile", _Begun(cached)):
            make = njit(signature, nogil=True, error_model="numpy", cache=cached, **options)
            return make(function)
    finally:
        config.CACHE_DIR = before
        NOTICE.compiling(None)


class _Begun(event.Listener):
    """Listener that reports compiling, which happens if the code is not in the cache."""

    def __init__(self, kept: bool) -> None:
        self._kept = kept

    def on_start(self, _: object) -> None:
        NOTICE.compiling(self._kept)

    def on_end(self, _: object) -> None: ...


def inlined(function: Function) -> Function:
    """Mark a part to be written into the entry points that call it, by LLVM.

    Neither Python nor C calls it: leaving out the wrappers for them saves a fifth of the time.
    """
    return _part(function, forceinline=True)


def apart(function: Function) -> Function:
    """Mark a part that is rarely needed: it is called, so that it does not bloat its callers."""
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
        """Scratch records of a dtype, for one entry point, all zero."""
        return np.zeros(rows, kind)


@inlined
def hold(records: Any) -> None:
    """Keep scratch alive up to here.

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


# Masks

U = np.uint64

NONE: Final = U(0)
ONE: Final = U(1)

STEP: Final = U(GAMMA)
"""Step of a generator: each draw adds it to the state."""
_M1: Final = U(0xBF58476D1CE4E5B9)
_M2: Final = U(0x94D049BB133111EB)
_S27: Final = U(27)
_S30: Final = U(30)
_S31: Final = U(31)
HALF: Final = U(32)
LOW: Final = U(0xFFFFFFFF)
"""Mask of the lower half of a product, which says whether a draw (half a word) is repeated."""
_WORDS: Final = 2**32


if INTERPRETED:

    def count(mask: U) -> U:
        return U(int(mask).bit_count())

    def lowest_index(mask: U) -> U:
        return U((int(mask) & -int(mask)).bit_length() - 1)

    def highest_index(mask: U) -> U:
        return U(int(mask).bit_length() - 1)

    def either(condition: Any, yes: U, no: U) -> U:
        return yes if condition else no

    def rarely(condition: Any) -> Any:
        return condition

else:

    @intrinsic
    def count(context: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate

    @intrinsic
    def lowest_index(context: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), generate

    @intrinsic
    def highest_index(context: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.uint64(types.uint64), generate

    @intrinsic
    def either(context: Any, condition: Any, yes: Any, no: Any) -> Any:
        """`yes if condition else no`, never as a jump, for conditions no processor can predict."""

        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            chosen = builder.select(*arguments)
            chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
            return chosen

        return types.uint64(types.boolean, types.uint64, types.uint64), generate

    @intrinsic
    def rarely(context: Any, condition: Any) -> Any:
        """The condition, which hardly ever holds: code behind it is moved out of the way."""

        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            bit = ir.IntType(1)
            kind = ir.FunctionType(bit, [bit, bit])
            function = builder.module.declare_intrinsic("llvm.expect", (bit,), kind)
            return builder.call(function, [arguments[0], ir.Constant(bit, 0)])

        return types.boolean(types.boolean), generate


if PDEP:

    @intrinsic
    def _deposit(context: Any, bits: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    @inlined
    def nth(mask: U, n: U) -> U:
        """Card number `n` (from 0) of a mask that has so many, as a mask."""
        return _deposit(ONE << n, mask)  # type: ignore[call-arg]

else:
    _ONES: Final = U(0x0101010101010101)
    _TOPS: Final = U(0x8080808080808080)
    _ODD: Final = U(0x5555555555555555)
    _PAIRS: Final = U(0x3333333333333333)
    _NIBBLES: Final = U(0x0F0F0F0F0F0F0F0F)
    _BYTE: Final = U(0xFF)
    _U2, _U3, _U4, _U8 = U(2), U(3), U(4), U(8)

    IN_BYTE: Final = np.zeros((8, 256), np.uint8)
    """`[n, byte]`: bit number `n` of the byte, as a mask."""
    for _byte in range(256):
        _bits = [1 << place for place in range(8) if _byte >> place & 1]
        IN_BYTE[: len(_bits), _byte] = _bits

    @inlined
    def nth(mask: U, n: U) -> U:
        """Card number `n` (from 0) of a mask that has so many, as a mask.

        Vigna's broadword selection (2008): bits are counted up to the end of each byte, all eight
        at once; as many bytes as hold no more than `n` so far are stepped over.
        """
        up_to = mask - (mask >> ONE & _ODD)
        up_to = (up_to & _PAIRS) + (up_to >> _U2 & _PAIRS)
        up_to = (up_to + (up_to >> _U4) & _NIBBLES) * _ONES
        place = count((n * _ONES | _TOPS) - up_to & _TOPS) << _U3
        n -= up_to << _U8 >> place & _BYTE
        return U(IN_BYTE[n, mask >> place & _BYTE]) << place


@inlined
def lowest(mask: U) -> U:
    """The lowest card of a mask that has one, as a mask."""
    return ONE << lowest_index(mask)


@inlined
def index_of(bit: U) -> int:
    """The index of a card given as a mask."""
    return np.int64(lowest_index(bit))  # type: ignore[return-value]


@inlined
def size(mask: U) -> int:
    """Number of cards in a mask, as a signed number."""
    return np.int64(count(mask))  # type: ignore[return-value]


# The generator: `volte.fair.SplitMix64`, whose state the caller keeps


@inlined
def mix(z: U) -> U:
    """Mix the bits of a word; the compiled twin of `volte.fair.chance.mix`."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@inlined
def split(seed: U, index: U) -> U:
    """A new seed for part of a stream; the compiled twin of `volte.fair.split`."""
    return mix(seed + (index + ONE) * STEP)


@inlined
def word(state: U) -> U:
    """The 32 bits that a draw uses, of the generator that has stepped to that state."""
    return mix(state) >> HALF


@inlined
def below(state: U, n: U) -> tuple[U, U]:
    """`SplitMix64.below`: the state after, and a number below `n`."""
    state += STEP
    product = word(state) * n
    if rarely(product & LOW < n):
        surplus = U(_WORDS) % n
        while product & LOW < surplus:
            state += STEP
            product = word(state) * n
    return state, product >> HALF
