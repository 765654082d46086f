"""Every page, and every state of the table: where to look at what people see."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from typing import Final

from kit.matches import played
from kit.sites import House
from page.company import asked, sit_together
from page.evenings import at_club, evening_wrong
from page.looking_back import kept_for, rated_for
from page.means import CORNER, Mouse, action, do_what_is_due, legal, play_deal, press
from page.players import QUICK, Player
from page.talking import measure_somebody, name_moderator, report_somebody

from volte.lessons.puzzles import Puzzle, collection
from volte.rules import make_ruleset
from volte.server.trials import Trial, Trials
from volte.store import Conflict

Visit = Callable[[Player], None]

SEED: Final = 2
"""Of the deals that are looked at: see `dealt_from`."""

OTHERS_PASSED: Final = """() => window.watched.scene.seats.every(
    (seat, place) => seat.passed || place === window.watched.scene.seat)"""

ENDS: Final = {"match_end": "deals:2"}
SLOW: Final = {"bot_pace": 10_000, "trick_pace": 30_000}

ALL_LOADED: Final = """() => document.querySelectorAll('#sheet-heads th').length > 2
    && document.getElementById('proofs').childElementCount > 0
    && document.getElementById('talk-log') !== null"""
"""What is fetched when it is opened has come."""


def at(path: str) -> Visit:
    return lambda player: player.go_to(path)


def new_table_wrong(player: Player) -> None:
    player.go_to("/tables/new")
    player.page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    player.page.fill("#clock", "1")
    player.page.click("#table-form button.first")
    player.page.wait_for_selector(".fault")


def settings_wrong(player: Player) -> None:
    player.go_to("/me")
    player.page.fill("#bot_pace", "fast")
    player.page.fill("#key_scores", "T")
    player.page.click("#settings-form button.first")
    player.page.wait_for_selector(".fault")
    player.page.click(".cues > summary")
    player.page.wait_for_selector("#hear-places:not([hidden])")


def trial_wrong(player: Player) -> None:
    """The form for volunteers, of which nothing is filled in."""
    player.go_to("/accessibility")
    player.page.click("#trial button")
    player.page.wait_for_selector(".fault")


def trials(player: Player) -> None:
    """What a volunteer has found, for the moderators."""
    assert isinstance(player.house, House)
    found = Trial(
        "t", 1.0, player.lang, "Windows 11, Firefox 140", "NVDA 2025.1", "keys", "failed", "-"
    )
    with suppress(Conflict):  # somebody before has put it there
        player.house.do(player.house.site.room.store[Trials].add(found))
    moderating("/moderation/trials")(player)


def password(player: Player) -> None:
    """The door of somebody else's table, and a word that is not the right one."""
    host = player.beside()
    table = host.open_table(password="caramel", setup={"access": "password"})
    host.close()
    player.go_to(f"/tables/{table}")
    player.page.fill("#password", "nougat")
    player.page.click("main form button")
    player.page.wait_for_selector(".fault")


def finished(path: str) -> Visit:
    """A page about a match that is over."""

    def visit(player: Player) -> None:
        assert isinstance(player.house, House)
        match = kept_for(player, player.house, played(make_ruleset("microsoft", ENDS)))
        player.go_to(f"/matches/{match}/{path}")
        player.page.wait_for_selector({"replay": "#hands .face", "proof": "#proofs .all"}[path])

    return visit


def looked_back(path: str) -> Visit:
    """A page about matches that are over, and somebody's rating; `{match}` is the last of them."""

    def visit(player: Player) -> None:
        assert isinstance(player.house, House)
        match = kept_for(player, player.house, played(make_ruleset("microsoft", ENDS)))
        rated_for(player, player.house, match, "microsoft")
        player.go_to(path.format(match=match))

    return visit


def proof_checked(player: Player) -> None:
    finished("proof")(player)
    player.page.click("#proofs .all")
    player.page.wait_for_selector("#proofs .verdict:not(:empty)")


def device(player: Player) -> None:
    """A link for another device, and what that asks."""
    player.go_to("/me")
    player.page.click("form[action='/me/device'] button")
    player.page.wait_for_url("**/me/device")


def puzzled(card: Callable[[Puzzle], str]) -> Visit:
    """A puzzle, and what is said to a card."""

    def visit(player: Player) -> None:
        asked = collection()[0]
        player.go_to(f"/puzzle/{asked.number}")
        player.page.locator(f"#card-{card(asked)}").press("Enter")
        player.page.wait_for_selector("#answer-section:focus")

    return visit


def moderating(path: str) -> Visit:
    """A page of the moderators."""

    def visit(player: Player) -> None:
        assert isinstance(player.house, House)
        name_moderator(player, player.house)
        player.go_to(path)

    return visit


