"""Friends at a server: who is seen, who is invited, and what nobody learns."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import pytest
from kit import Guest, Site
from kit.people import Lost, one_deal_table
from kit.sites import SiteWith, until
from kit.stores import queries
from msgspec.structs import replace

from volte.friends import circle
from volte.friends.circle import FriendInvitation
from volte.friends.service import Friends
from volte.friends.store import Friendships
from volte.friends.whereabouts import FriendHere, Sightings, Whereabouts
from volte.news.desk import NewsDesk
from volte.news.kinds import News, NewsKind
from volte.server.tables.inviting import inviting_refusal
from volte.store import MatchRow, Person
from volte.store.store import Store
from volte.table import Access, OpenSeats, Seat, Someone, TableState, Watching
from volte.table.commands import AnswerSeat, Close, Sit, Start
from volte.talk.store import TalkStore
from volte.web.refused import Refused
from volte.wire.messages import Answer, Befriend, InviteFriend, Question


async def met(store: Store, *people: str) -> None:
    """Have people played a match with each other, which is over."""
    table = f"met {'-'.join(people)}"
    row = MatchRow(table, table, 1, bytes(32), 1.0, people, last=1, ended=2.0, began=people)
    await store.append(table, 0, (b"1",), matches=(row,))


async def friends(site: Site, *names: str) -> list[Guest]:
    """New people, all of them friends of each other."""
    people = [await Guest.come(site.address, name) for name in names]
    for one in people:
        for two in people:
            if one is not two:
                await site.room.store[Friendships].agree(one.person, two.person)
    for each in people:
        await site.room.store.bus.publish("friends", each.person)
    return people


def database_of(site: Site) -> str:
    """The file of a server's database."""
    return site.room.settings.database_url.removeprefix("sqlite:///")


async def here(site: Site, who: Guest) -> Sequence[FriendHere]:
    return await site.room[Whereabouts].friends(who.person)


async def seen(site: Site, who: Guest, *names: str) -> None:
    """Wait until just these friends are here, as somebody sees it."""

    async def holds() -> bool:
        return [each.name for each in await here(site, who)] == sorted(names)

    await until(holds)


async def invitations(site: Site, who: Guest) -> list[FriendInvitation]:
    return await site.room[Friends].invitations(who.person)


def refused(answer: Answer) -> str:
    """The reason for which somebody was refused something."""
    assert answer.refusal is not None
    return answer.refusal.reason


async def invite(host: Guest, friend: str) -> Answer:
    return await host.request(InviteFriend, friend)


# Asking


async def test_two_who_have_played_become_friends_once_both_have_asked(site: Site) -> None:
    anne, bert = [(await Guest.come(site.address, name)).person for name in ("Anne", "Bert")]
    service = site.room[Friends]
    assert not await service.may_ask(anne, bert)
    with pytest.raises(Refused, match="not_played_with"):
        await service.ask(anne, bert)
    await met(site.room.store, anne, bert)
    assert await service.may_ask(anne, bert)
    assert not await service.ask(anne, bert)
    assert not await service.ask(anne, bert)
    assert await service.ask(bert, anne)
    assert (await service.of(anne)).friend(bert)
    assert await service.ask(anne, bert)


async def test_nobody_is_their_own_friend(site: Site) -> None:
    anne = (await Guest.come(site.address, "Anne")).person
    await met(site.room.store, anne, anne)
    assert not await site.room[Friends].may_ask(anne, anne)
    with pytest.raises(Refused, match="friend_of_oneself"):
        await site.room[Friends].ask(anne, anne)


async def test_askings_and_invitations_are_counted_with_sayings(site_with: SiteWith) -> None:
    site = await site_with(sayings_per_minute=1)
    anne, bert = [(await Guest.come(site.address, name)).person for name in ("Anne", "Bert")]
    for other in ("cara", bert):
        await site.room.store.put_person(Person("cara", "Cara", "en", {}, 1.0))
        await met(site.room.store, anne, other)
    await site.room[Friends].ask(anne, bert)
    with pytest.raises(Refused, match="too_many"):
        await site.room[Friends].ask(anne, "cara")


