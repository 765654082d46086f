"""The pages of clubs: finding, founding, joining and leading them; lists of their evenings."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import asdict, replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings.conducting import MOST_TRIES, Evenings
from volte.evenings.shown import listed_evening
from volte.evenings.store import Club, Clubs, Member
from volte.forms.fields import Field, FilledForm, NotTaken, Switch, Wrong, declared
from volte.names import clean_name, clean_text, isolated
from volte.say import N_, Words
from volte.store import Conflict, Unavailable
from volte.table import Someone
from volte.web.addresses import shared
from volte.web.page import done_text, form_page, page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

LONGEST_ABOUT: Final = 1000
MOST_CLUBS: Final = 20  # clubs that one person owns
MOST_JOINED: Final = 100  # clubs that one person is in
MOST_MEMBERS: Final = 1000  # members of a club
LONGEST_KEY: Final = 64

ORGANISER: Final = "organiser"
OWNER: Final = "owner"

TO_COME: Final = ("planned", "running")  # stages of an evening

DONE: Final = {
    "made": N_("Your club is ready. Invite people, then plan an evening."),
    "saved": N_("Saved."),
    "joined": N_("You have joined the club."),
    "left": N_("You have left the club."),
    "key": N_("The club has a new invitation address."),
    "out": N_("This person is no longer in the club, and the invitation address has changed."),
    "dissolved": N_("The club has been deleted."),
}
"""Messages about what has just been done, by the value of `done` in the address."""

ROLES: Final = {"member": N_("member"), ORGANISER: N_("organiser"), OWNER: N_("owner")}

NEW_ROLES: Final = {
    "member": N_("a member"),
    ORGANISER: N_("an organiser, who plans evenings"),
    OWNER: N_("the owner"),
    "out": N_("no longer in the club"),
}
"""Changes that the owner can make to a member's role."""


def routes() -> list[BaseRoute]:
    return [
        route("/clubs", listed, named=True),
        route("/clubs/new", new, named=True),
        route("/clubs/new", found, methods=["POST"]),
        route("/clubs/{club}", show, named=True),
        route("/clubs/{club}/edit", show_edit),
        route("/clubs/{club}/edit", edit, methods=["POST"]),
        route("/clubs/{club}/do", do, methods=["POST"]),
        route("/clubs/{club}/members", change_member, methods=["POST"]),
        route("/clubs/{club}/invited/{key}", invited, named=True),
        route("/clubs/{club}/invited/{key}", accept, methods=["POST"]),
        *(route(f"/clubs/{{club}}/{form}", to_the_club) for form in ("do", "members")),
    ]


# Clubs and roles, also for other pages


async def club_of(visit: Visit, key: str) -> Club:
    """The club of an id, for somebody to whom it is shown. Raises `Refused` 404 for others."""
    club = await _find(visit, key)
    if not club.listed and not await role_in(visit, club):
        raise Refused(404, "no_club")
    return club


async def role_in(visit: Visit, club: Club) -> str:
    """The visitor's role in a club: `owner`, `organiser`, `member`, or empty for none."""
    who = visit.someone().id
    if who == club.owner:
        return OWNER
    return await room_of(visit).store[Clubs].role(club.id, who)


async def admit(visit: Visit, club: Club) -> None:
    """Make the visitor a member. Raises `Refused` where there is no room."""
    clubs, who = room_of(visit).store[Clubs], visit.someone().id
    if await role_in(visit, club):
        return
    if len(await clubs.of(who)) >= MOST_JOINED:
        raise Refused(429, "too_many_clubs", most=MOST_JOINED)
    if (await clubs.sizes([club.id])).get(club.id, 0) >= MOST_MEMBERS:
        raise Refused(409, "club_full", most=MOST_MEMBERS)
    try:
        await clubs.admit(club.id, who)
    except Conflict:  # the club has been dissolved meanwhile
        raise Refused(404, "no_club") from None


async def _find(visit: Visit, key: str) -> Club:
    plain = key.isascii() and len(key) <= LONGEST_KEY
    club = await room_of(visit).store[Clubs].club(key) if plain else None
    if club is None:
        raise Refused(404, "no_club")
    return club


async def leads(visit: Visit, club: Club) -> bool:
    """Whether the visitor may plan evenings of a club."""
    return await role_in(visit, club) in (OWNER, ORGANISER)


async def led_club(visit: Visit, *roles: str) -> Club:
    """The club of the address, for people with one of the roles there. Raises `Refused`."""
    club = await club_of(visit, visit.path_params["club"])
    if await role_in(visit, club) not in roles:
        raise Refused(403, "forbidden")
    return club


