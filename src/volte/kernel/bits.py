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

from volte.fair.chance import GAMMA
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
HALF: Final = U(32)
LOW: Final = U(0xFFFFFFFF)
"""A draw uses half a word; the lower half of its product says whether it is drawn again."""
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
        """`yes if condition else no`, never as a jump: for what no processor could foresee."""

        def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            chosen = builder.select(*arguments)
            chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
            return chosen

        return types.uint64(types.boolean, types.uint64, types.uint64), generate

    @intrinsic
    def rarely(context: Any, condition: Any) -> Any:
        """The condition, which hardly ever holds: what depends on it is put out of the way."""

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
        """The card number `n` (from 0) of a mask that has so many, as a mask."""
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
        """The card number `n` (from 0) of a mask that has so many, as a mask.

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
    """How many cards a mask has, as a number with a sign."""
    return np.int64(count(mask))  # type: ignore[return-value]


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
