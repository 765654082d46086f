"""Friends in the browser: who is here by a key, an invitation at the table, being invisible."""

from __future__ import annotations

import pytest
from kit.browser.judging import MEASURED, axe_faults
from kit.browser.players import Browse, Player

from volte.friends.service import CHANGED
from volte.friends.store import Friendships


def befriended(one: Player, two: Player) -> None:
    """Make two people friends."""
    store, people = one.playroom.site.room.store, (one.someone.id, two.someone.id)

    async def agreed() -> None:
        for person, other in (people, people[::-1]):
            await store[Friendships].agree(person, other)
            await store.bus.publish(CHANGED, person)

    one.playroom.do(agreed())


@pytest.mark.full
def test_a_friend_is_invited_by_keys_alone_and_sits_down_by_one_yes(browse: Browse) -> None:
    host, friend = browse("en").come_in("Zoé"), browse("fr").come_in("Ana")
    befriended(host, friend)
    table = host.open_table(levels=["", "casual", "casual"], setup={"access": "link"})
    host.sit_down(table)
    friend.go_to("/friends")
    host.keys("Shift+F")
    host.hears("1 friend is here: Ana.")
    host.page.focus("#invite-friend")
    host.keys("Enter")
    host.page.wait_for_selector("[role=dialog] [data-friend]")
    assert axe_faults(host.page, MEASURED) == []
    host.keys("Tab", "Enter")
    host.hears("You have invited Ana, who has a quarter of an hour to answer.")
    assert host.page.evaluate("document.activeElement.id") == "invite-friend"
    friend.page.reload()
    friend.page.focus("form[action^='/friends/invited'] button.first")
    friend.keys("Enter")
    friend.wait("() => window.watched.scene?.seat === 1")
    friend.go_to("/friends")
    friend.page.focus("button[value=hide_all]")
    friend.keys("Enter")
    friend.page.wait_for_selector("button[value=show_all]")
    host.keys("Shift+F")
    host.hears("None of your friends is here.")
