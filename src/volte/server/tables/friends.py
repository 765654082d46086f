"""The page of friends: who is here, who asks, invitations, and people with whom one has played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.friends.circle import Circle, Friend
from volte.friends.service import Friends
from volte.friends.whereabouts import Whereabouts
from volte.people.store import Accounts
from volte.say import N_
from volte.server.tables.arriving import SIT
from volte.server.tables.inviting import GUESTS_FRIENDS
from volte.store.store import Store
from volte.table.stored import WayIn
from volte.talk.store import TalkStore
from volte.web.page import done_text, page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

PATH: Final = "/friends"

MOST_SHOWN: Final = 100
"""Friends on one page; of more, those whose names contain what is looked for."""

LATEST: Final = 20  # matches among which people are looked for whom one could ask

DONE: Final = {
    "asked": N_("Request sent: you will be friends once it is accepted."),
    "friends": N_("You are now friends."),
    "declined": N_("You have said no. Nobody will be told."),
    "ended": N_("You are no longer friends. Nobody will be told."),
    "back": N_("Your request has been withdrawn."),
    "hidden": N_("This friend can no longer see when you are here."),
    "shown": N_("This friend can once again see when you are here."),
    "invisible": N_("Your friends can no longer see when you are here."),
    "visible": N_("Your friends can once again see when you are here."),
    "no": N_("You have declined the invitation."),
}
"""Sentences for what the forms have done, by its name in the address."""


def routes() -> list[BaseRoute]:
    return [
        route(PATH, show, methods=["GET"], named=True),
        route(PATH, change, methods=["POST"]),
        route(f"{PATH}/choices", choices),
        route(f"{PATH}/invited/{{by}}", show_invitations, methods=["GET"]),
        route(f"{PATH}/invited/{{by}}", answer, methods=["POST"]),
    ]


async def show(visit: Visit) -> Response:
    """Show the friends of the visitor, and what can be done about each."""
    room, who = room_of(visit), visit.someone()
    circle = await room[Friends].of(who.id)
    wanted = visit.query_params.get("name", "").strip()[:100]
    found = [each for each in circle.friends if wanted.casefold() in each.name.casefold()]
    here = await room[Whereabouts].friends(who.id)
    account = await room.store[Accounts].account(who.id)
    return page(
        visit,
        "friends.html",
        circle=circle,
        friends=found[:MOST_SHOWN],
        wanted=wanted,
        many=len(circle.friends) > MOST_SHOWN,
        most=MOST_SHOWN,
        here=[(each, each.ways not in ((), (WayIn.WATCH,))) for each in here[:MOST_SHOWN]],
        invitations=await room[Friends].invitations(who.id),
        met=await people_met(room.store, who.id, circle),
        guest=visit.words.t(GUESTS_FRIENDS) if account is None else "",
        done=done_text(visit, DONE),
    )


async def choices(visit: Visit) -> Response:
    """Answer with the friends to invite to a table, those who are here first, for the script."""
    room, who = room_of(visit), visit.someone()
    friends = (await room[Friends].of(who.id)).friends
    here = {each.id for each in await room[Whereabouts].friends(who.id)}
    first = sorted(friends, key=lambda each: each.id not in here)[:MOST_SHOWN]
    return page(visit, "friend_choices.html", friends=first, here=here)


async def people_met(store: Store, person: str, circle: Circle) -> list[Friend]:
    """The people of a person's last matches who are not in their circle, the latest first."""
    known = {each.id for each in (*circle.friends, *circle.asked, *circle.asking)}
    matches = await store.matches_of(person, limit=LATEST)
    people = dict.fromkeys(
        each
        for match in matches
        for each in (*match.players, *match.began)
        if each not in ("", person) and each not in known
    )
    names = await store[TalkStore].names(people)
    return [Friend(each, names[each], 0.0) for each in people if each in names]


async def change(visit: Visit) -> Response:
    """Do what the button of a form says, and show the page again."""
    who = visit.someone()
    sent = await visit.fields()
    service, other, do = room_of(visit)[Friends], str(sent.get("person", "")), sent.get("do")

    async def ask() -> str:
        return "friends" if await service.ask(who.id, other) else "asked"

    async def do_then(work: Awaitable[None], done: str) -> str:
        await work
        return done

    deeds: dict[str, Callable[[], Awaitable[str]]] = {
        "ask": ask,
        "decline": lambda: do_then(service.decline(who.id, other), "declined"),
        "end": lambda: do_then(service.end(who.id, other), "ended"),
        "back": lambda: do_then(service.end(who.id, other), "back"),
        "hide": lambda: do_then(service.hide(who.id, other, True), "hidden"),
        "show": lambda: do_then(service.hide(who.id, other, False), "shown"),
        "hide_all": lambda: do_then(service.hide_from_all(who.id, True), "invisible"),
        "show_all": lambda: do_then(service.hide_from_all(who.id, False), "visible"),
    }
    deed = deeds.get(str(do))
    if deed is None:
        raise Refused(422, "wrong_form")
    return see_other(f"{PATH}?done={await deed()}")


async def show_invitations(_: Visit) -> Response:
    """Redirect a browser that loads the answer to an invitation again."""
    return see_other(PATH)


async def answer(visit: Visit) -> Response:
    """Answer an invitation: a yes leads to its table."""
    who = visit.someone()
    sent = await visit.fields()
    yes = str(sent.get("yes", "")) == "1"
    table = await room_of(visit)[Friends].answer(who.id, visit.path_params["by"], yes)
    return see_other(f"/tables/{table}?{SIT}" if yes else f"{PATH}?done=no")
