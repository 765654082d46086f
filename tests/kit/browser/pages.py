"""Visits to every page, for tests of all pages and for pictures."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from typing import Final

from kit.befriending import invited
from kit.browser.backdrops import (
    at_club,
    evening_wrong,
    friends_for,
    kept_for,
    luck_for,
    measure_somebody,
    met_for,
    name_moderator,
    rated_for,
    report_somebody,
    reviewed_for,
    tables_around,
)
from kit.browser.players import Player
from kit.matches import played

from volte.lessons.puzzles import Puzzle, collection
from volte.rules import make_ruleset
from volte.server.trials import Trial, Trials
from volte.store import Conflict
from volte.table import Someone
from volte.table.commands import Sit

Look = Callable[[Player], None]

ENDS: Final = {"match_end": "deals:2"}


def at(path: str) -> Look:
    return lambda player: player.go_to(path)


def lobby(player: Player) -> None:
    """The first page with tables of every kind; from then on, a match waits for the player."""
    tables_around(player)
    player.go_to("/")
    player.page.wait_for_selector(".waits + main li[data-key] a[href$='?watch']")


def new_table_wrong(player: Player) -> None:
    player.go_to("/tables/new")
    player.page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    player.page.fill("#clock", "1")
    player.page.click("#table-form button.first")
    player.page.wait_for_selector(".fault")


STALE: Final = """(action) => {
    const form = document.querySelector("main form[method=post]") ?? document.forms[0];
    form.elements.csrf.value = form.elements.csrf.value.replace(/^[^.]*/, "0");
    form.action = action;
    form.querySelector("button").click();
}"""
"""Sends a form to an address as if it came from another session of the same person."""


def form_refused(player: Player) -> None:
    """A form that was out of date, and is there again."""
    player.go_to("/clubs/new")
    player.page.fill("#name", "Friday club")
    player.page.evaluate(STALE, "/clubs/new")
    player.page.wait_for_selector("#refused:focus")
    assert player.page.input_value("#name") == "Friday club"


def form_kept(player: Player) -> None:
    """The texts sent, on the page for a form whose own page cannot be shown."""
    player.go_to("/help")
    player.page.evaluate(STALE, "/me/talk/read")
    player.page.wait_for_selector("[aria-labelledby=reason]:focus")


def settings_wrong(player: Player) -> None:
    player.go_to("/me")
    player.page.fill("#bot_pace", "fast")
    player.page.fill("#key_scores", "T")
    player.page.click("#settings-form button.first")
    player.page.wait_for_selector(".fault")
    player.page.click(".cues > summary")
    player.page.wait_for_selector("#hear-places:not([hidden])")


def trial_wrong(player: Player) -> None:
    """The form for volunteers, sent empty."""
    player.go_to("/accessibility")
    player.page.click("#trial button")
    player.page.wait_for_selector(".fault")


def trials(player: Player) -> None:
    """A volunteer's report, for the moderators."""
    found = Trial(
        "t", 1.0, player.lang, "Windows 11, Firefox 140", "NVDA 2025.1", "keys", "failed", "-"
    )
    with suppress(Conflict):  # somebody before has put it there
        player.playroom.do(player.playroom.site.room.store[Trials].add(found))
    moderating("/moderation/trials")(player)


def offline(player: Player) -> None:
    """The page for when there is no connection.

    Where there is one it loads itself again after three seconds, and who leaves just then stays.
    """
    player.page.route("**/healthz", lambda line: line.fulfill(status=503))
    player.go_to("/offline")


def password(player: Player) -> None:
    """The page for the password of somebody else's table, after a wrong one."""
    host = player.beside()
    table = host.open_table(password="caramel", setup={"access": "password"})
    host.close()
    player.go_to(f"/tables/{table}")
    player.page.fill("#password", "nougat")
    player.page.click("main form button")
    player.page.wait_for_selector(".fault")


def people(player: Player) -> None:
    """The first page, where it says whom one would play with."""
    player.go_to("/")
    player.page.locator(".game:has(#rules) summary").press("Enter")
    player.page.check("#near")


def left(player: Player) -> None:
    """The page after such a table, and its answer about somebody who was there."""
    met_for(player)
    player.go_to("/meet/left")
    player.page.click("form[action='/meet/apart'] button")
    player.page.wait_for_selector(".saved:focus")


def friends(player: Player) -> None:
    """The page of friends, with every part that it can have."""
    met_for(player)
    friends_for(player)
    player.go_to("/friends")
    player.page.locator("main summary").first.press("Enter")
    player.page.wait_for_selector("#friends-here + ul a[href*='?sit']")


def finished(path: str) -> Look:
    """A page about a match that is over."""

    def visit(player: Player) -> None:
        match = kept_for(player, played(make_ruleset("microsoft", ENDS)))
        player.go_to(f"/matches/{match}/{path}")
        shown = {"proof": "#proofs .all", "": "#sheet"}.get(path, "#hands .face")
        player.page.wait_for_selector(shown)

    return visit


