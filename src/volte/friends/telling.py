"""Sentences about friends who are here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.friends.whereabouts import FriendHere
from volte.names import isolated
from volte.say import Words
from volte.table.stored import WayIn

MOST_NAMED: Final = 20  # friends who are named; the others are counted


def friends_told(words: Words, here: Sequence[FriendHere]) -> tuple[str, ...]:
    """Tell who of somebody's friends is here, and where they can be joined."""
    if not here:
        return (words.t("None of your friends is here."),)
    named = [friend_told(words, each) for each in here[:MOST_NAMED]]
    if more := len(here) - len(named):
        named.append(words.n("{count} other", "{count} others", more))
    return (
        words.n(
            "{count} friend is here: {friends}.",
            "{count} friends are here: {friends}.",
            len(here),
            friends="; ".join(named),
        ),
    )


def friend_told(words: Words, friend: FriendHere) -> str:
    """Name a friend who is here, with the table where they can be joined or watched."""
    if not friend.ways:
        return isolated(friend.name)
    if friend.ways == (WayIn.WATCH,):
        return words.t(
            "{name} at {table}, which you can watch", name=friend.name, table=friend.title
        )
    return words.t(
        "{name} at {table}, where you can sit down", name=friend.name, table=friend.title
    )
