"""Score sheets of real cards kept by the forms of the pages alone."""

from __future__ import annotations

from typing import Any, Final

from kit.browsing import Page, Visitor

NAMES: Final = ("Anne", "Jean", "Zoé", "Luc")


def filled_form(keeper: Visitor, preset: str, **fields: Any) -> dict[str, Any]:
    """The form for a new sheet, with the rules of that preset; Anne deals first unless said."""
    page = keeper.post("/score/new", {"preset": preset, "players": "4", "do": "preset"})
    named = {f"seat{seat}": name for seat, name in enumerate(NAMES)}
    return {**page.fields("table-form"), **named, "dealer": "0", "do": "open"} | fields


def begin(keeper: Visitor, preset: str = "coeurs-moyenne", **fields: Any) -> str:
    """Begin a new sheet; returns its address."""
    page = keeper.post("/score/new", filled_form(keeper, preset, **fields))
    assert page.status == 200, page.text
    assert not page.wrong, page.wrong
    return page.answer.url.path


def form_of(page: Page) -> dict[str, str]:
    """The fields that every form of a sheet carries."""
    return {name: page.value(name) for name in ("csrf", "version", "nonce")}


def entry(page: Page, *counts: object, do: str = "write", **more: Any) -> dict[str, Any]:
    """The form of a deal, filled in."""
    typed = {f"count-{seat}": str(count) for seat, count in enumerate(counts)}
    return form_of(page) | {"by": "cards", "do": do} | typed | more


def write(keeper: Visitor, sheet: str, *counts: object, **more: Any) -> Page:
    """Enter a deal from a fresh page."""
    page = keeper.post(f"{sheet}/deal", entry(keeper.get(sheet), *counts, **more))
    assert not page.wrong, page.wrong
    return page


def press(keeper: Visitor, sheet: str, do: str, **more: Any) -> Page:
    """Press one of the buttons beside the deals, on a fresh page."""
    path = f"{sheet}/{'watch' if do in ('share', 'unshare') else 'do'}"
    page = keeper.post(path, form_of(keeper.get(sheet)) | {"do": do} | more)
    assert not page.wrong, page.wrong
    return page
