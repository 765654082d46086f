"""The page of friends: asking, agreeing, answering invitations, hiding, ending."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit import Page, Playroom, Visitor

from volte.friends.service import Friends
from volte.friends.store import Friendships
from volte.people.store import Account, Accounts
from volte.store import MatchRow
from volte.table import Someone


@pytest.fixture
def other(playroom: Playroom) -> Iterator[Visitor]:
    """Somebody else, at another browser."""
    with Visitor(playroom.address) as somebody:
        yield somebody


def person(visitor: Visitor) -> str:
    """The id of a visitor with a name."""
    found: str = visitor.client.get("/api/me").json()["person"]
    return found


def met(playroom: Playroom, one: Visitor, two: Visitor) -> tuple[str, str]:
    """Have Anne and Bert come in, who have played a match; return their ids."""
    one.come_in("Anne")
    two.come_in("Bert")
    people = person(one), person(two)
    row = MatchRow(people[0], people[0], 1, bytes(32), 1.0, people, last=1, ended=2.0, began=people)
    playroom.do(playroom.site.room.store.append(people[0], 0, (b"1",), matches=(row,)))
    return people


def befriended(playroom: Playroom, one: Visitor, two: Visitor) -> tuple[str, str]:
    """Anne and Bert, who are friends."""
    people = met(playroom, one, two)
    service = playroom.site.room[Friends]
    playroom.do(service.ask(*people))
    playroom.do(service.ask(*reversed(people)))
    return people


def press(visitor: Visitor, do: str, whom: str = "") -> Page:
    return visitor.post("/friends", {"do": do, "person": whom})


def test_somebody_asks_a_person_of_their_last_matches_who_agrees(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    anne, bert = met(playroom, visitor, other)
    page = visitor.get("/friends")
    assert page.wrong == []
    assert "People you have played with lately Bert Ask to be friends" in page.text
    assert "you lose your list of friends if this browser forgets you" in page.text
    assert (
        "Request sent: you will be friends once it is accepted." in press(visitor, "ask", bert).text
    )
    assert "Anne would like to be your friend." in other.get("/").text
    asked = other.get("/friends")
    assert "Friend requests Anne Yes No" in asked.text
    assert asked.wrong == []
    assert "You are now friends." in press(other, "ask", anne).text
    assert "would like to be your friend" not in other.get("/").text
    page = visitor.get("/friends")
    assert "Your friends Bert" in page.text
    assert page.wrong == []


def test_a_no_and_an_end_are_told_to_nobody(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    anne, bert = met(playroom, visitor, other)
    press(visitor, "ask", bert)
    before = visitor.get("/friends").text
    press(other, "decline", anne)
    assert visitor.get("/friends").text == before
    press(other, "ask", anne)
    assert "Your friends Bert" in visitor.get("/friends").text
    press(other, "end", anne)
    assert "You have no friends here yet." in visitor.get("/friends").text


def test_whoever_hides_is_not_here_on_the_page_of_the_friend(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    anne, _ = befriended(playroom, visitor, other)
    hidden = press(other, "hide", anne)
    assert "cannot see you" in hidden.text
    assert "None of your friends is here." in visitor.get("/friends").text
    assert "Your friends can see" in press(other, "show", anne).text
    assert "Your friends cannot see when you are here." in press(other, "hide_all").text
    assert "None of your friends is here." in visitor.get("/friends").text


def test_a_yes_leads_to_the_table_and_of_two_tabs_one_answers(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    anne, _ = befriended(playroom, visitor, other)
    table = visitor.open_table(who="friends").table
    bert = person(other)
    room = playroom.site.room
    assert playroom.do(room[Friends].invite(Someone(anne, "Anne"), bert, table)) == "Bert"
    page = other.get("/friends")
    assert page.wrong == []
    assert "Anne has invited you: " in page.text
    answered = other.post(f"/friends/invited/{anne}", {"yes": "1"})
    assert answered.table == table
    assert "data-sit" in answered.all("div", id="table")[0]
    again = other.post(f"/friends/invited/{anne}", {"yes": "0"})
    assert again.status == 410
    assert "This invitation has expired, or has already been answered." in again.text


def test_a_no_leads_back_and_the_next_invitation_has_to_wait(
    playroom: Playroom, visitor: Visitor, other: Visitor
) -> None:
    anne, bert = befriended(playroom, visitor, other)
    table = visitor.open_table(who="friends").table
    room, who = playroom.site.room, Someone(anne, "Anne")
    playroom.do(room[Friends].invite(who, bert, table))
    page = other.post(f"/friends/invited/{anne}", {"yes": "0"})
    assert "You have declined the invitation." in page.text
    assert playroom.do(room.store[Friendships].invite(anne, bert, table)) == "invited_too_soon"


def test_what_is_no_deed_is_refused(visitor: Visitor) -> None:
    visitor.come_in()
    assert press(visitor, "love", "x").status == 422
    assert press(visitor, "ask", "x").status == 404
    assert press(visitor, "decline", "x").status == 200
    assert press(visitor, "hide", "x").status == 200
    assert visitor.post("/friends/invited/x", {"yes": "1"}).status == 410


def test_whoever_has_an_account_keeps_their_friends(playroom: Playroom, visitor: Visitor) -> None:
    visitor.come_in()
    who = person(visitor)
    playroom.do(playroom.site.room.store[Accounts].make(Account(who, who, "", 1.0, 1.0), ()))
    assert "you lose your list of friends" not in visitor.get("/friends").text