async def test_whoever_has_the_most_friends_asks_nobody_else_and_agrees_with_nobody_else(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circle, "MOST_FRIENDS", 2)
    anne, bert, cara = await friends(site, "Anne", "Bert", "Cara")
    dora = await Guest.come(site.address, "Dora")
    await met(site.room.store, anne.person, dora.person)
    service = site.room[Friends]
    with pytest.raises(Refused, match="too_many_friends"):
        await service.ask(anne.person, dora.person)
    assert not await service.ask(dora.person, anne.person)
    with pytest.raises(Refused, match="too_many_friends"):
        await service.ask(anne.person, dora.person)
    await service.end(anne.person, bert.person)
    assert await service.ask(anne.person, dora.person)
    assert {each.id for each in (await service.of(anne.person)).friends} == {
        cara.person,
        dora.person,
    }


async def test_whoever_is_asked_by_nobody_costs_no_query_until_somebody_asks_at_any_node(
    postgres_url: str, site_with: SiteWith
) -> None:
    site = await site_with(postgres_url)
    service, store = site.room[Friends], site.room.store
    for each in ("anne", "bert"):
        await store.put_person(Person(each, each.title(), "en", {}, 1.0))
    assert await service.asking("anne") == ()
    with queries(store) as sent:
        assert await service.asking("anne") == ()
        assert [each for each in sent if "anne" in each] == []
    async with await Store.open(postgres_url) as another:
        await another[Friendships].agree("bert", "anne")
        await another.bus.publish("friends", "anne")
        await until(lambda: "anne" not in service._unasked)
    assert [each.name for each in await service.asking("anne")] == ["Bert"]


# Friends who are here


