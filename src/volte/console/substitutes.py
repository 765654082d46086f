"""What is written for characters that the encoding of a terminal does not have."""

from __future__ import annotations

import codecs
from typing import Final
from unicodedata import category, normalize

READABLY: Final = "volte_readably"
"""For `errors` of a text stream: "cœur" is written "coeur", not "c?ur"."""

_PAIRS: Final = """
œ=oe Œ=OE æ=ae Æ=AE ß=ss ø=o Ø=O ł=l Ł=L đ=d Đ=D ð=d Ð=D þ=th Þ=Th ı=i
«=<< »=>> ‹=< ›=> …=... •=* ·=- →=-> ←=<- ±=+/- ×=x ÷=/ ⁄=/ \\=/ ≈=~ €=EUR £=GBP µ=u °=deg
"""

# Double quotation marks become single ones: a double one would end the texts of JSON and records.
_SUBSTITUTES: Final = str.maketrans(
    {
        **dict(pair.split("=") for pair in _PAIRS.split()),
        **dict.fromkeys('’‘ʼ‚′“”„″"', "'"),
        **dict.fromkeys("‐‑‒–—―−─━", "-"),
        **dict.fromkeys("▁▂▃▄", "."),
        **dict.fromkeys("▅▆▇█", "#"),
        **dict.fromkeys("♠♤", "S"),
        **dict.fromkeys("♥♡", "H"),
        **dict.fromkeys("♦♢", "D"),
        **dict.fromkeys("♣♧", "C"),
    }
)


def substitute(text: str) -> str:
    """The text in ASCII, as far as that can be read; "?" for every other character.

    >>> substitute("Le cœur d’Anaïs – «\u00a0déjà\u00a0» 8♥ Ж")
    "Le coeur d'Anais - << deja >> 8H ?"
    """
    return "".join(map(_in_ascii, text))


def _in_ascii(sign: str) -> str:
    told = normalize("NFKD", sign.translate(_SUBSTITUTES)).translate(_SUBSTITUTES)
    return told.encode("ascii", "ignore").decode() or ("" if _is_mark(sign) else "?")


def _is_mark(sign: str) -> bool:
    """Whether it only joins or marks another sign."""
    return category(sign) in ("Mn", "Mc", "Me", "Cf")


def _write(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return substitute(error.object[error.start : error.end]), error.end


codecs.register_error(READABLY, _write)
