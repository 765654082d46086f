"""What every page must be, whatever it shows: judged by axe, and measured."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

ROOT: Final = Path(__file__).parents[2]
AXE: Final = ROOT / "build/npm/node_modules/axe-core/axe.min.js"
MEASURING: Final = (Path(__file__).parent / "measuring.js").read_text(encoding="utf-8")

RULES: Final = [
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
    "best-practice",
]
"""Tags of the rules of axe that a page must obey."""

MEASURED: Final = ("color-contrast", "target-size")
"""Rules of axe that ask less than `contrast_faults` and `room_faults` do, and take as long as all
others together."""

AA: Final = 4.5
AAA: Final = 7.0
"""The contrast that small words need (WCAG 1.4.3 and 1.4.6)."""

ENHANCED: Final = ("color-contrast-enhanced",)
"""Rules of axe beyond AA that pages obey; `contrast_faults` with `AAA` asks more."""

RUN: Final = """async ([tags, without, also]) => {
    const { violations } = await axe.run(document, {
        runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'],
        rules: Object.fromEntries([...without.map((each) => [each, { enabled: false }]),
            ...also.map((each) => [each, { enabled: true }])]),
        elementRef: false });
    return violations.flatMap(({ id, help, nodes }) => nodes.map(
        (node) => `${id} (${help}): ${node.target.join(' ')} ${node.html.slice(0, 160)}`));
}"""

WORDLESS: Final = """* { color: transparent !important; text-shadow: none !important;
    transition: none !important; } svg text { fill: transparent !important; }"""

SPACED: Final = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }"""
"""The text spacing that a page must bear (WCAG 1.4.12)."""

EAGER: Final = """() => Promise.all([...document.images].map((each) => {
    each.loading = 'eager';
    return each.checkVisibility() && each.decode();
}))"""
"""A picture of the whole page would load them in the middle of it."""

WEAR: Final = """(text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = text === '' ? [] : [sheet];
}"""


@cache
def _axe() -> str:
    if not AXE.exists():
        pytest.skip("axe is not installed; scripts/setup does it where there is npm")
    return AXE.read_text(encoding="utf-8")


def axe_faults(page: Page, without: Sequence[str] = (), also: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong, without some of its rules, and with others beyond AA."""
    if page.evaluate("() => typeof window.axe") == "undefined":
        page.evaluate(_axe())
    found: list[str] = page.evaluate(RUN, [RULES, list(without), list(also)])
    return found


def measured(page: Page, what: str) -> Any:
    """One of the functions of `measuring.js`."""
    return page.evaluate(f"{MEASURING}.{what}()")


def contrast_faults(page: Page, enough: float = AA) -> tuple[list[str], float]:
    """Texts and fields that cannot be seen well; and the least contrast of text that is small.

    Args:
        enough: `AA` or `AAA`.
    """
    page.evaluate(EAGER)
    whole = not page.evaluate(f"() => Boolean({MEASURING}.modal())")
    page.evaluate(WEAR, WORDLESS)
    shot = page.screenshot(full_page=whole, animations="disabled", scale="css")
    page.evaluate(WEAR, "")
    found = page.evaluate(
        f"([shot, enough]) => {MEASURING}.faint(shot, enough)",
        [base64.b64encode(shot).decode("ascii"), enough],
    )
    return found["faults"] + measured(page, "edgeless"), found["least"]


def room_faults(page: Page) -> list[str]:
    """What does not fit as the page stands, and what does not with wide text."""
    faults = [*measured(page, "wide"), *measured(page, "small")]
    page.evaluate(WEAR, SPACED)
    faults += [f"{each}, with wide text" for each in measured(page, "wide") + measured(page, "cut")]
    page.evaluate(WEAR, "")
    return faults