async def test_friends_are_seen_at_pages_and_at_open_tables_with_the_ways_in(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    assert await here(site, anne) == ()
    await bert.get("/")
    await seen(site, anne, "Bert")
    assert [each.table for each in await here(site, anne)] == [""]
    table = await bert.open_table(("", "", ""), one_deal_table(access=Access.PUBLIC))
    await bert.join(table)

    async def at_table() -> bool:
        return [each.table for each in await here(site, anne)] == [table]

    await until(at_table)
    await anne.join(await anne.open_table(), told=True)
    (line,) = (await anne.ask(Question.FRIENDS)).lines
    assert line == "1 friend is here: Bert at Table, where you can sit down."
    await bert.leave()

    async def away() -> bool:
        return [each.table for each in await here(site, anne)] == [""]

    await until(away)


async def become_friends(site: Site, one: Guest, two: Guest) -> None:
    """Have two people who have played ask each other, as they do at a table."""
    await met(site.room.store, one.person, two.person)
    assert (await one.request(Befriend, two.person)).ok
    assert (await two.request(Befriend, one.person)).ok


async def test_two_at_one_table_who_become_friends_are_here_for_each_other_at_once(
    site: Site,
) -> None:
    anne, bert = [await Guest.come(site.address, name) for name in ("Anne", "Bert")]
    await anne.join(await anne.open_table(("", "", ""), one_deal_table(access=Access.LINK)))
    await bert.join(anne.table)
    for each in (anne, bert):
        assert (await each.ask(Question.FRIENDS)).lines == ("None of your friends is here.",)
    await become_friends(site, anne, bert)
    await seen(site, anne, "Bert")
    await seen(site, bert, "Anne")


async def test_whoever_is_at_another_node_is_here_at_once_for_whom_they_become_friends_with(
    postgres_url: str, site_with: SiteWith
) -> None:
    site = await site_with(postgres_url)
    anne, bert = [await Guest.come(site.address, name) for name in ("Anne", "Bert")]
    await met(site.room.store, anne.person, bert.person)
    async with await Store.open(postgres_url) as another:
        elsewhere = Whereabouts(another, site.room[NewsDesk])
        elsewhere.begin()
        elsewhere.note(bert.person)
        await until(lambda: not elsewhere._tasks)
        assert await here(site, anne) == ()
        for one, two in ((anne, bert), (bert, anne)):
            await site.room[Friends].ask(one.person, two.person)
        await seen(site, anne, "Bert")
        await elsewhere.close()


async def test_a_table_of_which_others_may_not_know_is_not_told(site: Site) -> None:
    for access in (Access.PRIVATE, Access.LINK, Access.PASSWORD):
        anne, bert = await friends(site, "Anne", "Bert")
        password = "secret" if access is Access.PASSWORD else ""
        setup = one_deal_table(access=access)
        await bert.join(await bert.open_table(("", "", ""), setup, password))
        await seen(site, anne, "Bert")
        assert [each.table for each in await here(site, anne)] == [""]


async def test_whoever_is_invisible_is_as_if_not_here_to_one_or_to_all(site: Site) -> None:
    anne, bert, cara = await friends(site, "Anne", "Bert", "Cara")
    service = site.room[Friends]
    await bert.get("/")
    await seen(site, anne, "Bert")
    await seen(site, cara, "Bert")
    await service.hide(bert.person, anne.person, True)
    await anne.join(await anne.open_table(), told=True)
    nobody = (await anne.ask(Question.FRIENDS)).lines
    assert nobody == ("None of your friends is here.",)
    assert (await service.of(anne.person)).friend(bert.person)
    await cara.get("/")
    assert [each.name for each in await here(site, cara)] == ["Anne", "Bert"]
    await service.hide_from_all(bert.person, True)
    assert [each.name for each in await here(site, cara)] == ["Anne"]
    await service.hide_from_all(bert.person, False)
    await service.hide(bert.person, anne.person, False)
    assert "Bert" in {each.name for each in await here(site, anne)}


async def test_who_has_no_friends_is_noted_nowhere_and_costs_no_query(site: Site) -> None:
    anne = await Guest.come(site.address, "Anne")
    presence, store = site.room[Whereabouts], site.room.store
    assert await presence.friends(anne.person) == ()
    with queries(store) as sent:
        await presence._note(anne.person, "")
        assert await presence.friends(anne.person) == ()
    assert [each for each in sent if anne.person in each] == []
    assert await store[Sightings].until(anne.person) == 0.0


async def test_ten_thousand_friends_are_looked_up_along_indexes_alone(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    await bert.get("/")
    await seen(site, anne, "Bert")
    with queries(site.room.store) as sent:
        await site.room.store[Sightings].friends(anne.person)
    # The room may ask for other things, or for the same, at that moment.
    looked = "SELECT here.person, people.name"
    query = next(each for each in sent if each.startswith(looked) and anne.person in each)
    statement = query.rpartition(" (")[0].replace("?", "1")
    with closing(sqlite3.connect(database_of(site))) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert plan
    assert not [step for step in plan if step.startswith("SCAN")]


# News


async def told(site: Site, who: Guest) -> list[str]:
    return [str(each.kind) for each in await site.room[NewsDesk].of(who.person)]


async def test_who_has_asked_for_it_is_told_that_a_friend_has_come_once_in_half_an_hour(
    site: Site,
) -> None:
    anne, bert, cara = await friends(site, "Anne", "Bert", "Cara")
    store = site.room.store
    wish = {NewsKind.FRIEND.setting: True}
    for each in (anne, cara):
        await store.change_person(each.person, lambda person: replace(person, settings=wish))
    await store[TalkStore].mute(cara.person, bert.person, "Bert")
    presence = site.room[Whereabouts]
    await presence._note(bert.person, "")
    assert await told(site, anne) == ["friend"]
    assert await told(site, cara) == []
    await site.room[NewsDesk].over(NewsKind.FRIEND, bert.person)
    await presence._note(bert.person, "")
    assert await told(site, anne) == []


async def test_the_coming_of_somebody_invisible_is_told_to_nobody_and_taken_back_by_hiding(
    site: Site,
) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    wish = {NewsKind.FRIEND.setting: True}
    await site.room.store.change_person(anne.person, lambda person: replace(person, settings=wish))
    service, presence = site.room[Friends], site.room[Whereabouts]
    await site.room.store[Sightings].note(bert.person, "")
    await service.hide(bert.person, anne.person, True)
    await presence._has_come(bert.person)
    assert await told(site, anne) == []
    await service.hide(bert.person, anne.person, False)
    await presence._has_come(bert.person)
    assert await told(site, anne) == ["friend"]
    await service.hide_from_all(bert.person, True)
    assert await told(site, anne) == []


async def test_an_invitation_is_news_until_it_is_answered_or_the_friendship_ends(
    site: Site,
) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    await anne.join(await anne.open_table())
    assert (await invite(anne, "Bert")).ok
    assert await told(site, bert) == ["invited"]
    await site.room[Friends].answer(bert.person, anne.person, True)
    assert await told(site, bert) == []
    assert (await invite(anne, "Bert")).ok
    assert await told(site, bert) == ["invited"]
    await site.room[Friends].end(anne.person, bert.person)
    assert await told(site, bert) == []


async def test_whoever_hides_while_their_coming_is_being_told_is_not_told_of(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    wish = {NewsKind.FRIEND.setting: True}
    await site.room.store.change_person(anne.person, lambda person: replace(person, settings=wish))
    await site.room.store[Sightings].note(bert.person, "")
    await site.room.store[Friendships].hide(bert.person, anne.person, True)
    late = News.of(anne.person, NewsKind.FRIEND, bert.person, "/friends", "Bert", time.time())
    await site.room[NewsDesk].tell(late)
    assert await told(site, anne) == []


async def test_news_of_a_friend_is_over_once_they_have_left_or_are_muted(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    wish = {NewsKind.FRIEND.setting: True}
    await site.room.store.change_person(anne.person, lambda person: replace(person, settings=wish))
    await site.room[Whereabouts]._note(bert.person, "t")
    assert await told(site, anne) == ["friend"]
    await site.room.store[TalkStore].mute(anne.person, bert.person, "Bert")
    assert await told(site, anne) == []
    await site.room.store[TalkStore].unmute(anne.person, bert.person)
    assert await told(site, anne) == ["friend"]
    await site.room.store[Sightings].left(bert.person, "t")
    assert await told(site, anne) == []


async def test_news_of_an_invitation_is_over_with_its_table_or_once_its_sender_is_muted(
    site: Site,
) -> None:
    anne, bert, cara = await friends(site, "Anne", "Bert", "Cara")
    await anne.join(await anne.open_table())
    for each in (bert, cara):
        assert (await invite(anne, each.person)).ok
        assert await told(site, each) == ["invited"]
    await site.room.store[TalkStore].mute(bert.person, anne.person, "Anne")
    assert await told(site, bert) == []
    assert (await anne.do(Close())).ok
    assert await told(site, cara) == []


async def test_nothing_is_ended_or_hidden_of_people_with_whom_there_is_nothing(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    for other in ("\0", "\ud800", "nobody"):
        await site.room[Friends].end(anne.person, other)
        await site.room[Friends].hide(anne.person, other, True)
    circle = await site.room[Friends].of(anne.person)
    assert [(each.id, each.hidden) for each in circle.friends] == [(bert.person, False)]


# Invitations


async def test_a_friend_comes_into_a_running_match_for_a_bot_with_the_hosts_yes(
    site: Site,
) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    setup = replace(one_deal_table(access=Access.PRIVATE), open_seats=OpenSeats.FREE)
    await anne.join(await anne.open_table(setup=setup))
    assert (await anne.do(Start())).ok
    with pytest.raises(Lost):
        await bert.join(anne.table)
    answer = await invite(anne, "bert")
    assert answer.lines == ("You have invited Bert, who has a quarter of an hour to answer.",)
    assert refused(await invite(anne, bert.person)) == "invited_already"
    (invitation,) = await invitations(site, bert)
    assert (invitation.by, invitation.name) == (anne.person, "Anne")
    assert await site.room[Friends].answer(bert.person, anne.person, True) == anne.table
    await bert.join(anne.table)
    assert (await bert.do(Sit(1))).ok
    live = await site.live(anne.table)
    assert live.state.seats[1].asker == bert.person
    assert (await anne.do(AnswerSeat(1, bert.person, True))).ok
    assert live.state.seat_of(bert.person) == 1
    assert refused(await invite(anne, "Bert")) == "friend_at_table"


async def test_an_invitation_comes_from_friends_alone_and_not_from_whom_one_has_muted(
    site: Site,
) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    cara = await Guest.come(site.address, "Cara")
    await anne.join(await anne.open_table())
    assert refused(await invite(anne, cara.person)) == "no_friend"
    await site.room.store[TalkStore].mute(bert.person, anne.person, "Anne")
    assert (await invite(anne, "Bert")).ok
    assert await invitations(site, bert) == []
    with pytest.raises(Refused, match="friend_invitation_over"):
        await site.room[Friends].answer(bert.person, anne.person, True)


async def test_inviting_a_friend_tells_nothing_of_whether_they_are_here(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    await site.room[Friends].hide(bert.person, anne.person, True)
    await anne.join(await anne.open_table())
    away = await invite(anne, "Bert")
    await site.room[Friends].answer(bert.person, anne.person, True)
    await bert.get("/")
    await until(lambda: not site.room[Whereabouts]._tasks)
    present = await invite(anne, "Bert")
    assert present.ok
    assert present.lines == away.lines
    assert await here(site, anne) == ()


async def test_nothing_is_left_with_others_of_a_friend_who_is_deleted(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    await bert.get("/")
    await seen(site, anne, "Bert")
    await bert.join(await bert.open_table())
    assert (await invite(bert, "Anne")).ok
    assert await told(site, anne) == ["invited"]
    await site.room.store.forget(bert.person)
    assert await told(site, anne) == []
    assert await invitations(site, anne) == []
    assert await here(site, anne) == ()
    assert (await site.room[Friends].of(anne.person)).friends == ()
    with pytest.raises(Refused, match="no_friend"):
        await site.room[Friends].invite(Someone(anne.person, "Anne"), bert.person, bert.table)


async def test_a_table_that_fills_before_the_yes_has_its_door_open_and_no_seat(site: Site) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    cara = await Guest.come(site.address, "Cara")
    setup = one_deal_table(access=Access.LINK)
    await anne.join(await anne.open_table(("", "", ""), setup))
    assert (await invite(anne, "Bert")).ok
    live = await site.live(anne.table)
    free = [at for at, seat in enumerate(live.state.seats) if not seat.person]
    for at in free:
        guest = cara if at == free[0] else await Guest.come(site.address, f"Guest {at}")
        await guest.join(anne.table)
        assert (await guest.do(Sit(at))).ok
    assert await site.room[Friends].answer(bert.person, anne.person, True) == anne.table
    await bert.join(anne.table)
    assert not (await bert.do(Sit(free[0]))).ok
    assert live.state.seat_of(bert.person) is None


async def test_whoever_ends_a_friendship_is_invited_no_more_and_the_other_is_not_told(
    site: Site,
) -> None:
    anne, bert = await friends(site, "Anne", "Bert")
    await anne.join(await anne.open_table())
    assert (await invite(anne, "Bert")).ok
    await site.room[Friends].end(bert.person, anne.person)
    assert await invitations(site, bert) == []
    assert anne.notices == []
    assert refused(await invite(anne, "Bert")) == "no_friend"


@pytest.mark.parametrize("shut", [{"watching": Watching.NOBODY}, {"rated": True}])
async def test_nobody_is_invited_into_a_match_that_lets_nobody_in(
    site: Site, shut: dict[str, Any]
) -> None:
    anne = await Guest.come(site.address, "Anne")
    await anne.join(await anne.open_table(setup=one_deal_table(access=Access.LINK)))
    assert (await anne.do(Start())).ok
    state = (await site.live(anne.table)).state
    assert inviting_refusal(state, anne.person) == ""
    state = replace(state, setup=replace(state.setup, **shut))
    assert inviting_refusal(state, anne.person) == "nobody_invited"
    assert inviting_refusal(replace(state, match=None), anne.person) == ""


@pytest.mark.parametrize(
    ("access", "open_seats", "host", "player", "stranger"),
    [
        (Access.PUBLIC, OpenSeats.ALL, "", "", "players_invite"),
        (Access.LINK, OpenSeats.FREE, "", "", "players_invite"),
        (Access.PUBLIC, OpenSeats.INVITED, "", "host_invites", "players_invite"),
        (Access.PRIVATE, OpenSeats.ALL, "", "host_invites", "players_invite"),
        (Access.PASSWORD, OpenSeats.ALL, "", "host_invites", "players_invite"),
    ],
)
def test_a_player_invites_where_the_address_is_enough_and_the_host_everywhere(
    access: Access, open_seats: OpenSeats, host: str, player: str, stranger: str
) -> None:
    setup = replace(one_deal_table(), access=access, open_seats=open_seats)
    seats = (Seat(person="h", name="H"), Seat(person="p", name="P"), Seat(), Seat())
    state = TableState(version=1, setup=setup, host="h", host_name="H", seats=seats)
    assert [inviting_refusal(state, each) for each in "hps"] == [host, player, stranger]
