"""Masks and the generator in compiled code: the few operations that everything else is made of.

A mask of cards is a `uint64`. Python's own numbers are signed, so every constant that meets a mask
is made a `uint64` here first.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from volte.fair.generator import GAMMA
from volte.kernel.compiler import INTERPRETED, PDEP, inlined

U = np.uint64

NONE: Final = U(0)
ONE: Final = U(1)

STEP: Final = U(GAMMA)
"""What one draw adds to the state of a generator."""
_M1: Final = U(0xBF58476D1CE4E5B9)
_M2: Final = U(0x94D049BB133111EB)
_S27: Final = U(27)
_S30: Final = U(30)
_S31: Final = U(31)
_S32: Final = U(32)
_LOW: Final = U(0xFFFFFFFF)
_WORDS: Final = 2**32


if INTERPRETED:

    def count(mask: U) -> U:
        return U(int(mask).bit_count())

    def lowest_index(mask: U) -> U:
        return U((int(mask) & -int(mask)).bit_length() - 1)

    def highest_index(mask: U) -> U:
        return U(int(mask).bit_length() - 1)

else:

    @intrinsic  # type: ignore[misc]
    def count(context: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate

    @intrinsic  # type: ignore[misc]
    def lowest_index(context: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), generate

    @intrinsic  # type: ignore[misc]
    def highest_index(context: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.uint64(types.uint64), generate


if PDEP:

    @intrinsic  # type: ignore[misc]
    def _deposit(context: Any, bits: Any, mask: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    @inlined
    def nth(mask: U, n: U) -> U:
        """The card number `n` (from 0) of a mask that has so many, as a mask."""
        return _deposit(ONE << n, mask)  # type: ignore[no-any-return]

else:

    @inlined
    def nth(mask: U, n: U) -> U:
        """The card number `n` (from 0) of a mask that has so many, as a mask."""
        for _ in range(n):
            mask &= mask - ONE
        return ONE << lowest_index(mask)


@inlined
def lowest(mask: U) -> U:
    """The lowest card of a mask that has one, as a mask."""
    return ONE << lowest_index(mask)


@inlined
def index_of(bit: U) -> int:
    """The index of a card given as a mask."""
    return np.int64(lowest_index(bit))


# The generator: `volte.fair.SplitMix64`, whose state the caller keeps


@inlined
def mix(z: U) -> U:
    """`volte.fair.mix`."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@inlined
def split(seed: U, index: U) -> U:
    """`volte.fair.split`."""
    return mix(seed + (index + ONE) * STEP)


@inlined
def below(state: U, n: U) -> tuple[U, U]:
    """`SplitMix64.below`: the state after, and a number below `n`."""
    state += STEP
    product = (mix(state) >> _S32) * n
    if product & _LOW < n:
        surplus = U(_WORDS) % n
        while product & _LOW < surplus:
            state += STEP
            product = (mix(state) >> _S32) * n
    return state, product >> _S32
