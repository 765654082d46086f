"""Every state of the table: walks that stop at each state worth a look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kit.browser.means import (
    CORNER,
    Mouse,
    action,
    do_what_is_due,
    legal,
    press,
    sit_together,
    until_a_card_is_followed,
)
from kit.browser.players import QUICK, Player, opened_with
from kit.browser.refereed import ByMouse, Circle, Means, circle, honest, pass_cards
from playwright.sync_api import ViewportSize

from volte.rules.options import Value

SEED: Final = 2
"""Seed of the deals on these walks: see `dealt_from`."""

OTHERS_PASSED: Final = """() => window.watched.scene.seats.every(
    (seat, place) => seat.passed || place === window.watched.scene.seat)"""

DESK: Final = ViewportSize(width=1280, height=900)
"""A window in which the parts of the page stand beside the felt, and can all be open."""

SLOW: Final = {"bot_pace": 10_000, "trick_pace": 30_000}

GATHERED: Final = "() => document.querySelector('.choose-seat')?.clientHeight > 20"
"""Condition: the host of a table that waits can touch its seats."""

ALL_LOADED: Final = """() => document.querySelectorAll('#sheet-heads th').length > 2
    && document.getElementById('proofs').childElementCount > 0
    && ['talk-log', 'settings-form'].every((id) => document.getElementById(id) !== null)
    && document.getElementById('rules').childElementCount > 0"""
"""Condition: the parts that are fetched when they are opened have come."""

LOADED: Final = """() => [...document.styleSheets].some(
    (each) => each.href?.endsWith('/wider.css'))"""

FILLS_TRICK: Final = "(scene) => scene.trick.length === scene.seats.length - 1"
"""Condition: the player's card is the last of a trick."""

VOID: Final = """(scene) => scene.trick.length > 0
    && scene.hand.every(({ card }) => card.at(-1) !== scene.trick[0].card.at(-1))"""
"""Condition: the player is void in the suit led; there is one pack."""

MOST: Final = 200
"""Acts that are not cards, after which a state that is waited for cannot come any more."""


