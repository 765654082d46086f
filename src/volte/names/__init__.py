"""Names of people, tables and clubs: cleaning, comparing, and telling look-alikes.

Names and sayings may hold signs that can be seen, and signs that join those.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import category, combining, normalize

from volte.cards import VolteError

__all__ = [
    "LONGEST_NAME",
    "NameFault",
    "clean_name",
    "clean_text",
    "distinct_name",
    "isolated",
    "looks",
    "meant",
    "name_order",
    "on_one_line",
    "plain",
]

FILE: Final = Path(__file__).with_name("lookalikes.txt")
"""Signs that look alike; made from Unicode's confusables.txt."""

LONGEST_NAME: Final = 40
"""Code points of a name: of a person, a table, a club or an evening."""

MOST_MARKS: Final = 4
"""Most marks on one letter, as in UTS 39, 5.4."""

_PILED: Final = "m" * (MOST_MARKS + 1)


class NameFault(VolteError):
    """A text that cannot be a name, or cannot be shown."""

    field = "name"


def clean_name(text: str, most: int = LONGEST_NAME, reason: str = "bad_name") -> str:
    """A typed name in the form that is stored; cleaning it again changes nothing.

    Blanks are folded, also those of Braille and music, and `clean_text` does the rest.

    Args:
        most: code points that the name may have.
        reason: of the fault where the name is longer, or shows nothing.

    Raises `NameFault`.

    >>> clean_name("  Anne\u00a0 Marie\u200b ")
    'Anne Marie'
    """
    one_line = " ".join(text.translate(_BLANKS).split())
    name = " ".join(clean_text(one_line).split())
    if len(name) > most or not any(category(sign)[0] in "LNPS" for sign in name):
        raise NameFault(reason, most=most)
    return name


def clean_text(text: str) -> str:
    """A line without invisible signs, except those that join others.

    Unicode's Default_Ignorable_Code_Point goes, except joiners between letters or between
    emoji and after a virama, selectors after an emoji, and the tags of a flag.

    Raises `NameFault` for a control, private or unassigned sign, and for marks piled on a letter.

    >>> clean_text("Zo\u00ade"), len(clean_text("\U0001f469\u200d\U0001f467"))
    ('Zoe', 3)
    """
    text = text.translate(_TURNING)
    for sign in text:
        if _refused(sign):
            raise NameFault("bad_sign", sign=f"U+{ord(sign):04X}")
    seen = normalize("NFD", IGNORABLE.sub("", text))
    if _PILED in "".join("m" if category(sign) in ("Mn", "Me") else "." for sign in seen):
        raise NameFault("too_many_marks", most=MOST_MARKS)
    return _LOOSE.sub(_belonging, _UNSEEN.sub(r"\1", text))


def on_one_line(text: str) -> str:
    """Any text made fit to show, such as a name of an old record: signs that do not print become
    blanks, except joiners and the tags of flags; blanks are folded; marks of direction go.
    """
    shown = (
        each if each.isprintable() or each in _JOINERS or each in _TAGS else " "
        for each in text.translate(_TURNING)
    )
    return " ".join("".join(shown).split())


def isolated(text: str) -> str:
    """A text to put among others: letters written from right to left get isolates (FSI and PDI of
    Unicode) around them, so that they do not turn the signs and numbers beside them.

    >>> isolated("Anne"), isolated("\u05d9\u05d5\u05e1\u05e3 2")
    ('Anne', '\u2068יוסף 2\u2069')
    """
    alone = text.isascii() or FIRST_STRONG in text or not _RIGHT_TO_LEFT.search(text)
    return text if alone else f"{FIRST_STRONG}{text}{END_OF_ISOLATE}"


FIRST_STRONG: Final = "\N{FIRST STRONG ISOLATE}"
END_OF_ISOLATE: Final = "\N{POP DIRECTIONAL ISOLATE}"
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def name_order(name: str) -> tuple[str, str]:
    """A key to sort names by, as if they had no accents and no capitals.

    >>> sorted(["Zoé", "Emma", "Œuf", "odile", "Émile"], key=name_order)
    ['Émile', 'Emma', 'odile', 'Œuf', 'Zoé']
    """
    return plain(name), name


def plain(text: str) -> str:
    """Small letters without accents, œ and æ written out, apostrophes straight."""
    letters = normalize("NFKD", text.casefold().translate(_WRITTEN_OUT))
    return "".join(sign for sign in letters if not combining(sign))


_WRITTEN_OUT: Final = str.maketrans({"œ": "oe", "æ": "ae", "’": "'"})


def meant(typed: str, among: Collection[str]) -> str:
    """The name in `among` that somebody typed, whatever the accents, capitals, blanks, hyphens and
    underscores; the text itself where it is none of them.

    >>> meant("Cœurs", ["coeurs"]), meant("Dame de pique", ["coeurs", "dame-de-pique"])
    ('coeurs', 'dame-de-pique')
    """
    if typed in among:
        return typed
    by_letters = {_letters(name): name for name in among}
    return by_letters.get(_letters(typed), typed)


def _letters(name: str) -> str:
    return _BETWEEN.sub("", plain(name))


_BETWEEN: Final = re.compile(r"[\s_\-‐‑–]+")
"""Signs between the words of a name."""


def _refused(sign: str) -> bool:
    return not (sign.isprintable() or category(sign) == "Zs" or IGNORABLE.match(sign))