def moderation(player: Player) -> None:
    """A report with its evidence, and a form with something wrong in it."""
    assert isinstance(player.house, House)
    report_somebody(player, player.house)
    moderating("/moderation")(player)
    player.page.click("article a.button.first")
    player.page.click("#decide button.first")
    player.page.wait_for_selector(".fault")


def measures(player: Player) -> None:
    """What moderators have done, one of it by somebody else."""
    assert isinstance(player.house, House)
    measure_somebody(player, player.house)
    moderating("/moderation/measures")(player)


def setup(player: Player) -> None:
    """The form of a table that there is."""
    player.go_to(f"/tables/{player.open_table()}/setup")


def invitation(player: Player) -> None:
    """The address of a table, for somebody who has no name here yet."""
    host = player.beside()
    table = host.open_table()
    host.close()
    player.go_to(f"/tables/{table}")


def sign_up(player: Player) -> str:
    """Makes an account of who the player is, by the form: its login."""
    login = f"login {next(LOGINS)}"
    player.go_to("/account")
    player.page.fill("#login", login)
    player.page.fill("#password", "lune rousse à midi")
    player.page.click("#account-form button.first")
    player.page.wait_for_selector("#codes")
    return login


LOGINS: Final = itertools.count(1)


def sign_in_wrong(player: Player) -> None:
    player.go_to("/signin")
    player.page.fill("#login", "nobody")
    player.page.click("#account-form button.first")
    player.page.wait_for_selector(".fault")


def account_pages(player: Player) -> Iterator[str]:
    """What somebody sees who makes an account, and has one: its name."""
    for path in ("/account", "/signin", "/recover", "/me/sessions", "/me/data", "/me/data/delete"):
        player.go_to(path)
        yield f"guest {path}"
    sign_in_wrong(player)
    yield "signin-wrong"
    sign_up(player)
    yield "codes"
    owned = ("", "/name", "/login", "/password", "/codes")
    for path in (*(f"/account{each}" for each in owned), "/me/sessions", "/me/data/delete", "/me"):
        player.go_to(path)
        yield path
    player.page.goto(f"{player.address}/me/data/delete")
    player.page.fill("#present", "lune rousse à midi")
    player.page.click("#account-form button.first")
    player.page.wait_for_selector("main a.first[href='/']")
    yield "deleted"


OUTSIDE: Final[dict[str, Visit]] = {
    "welcome": at("/"),
    "name": at("/tables/new"),
    "invitation": invitation,
    "signin": sign_in_wrong,
}
"""Pages for those who have not said their name."""

PAGES: Final[dict[str, Visit]] = {
    "lobby": at("/"),
    "new-table": at("/tables/new"),
    "new-table-wrong": new_table_wrong,
    "setup": setup,
    "settings": at("/me"),
    "settings-wrong": settings_wrong,
    "device": device,
    "account": at("/account"),
    "sessions": at("/me/sessions"),
    "delete": at("/me/data/delete"),
    "passkeys": at("/account/passkeys"),
    "talk": at("/me/talk"),
    "moderation": moderation,
    "measures": measures,
    "help": at("/help"),
    "learn": at("/learn"),
    "lesson": at("/learn/1"),
    "lesson-pass": at("/learn/6"),
    "lesson-wrong": at("/learn/3?turn=0&tried=1&card=KC"),
    "lesson-right": at("/learn/3?turn=1"),
    "lesson-deal": at("/learn/9"),
    "puzzle": at("/puzzle"),
    "puzzle-wrong": puzzled(lambda asked: asked.options[-1].cards[0].text),
    "puzzle-right": puzzled(lambda asked: asked.best[0].text),
    "puzzle-all": at("/puzzle/all"),
    "rules": at("/rules"),
    "clerk": at("/clerk"),
    "clerk-revoke": at("/clerk/revoke?rules=coeurs"),
    "clerk-none": at("/clerk/nothing"),
    "rules-coeurs": at("/rules/coeurs"),
    "history": at("/history"),
    "fair": at("/fair"),
    "accessibility": at("/accessibility"),
    "accessibility-wrong": trial_wrong,
    "trials": trials,
    "offline": at("/offline"),
    "nowhere": at("/nowhere"),
    "password": password,
    "replay": finished("replay"),
    "proof": finished("proof"),
    "proof-checked": proof_checked,
    "matches": looked_back("/matches"),
    "match": looked_back("/matches/{match}"),
    "statistics": looked_back("/matches/statistics"),
    "ladder": looked_back("/ratings/microsoft"),
    "club": at_club("/clubs/{club}"),
    "evening-wrong": evening_wrong,
    "evening": at_club("/evenings/{evening}"),
}
"""Pages for everybody else."""


WITHIN: Final = {
    "new-table": "new-table-wrong",
    "setup": "new-table-wrong",
    "settings": "settings-wrong",
    "accessibility": "accessibility-wrong",
    "lesson": "lesson-wrong",
    "puzzle": "puzzle-wrong",
    "proof": "proof-checked",
}
"""Pages that are, but for some words, another one, which has a fault or an answer besides."""