def board(path: str = "") -> Look:
    """The page of a deal by a link, of its maker, or another one after that."""

    def visit(player: Player) -> None:
        match = kept_for(player, played(make_ruleset("microsoft", ENDS)))
        player.go_to(f"/matches/{match}")
        player.page.click("form[action='/deals'] button")
        player.page.wait_for_selector("#others")
        if path:
            player.go_to(path)

    return visit


def set_of_deals(player: Player) -> None:
    """A set of deals, in its form after something was wrong, and then as its maker sees it."""
    board()(player)
    player.go_to("/deals/sets/new")
    player.page.fill("#title", "Voids")
    player.page.select_option("#deal1", index=1)
    player.page.fill("#before1", "Count the spades.")
    player.page.fill("#before2", "And the hearts.")
    player.page.click("#set-form button.first")
    player.page.wait_for_selector("#deal2-fault")


def set_played(player: Player) -> None:
    """The page of a set, of which a deal is played."""
    set_of_deals(player)
    player.page.fill("#before2", "")
    player.page.click("#set-form button.first")
    player.page.wait_for_selector(".saved:focus")


def set_reported(player: Player) -> None:
    """The form for reporting the texts of a set."""
    set_played(player)
    address = player.page.url.partition("?")[0]
    player.page.goto(f"{address}/report")


def study(player: Player) -> None:
    """A review together, in which the player tries a line and talks."""
    finished("")(player)
    player.page.click("form[action$='/studies'] button")
    player.page.wait_for_selector("#here li")
    player.page.click("#controls [data-key=on]")
    player.wait("() => document.getElementById('step').value === '1'")
    player.page.click("#line-begin")
    player.page.click("#line-cards button >> nth=0")
    player.page.wait_for_selector("#line-take:not([hidden])")
    player.page.click("#talk-title")
    player.page.fill("#talk-text", "Look at this trick")
    player.page.press("#talk-text", "Enter")
    player.page.wait_for_selector("#talk-log .said")


def studies(player: Player) -> None:
    """The reviews that the player has made."""
    finished("")(player)
    player.page.click("form[action$='/studies'] button")
    player.page.wait_for_selector("#here li")
    player.go_to("/studies")


def why(player: Player) -> None:
    """A step of a replay, and why its card was played."""
    finished("replay?step=5")(player)
    player.page.click("[data-key=why]")
    player.page.wait_for_selector("#why:not([hidden])")


def looked_back(path: str) -> Look:
    """A page about matches that are over, and somebody's rating; `{match}` is the last of them."""

    def visit(player: Player) -> None:
        match = kept_for(player, played(make_ruleset("microsoft", ENDS)))
        luck_for(player.playroom, match)
        rated_for(player, match, "microsoft")
        player.go_to(path.format(match=match))

    return visit


def review(path: str = "", percent: int = 100) -> Look:
    """The review of a match, or one of its costly choices: the first is a pass."""

    def visit(player: Player) -> None:
        player.go_to(reviewed_for(player, percent) + path)

    return visit


def proof_checked(player: Player) -> None:
    finished("proof")(player)
    player.page.click("#proofs .all")
    player.page.wait_for_selector("#proofs .verdict:not(:empty)")


def device(player: Player) -> None:
    """A link for another device, and the page that it leads to."""
    player.go_to("/me")
    player.page.click("form[action='/me/device'] button")
    player.page.wait_for_url("**/me/device")


def puzzled(card: Callable[[Puzzle], str]) -> Look:
    """A puzzle, and the answer to a card."""

    def visit(player: Player) -> None:
        asked = collection()[0]
        player.go_to(f"/puzzle/{asked.number}")
        player.page.locator(f"#card-{card(asked)}").press("Enter")
        player.page.wait_for_selector("#answer-section:focus")

    return visit


def moderating(path: str) -> Look:
    """A page of the moderators."""

    def visit(player: Player) -> None:
        name_moderator(player)
        player.go_to(path)

    return visit


def moderation(player: Player) -> None:
    """A report with its evidence, and a form with something wrong in it."""
    report_somebody(player)
    moderating("/moderation")(player)
    player.page.click("article a.button.first")
    player.page.click("#decide button.first")
    player.page.wait_for_selector(".fault")


def measures(player: Player) -> None:
    """The measures of moderators, one of them somebody else's."""
    measure_somebody(player)
    moderating("/moderation/measures")(player)


def setup(player: Player) -> None:
    """The form of an existing table."""
    player.go_to(f"/tables/{player.open_table()}/setup")


def invitation(player: Player) -> None:
    """The address of a table, for somebody who has no name here yet."""
    host = player.beside()
    table = host.open_table()
    host.close()
    player.go_to(f"/tables/{table}")


def full_table(player: Player) -> None:
    """A table that people have filled, where another one by the same rules has seats."""
    host = player.beside()
    table, _ = (host.open_table("omnibus", players=3, levels=("", "")) for _ in range(2))
    live = player.playroom.live(table)
    for seat, name in enumerate(("Ben", "Cleo"), start=1):
        sit = live.do(Someone(name, name), Sit(seat), live.state.version)
        assert player.playroom.do(sit).refusal is None
    host.close()
    player.go_to(f"/tables/{table}")