def _belonging(run: re.Match[str]) -> str:
    """The joiners and selectors of a run that belong where they stand."""
    start, end = run.span()
    before, after = run.string[max(start - 2, 0) : start], run.string[end : end + 1]
    belonging = ""
    for sign in run[0]:
        belonging += sign if _belongs(before + belonging, sign, after) else ""
    return belonging


def _belongs(before: str, sign: str, after: str) -> bool:
    last = before[-1:]
    if sign in _SELECTORS:
        keycap = last in _KEYCAPS and after == _KEYCAP
        return bool(last) and (keycap or re.match(_EMOJI, last) is not None)
    if re.search(_ENDING_EMOJI, before) and re.match(_EMOJI, after):
        return True
    return _is_letter(last) and (_is_letter(after) or combining(last) == _VIRAMA)


def _is_letter(sign: str) -> bool:
    """Whether it is a letter or a mark on one."""
    known = category(sign) if sign else ""
    return known.startswith("L") or (known in ("Mn", "Mc") and sign not in _SELECTORS)


def _class(ranges: str) -> str:
    """Hexadecimal code points, alone or from-to, as the inside of a pattern's brackets."""
    bounds = (each.split("-") for each in ranges.split())
    return "".join("-".join(rf"\U{int(end, 16):08x}" for end in pair) for pair in bounds)


# From DerivedCoreProperties.txt of Unicode 17.0.0: Default_Ignorable_Code_Point.
_IGNORABLES: Final = _class(
    "AD 34F 61C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF"
    " FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)

# From emoji-data.txt of Unicode 14.0.0: Extended_Pictographic, places for later ones included.
_PICTURES: Final = _class(
    "A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 2388 23CF 23E9-23F3 23F8-23FA"
    " 24C2 25AA-25AB 25B6 25C0 25FB-25FE 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714"
    " 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2767 2795-2797 27A1"
    " 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F000-1F0FF"
    " 1F10D-1F10F 1F12F 1F16C-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F1AD-1F1E5 1F201-1F20F 1F21A"
    " 1F22F 1F232-1F23A 1F23C-1F23F 1F249-1F3FA 1F400-1F53D 1F546-1F64F 1F680-1F6FF 1F774-1F77F"
    " 1F7D5-1F7FF 1F80C-1F80F 1F848-1F84F 1F85A-1F85F 1F888-1F88F 1F8AE-1F8FF 1F90C-1F93A"
    " 1F93C-1F945 1F947-1FAFF 1FC00-1FFFD"
)

_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_SELECTORS: Final = "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"
_TURNING: Final = dict.fromkeys(
    (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
"""Marks of direction, to remove: Bidi_Control of Unicode's PropList.txt."""

_TAGS: Final = frozenset(map(chr, range(0xE0020, 0xE0080)))
_KEYCAPS: Final = "0123456789#*"
_KEYCAP: Final = "\N{COMBINING ENCLOSING KEYCAP}"
_VIRAMA: Final = 9
"""Canonical_Combining_Class of viramas, after which a joiner says how two letters are written."""

_BLANKS: Final = dict.fromkeys((0x2800, 0x1D159, 0x13441, 0x13442), " ")
"""Signs without ink, which Unicode counts among symbols and letters."""

IGNORABLE: Final = re.compile(f"[{_IGNORABLES}]")
_EMOJI: Final = f"[{_PICTURES}]"  # compiled when wanted: it takes a while, and few names have any
_ENDING_EMOJI: Final = f"{_EMOJI}[{_class('1F3FB-1F3FF')}]?[{_SELECTORS}]?\\Z"
_LOOSE: Final = re.compile(f"[{_JOINERS}{_SELECTORS}]+")
_UNSEEN: Final = re.compile(
    f"(\U0001f3f4[{_class('E0030-E0039 E0061-E007A')}]{{3,6}}\U000e007f"
    f"|[{_JOINERS}{_SELECTORS}])|[{_IGNORABLES}]"
)
"""Ignorable signs; the first group finds those that stay: whole flags, joiners, selectors."""


# Names that look alike


def looks(name: str) -> frozenset[str]:
    """The looks of a name: two names with a look in common are alike.

    One look is the skeleton of UTS 39, the other that of the name without capitals and the like
    (NFKC and case folding).

    >>> bool(looks("Anne") & looks("\u0410nne")), bool(looks("Anne") & looks("ANNE"))
    (True, True)
    >>> bool(looks("Anne") & looks("Anna"))
    False
    """
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return frozenset({_skeleton(name), " " + _skeleton(folded)})


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where it looks like one that is taken.

    >>> distinct_name("Anne", ["Bob", "ANNE", "Anne 2"])
    'Anne 3'
    """
    seen = frozenset[str]().union(*map(looks, taken))
    name = " ".join(name.split())
    number, apart = 1, name
    while not looks(apart).isdisjoint(seen):
        number += 1
        apart = f"{name} {number}"
    return apart


def _skeleton(text: str) -> str:
    """The skeleton of UTS 39, 4: https://www.unicode.org/reports/tr39/#Confusable_Detection."""
    plain = IGNORABLE.sub("", normalize("NFD", text))
    return " ".join(normalize("NFD", plain.translate(_lookalikes())).split())


@cache
def _lookalikes() -> dict[int, str]:
    """Texts that signs look like, by the sign's code point."""
    found: dict[int, str] = {}
    for line in FILE.read_text("utf-8").split("\n"):
        text, _, signs = line.partition(": ")
        if signs and not line.startswith("#"):
            shape = "".join(chr(int(each, 16)) for each in text.split("+"))
            found |= dict.fromkeys((int(sign, 16) for sign in signs.split()), shape)
    return found