def pages(player: Player, without: Container[str] = ()) -> Iterator[str]:
    """Visits every page but those, before and after the player has come in: its name."""
    for name, visit in OUTSIDE.items():
        visit(player)
        yield name
    player.come_in()
    for name, visit in PAGES.items():
        if name not in without:
            visit(player)
            yield name


def table_states(player: Player) -> Iterator[str]:
    """Walks through a whole match, and stops in every state that is worth a look: its name."""
    player.come_in(helped=False)
    table = player.open_table("microsoft", deals=2)
    player.sit_down(table)
    player.page.wait_for_selector("#intro:not([hidden])")
    yield "newcomer"
    player.suit(**QUICK)
    player.sit_down(table)
    yield "waiting"
    press(player, "Start")
    yield from _first_deal(player)
    yield from _aside(player)
    yield from _absent(player)
    play_deal(player, Mouse())
    player.page.wait_for_selector("#ending:not([hidden])")
    yield "deal-over"
    do_what_is_due(player, Mouse(), "Next")
    assert play_deal(player, Mouse()) == "ended"
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
    while not player.page.locator("#hand [role=option][aria-disabled=true]").count():
        do_what_is_due(player, Mouse(), player.due())
        assert player.due() == "Play"
    player.page.locator("#hand [role=option][aria-disabled=true]").first.click(
        position=CORNER, force=True
    )
    player.page.wait_for_selector("#answer-section.refused:not([hidden])")
    yield "refused"
    while not _fills_trick(player):
        do_what_is_due(player, Mouse(), "Play")
        assert player.due() == "Play"
    _play_slowly(player)
    player.page.wait_for_selector("#taken li", state="attached")
    yield "trick-over"
    _play_on(player)
    while not _void(player):
        do_what_is_due(player, Mouse(), "Play")
        assert player.due() == "Play"
    yield "void"
    _play_slowly(player)
    player.wait("() => !window.watched.scene.may.includes('Play')")
    yield "their-turn"
    _play_on(player)


def _play_slowly(player: Player) -> None:
    """Plays the first card that may be played, and then the others take their time. The page is
    loaded before that: a bot that was asked long ago would play as soon as it is there."""
    player.suit(**SLOW)
    player.page.reload()
    player.due()
    player.take_focus()
    legal(player).first.click(position=CORNER)


def _play_on(player: Player) -> None:
    """Lets the others play at once, until it is the player's turn again."""
    player.suit(bot_pace=0, trick_pace=0)
    player.page.reload()
    player.due()


def _fills_trick(player: Player) -> bool:
    """Whether theirs is the last card of a trick."""
    scene = player.scene
    return len(scene["trick"]) == len(scene["seats"]) - 1


def _void(player: Player) -> bool:
    """Whether a card was led whose suit the player has none of."""
    scene = player.scene
    if not scene["trick"]:
        return False
    led = scene["trick"][0]["card"][-1]
    return all(card["card"][-1] != led for card in scene["hand"])


def _aside(player: Player) -> Iterator[str]:
    """Questions, dialogs, and all that can be opened."""
    player.take_focus()
    player.page.keyboard.press("s")
    player.page.wait_for_selector("#answer-section:not(.refused):not([hidden])")
    yield "scores"
    player.take_focus()
    player.page.keyboard.press("?")
    player.page.wait_for_selector("[role=dialog]")
    yield "keys"
    player.page.keyboard.press("Escape")
    press(player, "Stand")
    player.page.wait_for_selector("[role=dialog]")
    yield "sure"
    player.page.keyboard.press("Escape")
    player.page.wait_for_selector("[role=dialog]", state="detached")
    player.page.evaluate(
        "document.querySelectorAll('.aside > details').forEach((each) => each.open = true)"
    )
    player.wait(ALL_LOADED)
    player.take_focus()
    yield "all-open"
    player.page.reload()
    player.due()


def _absent(player: Player) -> Iterator[str]:
    """A match that waits, a person who is away, and a line that is cut."""
    press(player, "Pause")
    action(player, "Unpause").wait_for()
    yield "paused"
    press(player, "Unpause")
    assert player.due() == "Play"
    player.forgiven = "WebSocket|ERR_INTERNET_DISCONNECTED"
    player.context.set_offline(True)
    player.page.evaluate("window.watched.hangUp()")
    player.page.wait_for_selector("#connection:not([hidden])")
    yield "offline"
    player.context.set_offline(False)
    player.page.reload()
    player.due()


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
        while "AskUndo" not in host.scene["may"] or asked(host, player) is not player:
            one = asked(host, player)
            assert one is not None
            do_what_is_due(one, Mouse(), one.due())
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