# The list


async def listed(visit: Visit) -> Response:
    """The page with the visitor's clubs and their evenings, and clubs that are open to all."""
    clubs, words = room_of(visit).store[Clubs], visit.words
    mine = await clubs.of(visit.someone().id)
    own = {club.id for club in mine}
    others = [club for club in await clubs.listed() if club.id not in own]
    sizes = await clubs.sizes([club.id for club in (*mine, *others)])
    rows = await clubs.evenings([club.id for club in mine], TO_COME)
    return page(
        visit,
        "clubs.html",
        done=done_text(visit, DONE),
        invitations=[listed_evening(words, row) for row in rows if await _invites(visit, row.id)],
        evenings=[listed_evening(words, row) for row in reversed(rows)],
        mine=[{"club": club, "size": sizes.get(club.id, 0)} for club in mine],
        others=[{"club": club, "size": sizes.get(club.id, 0)} for club in others],
    )


async def _invites(visit: Visit, evening: str) -> bool:
    """Whether the visitor is invited to an evening, and has not answered."""
    found = await visit.room[Evenings].find(evening)
    comer = found.comer(visit.someone().id) if found is not None else None
    return comer is not None and comer.comes is None


# Forms of a club


def _about(typed: str) -> str:
    """Description of a club, cleaned line by line. Raises `Wrong` where it is too long."""
    about = "\n".join(map(clean_text, typed.replace("\r\n", "\n").strip().split("\n")))
    if len(about) > LONGEST_ABOUT:
        raise Wrong(
            "about", N_("This text is too long: at most {most} characters."), most=LONGEST_ABOUT
        )
    return about


FIELDS: Final = declared(
    Field("name", meant=clean_name),
    Field("about", meant=_about),
    Switch("listed"),
)


async def new(visit: Visit) -> Response:
    """The form for a new club."""
    return _form_page(visit, "", FilledForm.of(FIELDS, asdict(_blank(visit.someone()))))


async def found(visit: Visit) -> Response:
    who, room, clubs = visit.someone(), room_of(visit), room_of(visit).store[Clubs]
    sent = await visit.fields()
    form, key = FilledForm.typed(FIELDS, sent), visit.key_of(sent)[:16]
    if await clubs.club(key) is not None:  # the same form has come before
        return see_other(f"/clubs/{key}?done=made")
    try:
        club = replace(_blank(who), **form.read(), id=key)
    except Wrong as wrong:
        return _form_page(visit, "", form, wrong)
    if sum(each.owner == who.id for each in await clubs.of(who.id)) >= MOST_CLUBS:
        raise Refused(429, "too_many_clubs", most=MOST_CLUBS)
    await room.limits.spend("table", who.id)
    await clubs.put(club)
    return see_other(f"/clubs/{club.id}?done=made")


async def show_edit(visit: Visit) -> Response:
    club = await led_club(visit, OWNER)
    return _form_page(visit, club.id, FilledForm.of(FIELDS, asdict(club)))


async def edit(visit: Visit) -> Response:
    form = FilledForm.typed(FIELDS, await visit.fields())

    def changed(club: Club) -> Club:
        return replace(club, **form.upon(asdict(club)).read())

    try:
        club = await _changed(visit, changed, OWNER)
    except NotTaken as problem:
        return _form_page(visit, visit.path_params["club"], form, problem)
    return see_other(f"/clubs/{club.id}?done=saved")


async def _changed(visit: Visit, change: Callable[[Club], Club], *roles: str) -> Club:
    """Change the club of the address, anew where others were first, and return the new club.

    Raises `Refused` for people with none of the roles there.
    """
    for _ in range(MOST_TRIES):
        club = await led_club(visit, *roles)
        after = change(club)
        with suppress(Conflict):
            await room_of(visit).store[Clubs].change(club, after)
            return after
    raise Unavailable("too many write to one club")


def _blank(who: Someone) -> Club:
    """A club that is to be founded; it has no id yet."""
    return Club("", "", who.id, "", False, time.time(), _new_key())


def _form_page(
    visit: Visit, club: str, form: FilledForm, problem: NotTaken | None = None
) -> Response:
    return form_page(visit, "club_form.html", form, problem, club=club, most=LONGEST_ABOUT)


# A club


