"""Requirements of every page, whatever it shows: judged by axe, and measured."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

ROOT: Final = Path(__file__).parents[3]
AXE: Final = ROOT / "build/npm/node_modules/axe-core/axe.min.js"
MEASURING: Final = (Path(__file__).parent / "measuring.js").read_text(encoding="utf-8")

RULES: Final = [
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
    "best-practice",
]
"""Tags of the rules of axe that a page must obey."""

MEASURED: Final = ("color-contrast", "target-size")
"""Rules of axe that are weaker than `contrast_faults` and `room_faults`, and take as long as all
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
    text-decoration-color: transparent !important; transition: none !important; }
    svg text { fill: transparent !important; }"""

HIGHEST: Final = 8000
"""The greatest height of a picture, in pixels."""

SPACED: Final = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }"""
"""The text spacing that a page must bear (WCAG 1.4.12)."""

EAGER: Final = """() => Promise.all([...document.images].map((each) => {
    each.loading = 'eager';
    return each.checkVisibility() && each.decode();
}))"""
"""Loads lazy images first: a picture of the whole page would load them while it is taken."""

BRIEF: Final = ".bubble, .gain"
STAY: Final = f"""document.querySelectorAll('{BRIEF}').forEach(
    (each) => each.replaceWith(each.cloneNode(true)))"""
"""Stops brief sights from going away before they have been judged."""

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
    """Faults found by axe, without some of its rules, and with others beyond AA."""
    if page.evaluate("() => typeof window.axe") == "undefined":
        page.evaluate(_axe())
    found: list[str] = page.evaluate(RUN, [RULES, list(without), list(also)])
    return found


def measured(page: Page, what: str) -> Any:
    """Call one of the functions of `measuring.js`."""
    return page.evaluate(f"{MEASURING}.{what}()")


def contrast_faults(page: Page, enough: float = AA) -> tuple[list[str], float]:
    """Texts and fields that cannot be seen well; and the least contrast of text that is small.

    Args:
        enough: `AA` or `AAA`.
    """
    page.evaluate(EAGER)
    page.evaluate(STAY)
    page.evaluate(WEAR, WORDLESS)
    shots = list(_shots(page))
    page.evaluate(WEAR, "")
    found = page.evaluate(
        f"([shots, enough]) => {MEASURING}.faint(shots, enough)",
        [[(top, base64.b64encode(shot).decode("ascii")) for top, shot in shots], enough],
    )
    page.evaluate(f"document.querySelectorAll('{BRIEF}').forEach((each) => each.remove())")
    return found["faults"] + measured(page, "edgeless"), found["least"]


def _shots(page: Page) -> Iterator[tuple[float, bytes]]:
    """Pictures of the page, each with its distance from the top.

    A table fills its window, and would be another one in a picture of the whole page; and pictures
    have a height beyond which they are black. There, what lies below is scrolled to.
    """
    shot = partial(page.screenshot, animations="disabled", scale="css")
    sizes = "[document.documentElement.scrollHeight, innerHeight, scrollY]"
    whole, window, before = page.evaluate(sizes)
    if page.evaluate(f"() => Boolean({MEASURING}.modal())"):
        yield 0, shot()
    elif whole <= HIGHEST and not page.evaluate("document.querySelector('.board') !== null"):
        yield 0, shot(full_page=True)
    else:
        for top in range(0, whole, window):
            yield page.evaluate("(top) => { scrollTo(0, top); return scrollY; }", top), shot()
        page.evaluate("(top) => scrollTo(0, top)", before)


def room_faults(page: Page) -> list[str]:
    """Everything that does not fit as the page stands, and with wide text spacing."""
    faults = [*measured(page, "wide"), *measured(page, "small")]
    page.evaluate(WEAR, SPACED)
    faults += [f"{each}, with wide text" for each in measured(page, "wide") + measured(page, "cut")]
    page.evaluate(WEAR, "")
    return faults
