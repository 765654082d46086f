"""Pages and answers about news: the lines that are true now, and the choice of what is told."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.forms.fields import FilledForm, NotTaken, Switch, declared
from volte.news.desk import NewsDesk
from volte.news.kinds import NAMES, NewsKind
from volte.push.sender import Sender
from volte.push.store import Subscriptions
from volte.say import N_
from volte.web.page import as_json, done_text, form_page, is_at
from volte.web.room import change_person, room_of
from volte.web.visit import Visit, route, see_other

NEWS: Final = "/api/news"
PATH: Final = "/me/notifications"

FIELDS: Final = declared(*(Switch(kind.setting) for kind in NewsKind), Switch(NAMES))

LABELS: Final = {
    NewsKind.TURN.setting: N_("It has been my turn for a few seconds"),
    NewsKind.FULL.setting: N_("My table is full"),
    NewsKind.FRIEND.setting: N_("A friend arrives"),
    NewsKind.INVITED.setting: N_("A friend invites me to a table"),
    NewsKind.EVENING.setting: N_("My club evening begins"),
}

DONE: Final = {"kept": N_("Saved.")}


def routes() -> list[BaseRoute]:
    return [
        route(NEWS, news),
        route(PATH, show),
        route(PATH, keep, methods=["POST"]),
    ]


def asked_by_worker(visit: Visit) -> bool:
    """Whether a browser asks for news by itself, as a message has come: nobody need be there."""
    return visit.url.path == NEWS and "seen" not in visit.query_params


async def news(visit: Visit) -> Response:
    """Answer with the lines that are true for the person now, but for those about the page at `at`.

    `seen` says whether somebody looks at that page; a worker without a page does not send it. The
    answer also bears the key with which browsers subscribe to messages; it is empty where this
    server sends none.
    """
    person, sent = visit.known(), visit.query_params
    if not asked_by_worker(visit):
        visit.room[NewsDesk].looked(person.id, bool(sent.get("seen")))
    here = sent.get("at", "")
    lines = [each for each in visit.visitor.news if not is_at(here, each.path)]
    key = visit.room[Sender].key
    return as_json({"news": [each._asdict() for each in lines], "push": key})


async def show(visit: Visit) -> Response:
    """Show what somebody wants to be told."""
    return await _page(visit, FilledForm.of(FIELDS, visit.known().settings))


async def keep(visit: Visit) -> Response:
    """Store what somebody wants to be told."""
    visit.known()
    form = FilledForm.typed(FIELDS, await visit.fields())
    try:
        await change_person(
            visit,
            lambda person: replace(
                person, settings=person.settings | form.upon(person.settings).read()
            ),
        )
    except NotTaken as problem:
        return await _page(visit, form, problem)
    return see_other(f"{PATH}?done=kept")


async def _page(visit: Visit, form: FilledForm, problem: NotTaken | None = None) -> Response:
    key = visit.room[Sender].key
    browsers = await room_of(visit).store[Subscriptions].of(visit.who) if key else ()
    context: dict[str, Any] = {
        "kinds": [(name, visit.words.t(label)) for name, label in LABELS.items()],
        "names": NAMES,
        "done": done_text(visit, DONE) if problem is None else "",
        "push": key,
        "browsers": len(browsers),
        "counted": visit.words.n(
            "Notifications go to {count} of your browsers.",
            "Notifications go to {count} of your browsers.",
            len(browsers),
        ),
    }
    return form_page(visit, "notifications.html", form, problem, **context)