def without(keep: str, packs: int = 1) -> list[str]:
    """All cards except those of a space-separated list, as the option `removed` takes them."""
    kept = keep.split()
    cards = [f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA"]
    marks = ["", "'"][:packs]
    return [f"{card}{mark}" for card in cards if card not in kept for mark in marks]


TWELVE: Final = without("JC QC KC AC JD QD KD AD JS QS KS AS")
"""For three players: four cards each; only the queen counts, so every deal has its moon."""

PAIRS: Final = without("2C 2D QS 2H 3H 4H", packs=2)
"""For six players: two cards each; a club or diamond led can only be cancelled, or held up."""

EIGHT_EACH: Final = without(" ".join(f"{rank}{suit}" for suit in "CDSH" for rank in "789TJQKA"))
"""For four players: whole deals, shorter by five ordinary tricks."""

SIX_EACH: Final = without("AC KC QC JC TC AD KD QD JD TD AS KS QS AH KH QH JH TH", packs=2)
"""For six players: six cards each."""

SIXTEEN: Final = without("JC QC KC AC JD QD KD AD JS QS KS AS JH QH KH AH")
"""For four players: four cards each."""


def play_until(player: Player, condition: str) -> None:
    """Play on, deal after deal, until a condition about the scene holds."""
    for _ in range(MOST):
        due = player.play_on(condition)
        if player.page.evaluate(f"() => (({condition}))(window.watched.scene)"):
            return
        if due == "Next" and player.scene["refereed"]:  # a bot cuts before anybody can press it
            player.wait("() => !window.watched.scene.may.includes('Next')")
        else:
            do_what_is_due(player, Mouse(), due)
    raise AssertionError(condition)


def scattering(player: Player) -> None:
    """Choose a card for each of the others, and swap two of them."""
    player.begin("microsoft", pass_cycle=["scatter"], removed=SIXTEEN)
    player.due()
    player.wait(LOADED)
    player.take_focus()
    for place in (0, 3, 2):
        player.cards().nth(place).click(position=CORNER)
    player.page.locator("#each button:visible").first.click()


def choosing(player: Player, name: str = "microsoft", **more: Value) -> None:
    """Play until the person has shot a moon, and has to choose how it counts."""
    options: dict[str, Value] = {"pass_count": 0, "moon": "shooter_chooses", **more}
    player.begin(name, players=3, removed=TWELVE, deals=30, **options)
    player.take_focus()
    play_until(player, "(scene) => scene.may.includes('ChooseMoon')")
    player.page.wait_for_selector("#moon:not([hidden])")


def holding(player: Player) -> None:
    """Play until a trick waits for the winner of the next one, and look at the last trick."""
    player.begin("cancellation", players=6, removed=PAIRS, deals=60)
    player.take_focus()
    play_until(player, "(scene) => scene.wider.held.length > 0 && scene.may.includes('Play')")
    player.page.evaluate("document.getElementById('last-part').open = true")
    player.page.wait_for_selector("#pile:not([hidden])")


def partnered(player: Player) -> None:
    """The end of a match of two sides, with its sheet."""
    player.begin("partnership", removed=SIXTEEN, deals=2)
    player.take_focus()
    play_until(player, "(scene) => scene.phase === 'ended'")
    player.page.evaluate("document.getElementById('sheet-part').open = true")
    player.wait("() => document.querySelectorAll('#sheet-rows tr').length === 2")
    action(player, "Start").wait_for()
    player.page.wait_for_selector("#ending.over:not([hidden])")


def wider_states(player: Player) -> Iterator[str]:
    """Walk through the states of the wider family; yield each name. The person has come in."""
    player.begin("cancellation", players=10)
    player.due()
    player.wait(LOADED)
    yield "ten-seats"
    scattering(player)
    yield "scatter"
    holding(player)
    yield "held"
    partnered(player)
    yield "partners-over"
    choosing(player)
    yield "moon"
    press(player, "ChooseMoon")
    player.keys("Enter")
    player.page.wait_for_selector("#moon", state="hidden")
    choosing(player, "coeurs-table", queen_discard="free")
    player.page.wait_for_selector("#ending:not([hidden])")
    yield "moon-refereed"


# A usual table


def table_states(player: Player, deals: int = 2) -> Iterator[str]:
    """Walk through a whole match, or the first deal of it; yield the name of every state worth a
    look."""
    player.come_in(helped=False)
    table = player.open_table("microsoft", deals=2, seed=7)
    player.sit_down(table)
    player.page.wait_for_selector("#intro:not([hidden])")
    player.wait(GATHERED)
    yield "newcomer"
    player.suit(**QUICK)
    player.sit_down(table)
    yield "waiting"
    press(player, "Start")
    yield from _first_deal(player)
    yield from _aside(player)
    yield from _absent(player)
    assert player.play_on() == "Next"
    player.keep_focus()
    player.page.wait_for_selector("#ending:not([hidden])")
    yield "deal-over"
    if deals == 1:
        return
    do_what_is_due(player, Mouse(), "Next")
    do_what_is_due(player, Mouse(), player.due())
    assert player.play_on() == "ended"
    player.keep_focus()
    action(player, "Start").wait_for()
    player.page.wait_for_selector("#ending.over:not([hidden])")
    yield "match-over"


def _first_deal(player: Player) -> Iterator[str]:
    """From the pass to a turn of somebody else."""
    assert player.due() == "Pass"
    player.wait(OTHERS_PASSED)
    player.take_focus()
    yield "passing"
    player.cards().first.click(position=CORNER)
    press(player, "Pass")
    player.page.wait_for_selector("#answer-section.refused:not([hidden])")
    yield "passing-too-few"
    player.cards().first.click(position=CORNER)
    do_what_is_due(player, Mouse(), "Pass")
    assert player.due() == "Play"
    yield "my-turn"
    assert player.play_on("(scene) => scene.hand.some((card) => !card.legal)") == "Play"
    player.page.locator("#hand [role=option][aria-disabled=true]").first.click(
        position=CORNER, force=True
    )
    player.page.wait_for_selector("#answer-section.refused:not([hidden])")
    yield "refused"
    assert player.play_on(FILLS_TRICK) == "Play"
    _play_slowly(player)
    player.page.wait_for_selector("#taken li", state="attached")
    yield "trick-over"
    _play_on(player)
    assert player.play_on(VOID) == "Play"
    yield "void"
    _play_slowly(player)
    player.wait("() => !window.watched.scene.may.includes('Play')")
    yield "their-turn"
    _play_on(player)


def _play_slowly(player: Player) -> None:
    """Play the first legal card; then the others take their time. The page is loaded before that:
    a bot that was asked long ago would play as soon as it is there."""
    player.suit(**SLOW)
    player.page.reload()
    player.due()
    player.take_focus()
    legal(player).first.click(position=CORNER)


def _play_on(player: Player) -> None:
    """Let the others play at once, until it is the player's turn again."""
    player.suit(bot_pace=0, trick_pace=0)
    player.page.reload()
    player.due()


def _aside(player: Player) -> Iterator[str]:
    """Walk through questions, dialogs, and everything that opens."""
    player.take_focus()
    player.keys("s")
    player.page.wait_for_selector("#answer-section:not(.refused):not([hidden])")
    yield "scores"
    player.take_focus()
    player.keys("?")
    player.page.wait_for_selector("[role=dialog]")
    yield "keys"
    player.keys("Escape")
    press(player, "Stand")
    player.page.wait_for_selector("[role=dialog]")
    yield "sure"
    player.keys("Escape")
    player.page.wait_for_selector("[role=dialog]", state="detached")
    window = player.page.viewport_size
    player.page.set_viewport_size(DESK)
    player.page.evaluate(
        "document.querySelectorAll('.aside > details').forEach((each) => each.open = true)"
    )
    player.wait(ALL_LOADED)
    player.take_focus()
    yield "all-open"
    player.page.evaluate(
        "document.querySelectorAll('.aside > details').forEach((each) => each.open = false)"
    )
    if window is not None:
        player.page.set_viewport_size(window)
    player.page.click("[data-key=Menu]")
    player.page.click("#around [data-key=settings]")
    yield "table-settings"
    player.page.reload()
    player.due()


def _absent(player: Player) -> Iterator[str]:
    """A match that waits, a person who is away, and a line that is cut."""
    press(player, "Pause")
    action(player, "Unpause").wait_for()
    yield "paused"
    press(player, "Unpause")
    assert player.due() == "Play"
    player.forgiven += "|WebSocket|ERR_INTERNET_DISCONNECTED"
    player.context.set_offline(True)
    player.page.evaluate("window.watched.hangUp()")
    player.page.wait_for_selector("#connection:not([hidden])")
    yield "offline"
    player.context.set_offline(False)
    player.page.reload()
    player.due()


OPENED: Final = {
    "table-talk": ("talk", "#talk button:visible"),
    "table-rules": ("rules", "#rules li:visible"),
    "table-score": ("sheet", "#sheet"),
    "table-log": ("log", "#log p:visible"),
    "table-invitation": ("invite", "#invite-part button:visible"),
}
"""What the menu opens: its button, and something in it, by the name of the state."""


def opened_states(player: Player) -> Iterator[str]:
    """Walk through a newcomer's notes, received cards, the last trick, and what the menu opens."""
    player.come_in(helped=False)
    player.begin("microsoft", setup={"talk": "all"})
    player.due()
    player.page.wait_for_selector("#note span")
    yield "note"
    player.suit(**QUICK)
    player.page.reload()
    do_what_is_due(player, Mouse(), player.due())
    assert player.due() == "Play"
    player.page.wait_for_selector("#hand .received")
    yield "received"
    play_until(player, "(scene) => scene.last.length > 0 && scene.may.includes('Play')")
    player.take_focus()
    player.keys("l")
    player.page.wait_for_selector("#before li")
    yield "last-trick"
    player.page.click("[data-key=Menu]")
    yield "menu"
    for name, (button, inside) in OPENED.items():
        if not player.page.locator("#menu.open").count():
            player.page.click("[data-key=Menu]")
        player.page.click(f"#around [data-key={button}]")
        player.page.wait_for_selector(inside)
        yield name
        player.keys("Escape")


def dead_ends(player: Player) -> Iterator[str]:
    """Walk through what ends or bars the line to a table, on another page."""
    usual, player.page = player.page, player.context.new_page()
    table = player.open_table()
    try:
        player.page.route_web_socket("**", lambda line: line.close())
        player.page.clock.install()
        player.go_to(f"/tables/{table}")
        player.page.clock.run_for(31_000)
        player.page.wait_for_selector("#connection-barred")
        yield "no-websocket"
        player.page.close()
        player.page = player.context.new_page()
        player.sit_down(table)
        player.context.clear_cookies()
        player.page.evaluate("window.watched.hangUp()")
        player.page.wait_for_selector("#connection a:visible")
        player.page.wait_for_selector("#answer-section", state="hidden")
        yield "session-over"
    finally:
        player.page.close()
        player.page = usual


def shapes(player: Player) -> Iterator[str]:
    """The fewest and the most people, with the most and the fewest cards."""
    for players in (3, 7):
        player.begin("coeurs", players=players)
        player.due()
        player.wait(OTHERS_PASSED)
        yield f"{players}-seats"


def company_states(player: Player) -> Iterator[str]:
    """With somebody else at the table, whose guest the player is."""
    player.suit(**QUICK)
    host = player.beside()
    try:
        sit_together(host, player)
        until_a_card_is_followed(host, player)
        press(host, "AskUndo")
        player.page.wait_for_selector("#asked:not([hidden])")
        yield "asked"
        player.page.click("#allow")
        player.page.wait_for_selector("#asked", state="hidden")
        press(player, "Away")
        action(player, "Back").wait_for()
        yield "away"
        press(player, "Stand")
        player.page.click("[role=dialog] .first")
        player.page.wait_for_selector("#hand-section", state="hidden")
        yield "watching"
    finally:
        host.close()


def meeting_states(player: Player) -> Iterator[str]:
    """At a table where anybody may come: before its match, and with somebody who played there."""
    player.suit(**QUICK)
    host = player.beside()
    try:
        with opened_with(player.playroom, fill=3600.0, anew=3600.0):
            table = host.open_table(levels=["", "", ""], setup={"meeting": True})
            for each in (host, player):
                each.sit_down(table)
            press(player, "Sit 1")
            action(player, "Start").wait_for()
            player.page.wait_for_selector("#filling:not([hidden])")
            yield "filling"
            table = host.begin(pass_count=0, deals=9, removed=SIXTEEN, setup={"meeting": True})
            host.play_on()
            player.sit_down(table)
            press(player, "Sit 1")
            player.page.wait_for_selector("#anew:not([hidden])")
            press(player, "Seek")
            player.wait(SEEKS)
            player.keys("Escape")
            yield "anew"
    finally:
        host.close()


SEEKS: Final = """() =>
    document.getElementById('status').textContent.trim() !== window.watched.scene.status"""
"""Condition: how it stands with the people who are looked for stands beside the status."""


# A table with a referee


def refereed_states(player: Player) -> Iterator[str]:
    """Walk through a match with many irregularities; yield the name of every state worth a look."""
    player.suit(**QUICK)
    means = ByMouse()
    with circle(player, deals=2) as table:
        yield from _at_the_trick(player, table, means)
        yield from _a_claim(player, table, means)
        yield "referee-stopped"
        table.until("Cut", "Pass")
        if "Cut" in player.scene["may"]:
            means.press(player, "Cut")
        table.until("Pass")
        pass_cards(player)
        table.revokes(table.ana)
        means.claim(player, "Ana", len(table.ana.view.deal.tricks))
        player.wait("() => window.watched.scene.reckoning?.last")
        table.accepts(table.max)
        player.page.wait_for_selector("#ending .accepted")
        yield "referee-last"
        means.press(player, "Accept")
        table.until("ended")
        player.page.wait_for_selector("#ending.over")
        action(player, "Start").wait_for()
        yield "referee-over"


def _at_the_trick(player: Player, table: Circle, means: Means) -> Iterator[str]:
    """Ask a card out of turn back, and put a revoke of the player's own right."""
    table.until_before(table.ana)
    table.lays(table.ana, next(iter(table.ana.view.hand)))
    player.page.wait_for_selector("#trick .early")
    player.take_focus()
    yield "referee-early"
    means.press(player, "Object")
    player.page.wait_for_selector("[role=dialog]")
    yield "referee-object"
    player.page.locator("[role=dialog] .choose button").first.click()
    player.page.wait_for_selector("#ruling.fresh")
    yield "referee-asked-back"
    means.play(player, table.until_either()[0])
    player.wait("() => window.watched.scene.may.includes('TakeBack')")
    yield "referee-revoked"
    means.press(player, "TakeBack")
    player.page.wait_for_selector("#hand [aria-disabled=true]")
    yield "referee-put-right"
    honest(player)


def _a_claim(player: Player, table: Circle, means: Means) -> Iterator[str]:
    """Claim somebody else's revoke: against the wrong player first."""
    table.revokes(table.ana)
    number = len(table.ana.view.deal.tricks)
    means.press(player, "ClaimRevoke")
    player.page.wait_for_selector("[role=dialog]")
    player.page.click("[role=dialog] .first")
    yield "referee-claim"
    player.keys("Escape")
    means.claim(player, "Max", number)
    player.page.wait_for_selector("#ruling.fresh")
    yield "referee-mistaken"
    means.claim(player, "Ana", number)
    player.page.wait_for_selector("#ending:not([hidden])")