async def show(visit: Visit) -> Response:
    """The page of a club."""
    club = await club_of(visit, visit.path_params["club"])
    role = await role_in(visit, club)
    clubs, words = room_of(visit).store[Clubs], visit.words
    to_come = await clubs.evenings([club.id], TO_COME)
    past = await clubs.evenings([club.id], ("over",))
    members = await clubs.members(club.id)
    return page(
        visit,
        "club.html",
        done=done_text(visit, DONE),
        club=club,
        about=_paragraphs(club),
        role=role,
        leads=role in (OWNER, ORGANISER),
        members=[_member(words, club, each, visit.someone().id) for each in members],
        size=len(members),
        to_come=[listed_evening(words, row) for row in reversed(to_come)],
        past=[listed_evening(words, row) for row in past],
        invitation=f"{shared(visit)}/clubs/{club.id}/invited/{club.key}" if role else "",
        roles=[(role, words.t(text)) for role, text in NEW_ROLES.items()],
    )


def _paragraphs(club: Club) -> list[str]:
    return [line for line in club.about.split("\n") if line.strip()]


def _member(words: Words, club: Club, member: Member, own: str) -> dict[str, Any]:
    role = OWNER if member.person == club.owner else member.role
    title = words.t(ROLES[role])
    return {
        "name": member.name,
        "role": role,
        "told": title,
        "you": member.person == own,
        "choice": (member.person, f"{isolated(member.name)} ({title})"),
    }


async def do(visit: Visit) -> Response:
    """Do the action of one button: join, leave, make another address, dissolve."""
    sent = await visit.fields()
    club = await club_of(visit, visit.path_params["club"])
    clubs, who = room_of(visit).store[Clubs], visit.someone().id
    match str(sent.get("do", "")):
        case "join" if club.listed:
            await admit(visit, club)
            return see_other(f"/clubs/{club.id}?done=joined")
        case "leave":
            if who == club.owner:
                raise Refused(409, "owner_stays")
            await clubs.dismiss(club.id, who)
            return see_other("/clubs?done=left")
        case "key":
            await _changed(visit, lambda club: replace(club, key=_new_key()), OWNER, ORGANISER)
            return see_other(f"/clubs/{club.id}?done=key")
        case "dissolve":
            await led_club(visit, OWNER)
            if await clubs.evenings([club.id], TO_COME):
                raise Refused(409, "club_has_evenings")
            await clubs.dissolve(club.id)
            return see_other("/clubs?done=dissolved")
    raise Refused(400, "wrong_form")


async def change_member(visit: Visit) -> Response:
    """Change a member's role, as the owner asks."""
    sent = await visit.fields()
    club = await led_club(visit, OWNER)
    clubs = room_of(visit).store[Clubs]
    person, role = str(sent.get("person", "")), str(sent.get("role", ""))
    if not await clubs.role(club.id, person):
        raise Refused(404, "not_a_member")
    if person == club.owner:
        raise Refused(409, "owner_stays")
    match role:
        case "member" | "organiser":
            await clubs.admit(club.id, person, role)
        case "owner":
            await _changed(visit, lambda club: replace(club, owner=person), OWNER)
        case "out":
            await _changed(visit, lambda club: replace(club, key=_new_key()), OWNER)
            await clubs.dismiss(club.id, person)
            return see_other(f"/clubs/{club.id}?done=out")
        case _:
            raise Refused(400, "wrong_form")
    return see_other(f"/clubs/{club.id}?done=saved")


# Invitations


async def invited(visit: Visit) -> Response:
    """The page of an invitation to a club."""
    club = await _inviting(visit)
    return page(
        visit,
        "club_invited.html",
        club=club,
        about=_paragraphs(club),
        role=await role_in(visit, club),
    )


async def accept(visit: Visit) -> Response:
    """Make the visitor a member by an invitation."""
    await visit.fields()
    club = await _inviting(visit)
    await admit(visit, club)
    return see_other(f"/clubs/{club.id}?done=joined")


async def _inviting(visit: Visit) -> Club:
    """The club of an invitation's address. Raises `Refused` for a wrong key."""
    visit.someone()
    club = await _find(visit, visit.path_params["club"])
    key = str(visit.path_params["key"])
    if not hmac.compare_digest(club.key.encode(), key.encode(errors="replace")):
        raise Refused(404, "invitation_over")
    return club


async def to_the_club(visit: Visit) -> Response:
    """Lead somebody who loads the answer to a form again back to the club."""
    return see_other(f"/clubs/{visit.path_params['club']}")


def _new_key() -> str:
    return secrets.token_urlsafe(12)
