"""Friends of a person, and invitations between friends: pure rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from volte.names import name_order

LASTING: Final = 15 * 60.0
"""Seconds for which an invitation can be answered."""

MOST_FRIENDS: Final = 500
"""People with whom one person is friends, or whom they have asked."""

AFTER_NO: Final = 10 * 60.0
"""Seconds after a no until the same friend may be invited by the same person again."""


class Stance(msgspec.Struct, frozen=True):
    """A row of the store about two people: the answer of one to the other's friendship."""

    own: bool  # whether it is the person's own; else it is the other's towards the person
    other: str  # id
    name: str  # of the other
    agrees: bool  # whether they are or would be friends; False for a no
    hidden: bool  # whether the person is invisible to the other; of the other's own, False
    since: float  # in seconds since 1970
    muted: bool  # whether the person has muted the other


class Friend(msgspec.Struct, frozen=True):
    """Somebody in the circle of a person."""

    id: str
    name: str
    since: float  # time of the later one of the two who agreed, or of the one who did
    hidden: bool = False  # whether the person is invisible to them


class Circle(msgspec.Struct, frozen=True):
    """The friends of a person, as that person may know them; ordered by name."""

    friends: tuple[Friend, ...] = ()
    asked: tuple[Friend, ...] = ()  # people whom the person has asked; a no looks the same
    asking: tuple[Friend, ...] = ()  # people who ask the person
    invisible: bool = False  # whether the person is invisible to everybody

    def friend(self, other: str) -> Friend | None:
        """The friend of that id; None where they are none."""
        return next((each for each in self.friends if each.id == other), None)

    @property
    def full(self) -> bool:
        """Whether the person can ask nobody else, and agree with nobody else."""
        return len(self.friends) + len(self.asked) >= MOST_FRIENDS

    def includes(self, other: str) -> bool:
        """Whether somebody is a friend, is asked, or asks."""
        return any(each.id == other for each in (*self.friends, *self.asked, *self.asking))

    def named(self, name: str) -> tuple[Friend, ...]:
        """The friends of that name, whatever its case."""
        wanted = name.strip().casefold()
        return tuple(each for each in self.friends if each.name.casefold() == wanted)


def circle_of(stances: Iterable[Stance], invisible: bool = False) -> Circle:
    """The circle of a person, from all rows about them.

    Two people are friends where both agree. An asking of somebody muted, or answered by a no,
    reaches nobody.
    """
    own, theirs = dict[str, Stance](), dict[str, Stance]()
    for each in stances:
        (own if each.own else theirs)[each.other] = each
    friends, asked, asking = list[Friend](), list[Friend](), list[Friend]()
    for other, each in own.items():
        answer = theirs.get(other)
        if not each.agrees:
            continue
        if answer is not None and answer.agrees:
            since = max(each.since, answer.since)
            friends.append(Friend(other, each.name, since, each.hidden))
        else:
            asked.append(Friend(other, each.name, each.since))
    for other, each in theirs.items():
        if other not in own and each.agrees and not each.muted:
            asking.append(Friend(other, each.name, each.since))
    return Circle(_by_name(friends), _by_name(asked), _by_name(asking), invisible)


def _by_name(people: Iterable[Friend]) -> tuple[Friend, ...]:
    return tuple(sorted(people, key=lambda each: (name_order(each.name), each.id)))


class LastInvitation(msgspec.Struct, frozen=True):
    """The last invitation of one friend by another."""

    table: str  # id
    at: float  # in seconds since 1970
    answered: float | None = None  # time of the answer; None while there is none
    accepted: bool = False  # whether that was a yes

    def open(self, now: float) -> bool:
        """Whether it can be answered at a time."""
        return self.answered is None and now < self.at + LASTING


def invitation_refusal(last: LastInvitation | None, now: float, goes_on: bool = True) -> str:
    """The reason why a friend cannot be invited now; empty where they can.

    Args:
        last: the last invitation of that friend by the same person.
        goes_on: whether the table of the last invitation is open.

    >>> invitation_refusal(LastInvitation("t", 0.0), 60.0)
    'invited_already'
    >>> invitation_refusal(LastInvitation("t", 0.0, answered=60.0), 600.0)
    'invited_too_soon'
    """
    if last is None:
        return ""
    if last.open(now) and goes_on:
        return "invited_already"
    said_no = last.answered is not None and not last.accepted
    return "invited_too_soon" if said_no and now < (last.answered or 0.0) + AFTER_NO else ""


class FriendInvitation(msgspec.Struct, frozen=True):
    """An invitation of a person by a friend, which can be answered."""

    by: str  # id of the friend
    name: str  # of the friend
    table: str  # id
    title: str  # name of the table
    at: float  # in seconds since 1970