def planned(player: Player) -> None:
    """A table planned for soon, of which somebody is reminded, the reminder of another, and an
    invitation."""
    host = player.beside()
    soon = {"planned": time.time() + 600}
    for _ in range(2):
        table = host.open_table("omnibus", setup=soon, levels=("", "", ""))
        player.go_to(f"/tables/{table}/remind")
        player.page.click("main button[value=on]")
    host.close()
    person = player.context.request.get(f"{player.address}/api/me").json()["person"]
    player.playroom.do(invited(player.playroom.site.room, person, "Ana"))
    player.page.reload()
    player.page.wait_for_selector("#news form")


def sign_up(player: Player) -> str:
    """Make an account for the player by the form; return its login."""
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
    """Walk through the pages of making and having an account; yield the name of each."""
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


OUTSIDE: Final[dict[str, Look]] = {
    "welcome": at("/"),
    "name": at("/clubs/new"),
    "newcomers-table": at("/tables/new"),
    "invitation": invitation,
    "signin": sign_in_wrong,
}
"""Pages for people who have not given a name."""

PAGES: Final[dict[str, Look]] = {
    "lobby": lobby,
    "new-table": at("/tables/new"),
    "new-table-wrong": new_table_wrong,
    "setup": setup,
    "form-refused": form_refused,
    "form-kept": form_kept,
    "settings": at("/me"),
    "settings-wrong": settings_wrong,
    "device": device,
    "account": at("/account"),
    "sessions": at("/me/sessions"),
    "notifications": at("/me/notifications"),
    "delete": at("/me/data/delete"),
    "passkeys": at("/account/passkeys"),
    "talk": at("/me/talk"),
    "moderation": moderation,
    "reports": moderating("/moderation"),
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
    "offline": offline,
    "nowhere": at("/nowhere"),
    "people": people,
    "left": left,
    "friends": friends,
    "password": password,
    "replay": finished("replay"),
    "why": why,
    "study": study,
    "studies": studies,
    "proof": finished("proof"),
    "proof-checked": proof_checked,
    "matches": looked_back("/matches"),
    "match": looked_back("/matches/{match}"),
    "board": board(),
    "boards": board("/deals"),
    "day": at("/deals/today"),
    "set-form": set_of_deals,
    "set": set_played,
    "set-report": set_reported,
    "review": review(),
    "review-goes-on": review(percent=40),
    "review-pass": review("/1?show=1#answer-section"),
    "review-choice": review("/2?show=1#answer-section"),
    "review-on": review("/2/on"),
    "statistics": looked_back("/matches/statistics"),
    "ladder": looked_back("/ratings/microsoft"),
    "club": at_club("/clubs/{club}"),
    "weeks": at_club("/clubs/{club}/deals"),
    "evening-wrong": evening_wrong,
    "full-table": full_table,
    "planned": planned,
    "evening": at_club("/evenings/{evening}"),
}
"""Pages for everybody else."""


WITHIN: Final = {
    "name": "signin",
    "password": "signin",
    "people": "lobby",
    "left": "settings-wrong",
    "friends": "settings-wrong",
    "newcomers-table": "new-table-wrong",
    "new-table": "new-table-wrong",
    "setup": "new-table-wrong",
    "settings": "settings-wrong",
    "accessibility": "settings-wrong",
    "lesson": "lesson-wrong",
    "lesson-pass": "lesson-wrong",
    "lesson-right": "lesson-wrong",
    "lesson-deal": "lesson-wrong",
    "clerk-none": "clerk-revoke",
    "puzzle-right": "puzzle-wrong",
    "puzzle": "puzzle-wrong",
    "proof": "proof-checked",
    "review-goes-on": "review",
    "boards": "board",
    "day": "board",
    "set": "board",
    "set-report": "settings-wrong",
    "weeks": "club",
    "why": "replay",
    "studies": "matches",
    "review-on": "puzzle-wrong",
    "review-pass": "puzzle-wrong",
    "statistics": "matches",
    "account": "signin",
    "sessions": "signin",
    "told": "settings-wrong",
    "passkeys": "signin",
    "delete": "signin",
    "device": "settings-wrong",
    "talk": "settings-wrong",
    "reports": "moderation",
    "measures": "moderation",
    "trials": "moderation",
    "learn": "puzzle-all",
    "clerk": "clerk-revoke",
    "rules": "rules-coeurs",
    "history": "help",
    "fair": "help",
    "nowhere": "offline",
    "evening-wrong": "new-table-wrong",
    "full-table": "lobby",
    "form-refused": "form-kept",
    "accessibility-wrong": "settings-wrong",
    "ladder": "matches",
    "review-choice": "puzzle-wrong",
    "evening": "club",
}
"""Pages whose parts all occur on another page, by that page."""


def pages(player: Player, without: Container[str] = ()) -> Iterator[str]:
    """Visit every page, except `without`, before and after the player comes in; yield its name."""
    yield from _visits(player, OUTSIDE, without)
    player.come_in()
    yield from _visits(player, PAGES, without)


def _visits(player: Player, looks: dict[str, Look], without: Container[str]) -> Iterator[str]:
    for name, visit in looks.items():
        if name not in without:
            visit(player)
            yield name
