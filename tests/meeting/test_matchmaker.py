"""The matchmaker of one node: people who press come together, whatever they do meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count

import pytest
from kit.meeting import HEARTS, MARIA, Stranger, exclude, parted, people_at
from kit.sites import Site, until

from volte.meeting import matchmaker, patience
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.seeks import Wish
from volte.meeting.store import Seeks
from volte.server.tables.departing import Departures
from volte.table import commands as cmd
from volte.talk.company import Avoided
from volte.web.refused import Refused

NUMBERS = count()

Come = Callable[..., Awaitable[list[Stranger]]]


@pytest.fixture
async def come(site: Site) -> AsyncIterator[Come]:
    """People of those names who have not pressed yet, and who leave at the end."""
    everybody, number = list[Stranger](), next(NUMBERS)

    async def come(*names: str, plays: bool = False) -> list[Stranger]:
        numbered = (f"{name} {number}" for name in names)
        people = await Stranger.come([site], *numbered, plays=plays)
        everybody.extend(people)
        return people

    yield come
    await parted(*everybody)
    await until(lambda: _nobody(site))


async def _nobody(site: Site) -> bool:
    return not await site.room.store[Seeks].all({})


async def asking(site: Site, come: Come) -> tuple[Stranger, Stranger]:
    """Anne in the middle of a deal, and Bert, who has pressed after her and waits for its end at a
    table of his own."""
    anne, bert = await come("Anne", "Bert")
    await anne.press()
    await anne.dealt()
    await anne.act()
    await bert.press()
    await until(lambda: _asks(site, bert, anne.table))
    return anne, bert


def _asks(site: Site, who: Stranger, table: str) -> bool:
    live = site.room.lobby.living(table)
    return live is not None and any(seat.asker == who.who.id for seat in live.state.seats)


async def test_whoever_presses_second_is_seated_at_once_where_nobody_has_passed(
    site: Site, come: Come
) -> None:
    anne, bert = await come("Anne", "Bert")
    table = await anne.press()
    await anne.dealt()
    assert await bert.press() == table
    assert not bert.opened
    await bert.dealt()
    assert people_at([site], table) == [anne.who.id, bert.who.id]


async def test_whoever_comes_in_the_middle_of_a_deal_plays_with_bots_until_it_is_over(
    site: Site, come: Come
) -> None:
    anne, bert = await asking(site, come)
    own = bert.table
    await bert.dealt()
    waiting = bert.waiting()
    assert bert.opened == [own]
    assert waiting is not None
    assert (waiting.joins, waiting.names) == (anne.table, (anne.who.name,))
    await anne.play_on()
    await bert.at(anne.table)
    assert bert.went == [own, anne.table]
    assert people_at([site], anne.table) == [anne.who.id, bert.who.id]
    listing = await site.room.store.listing(own)
    assert listing is not None
    assert listing.state == "closed"
    live = await site.live(anne.table)
    assert not any(seat.stand_in for seat in live.state.seats)


async def test_four_who_press_fill_one_table_and_the_fifth_opens_another(
    site: Site, come: Come
) -> None:
    people = await come("Anne", "Bert", "Cara", "Dora", "Emma")
    tables = [await each.press(begin=False) for each in people]
    assert len({*tables[:4]}) == 1
    assert people[4].opened == [tables[4]]


async def test_whoever_stops_stays_where_they_are_and_asks_for_nothing_any_more(
    site: Site, come: Come
) -> None:
    anne, bert = await asking(site, come)
    await bert.matchmaker().stop(bert.who.id)
    await until(lambda: _over(bert))
    assert not _asks(site, bert, anne.table)
    assert bert.waiting() is None
    assert bert.seated
    assert bert.went == bert.opened


async def test_whoever_leaves_the_page_is_soon_waited_for_no_longer(
    site: Site, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bert = await asking(site, come)
    await bert.leave()
    assert await bert.seek() is not None  # they may be back at once
    monkeypatch.setattr(patience, "GRACE", 0.0)
    monkeypatch.setattr(matchmaker, "EVERY", 0.05)
    await site.room[Matchmaker].look()
    await until(lambda: _over(bert))
    assert not _asks(site, bert, anne.table)
    assert await anne.seek() is not None


async def test_nobody_waits_for_the_end_of_a_deal_that_nobody_plays(
    site: Site, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bert = await asking(site, come)
    monkeypatch.setattr(patience, "PATIENCE", 0.0)
    monkeypatch.setattr(matchmaker, "EVERY", 0.05)
    await site.room[Matchmaker].look()
    await anne.at(bert.table)  # where nobody has passed yet


async def test_a_press_in_two_browsers_opens_one_table(site: Site, come: Come) -> None:
    (anne,) = await come("Anne")
    tables = await asyncio.gather(*(anne.press(stay=False) for _ in range(20)))
    assert [*{*tables}] == anne.opened
    assert await anne.press() == tables[0]
    assert len(anne.opened) == 1


async def test_somebody_whose_presses_take_long_holds_up_nobody(site: Site, come: Come) -> None:
    """Twenty presses at once, whose table is not open yet when another one sits down."""
    anne, bert, hasty = await come("Anne", "Bert", "Max")
    table = await anne.press(Wish(HEARTS))
    await anne.dealt()
    may = asyncio.Event()

    async def opened(_: str) -> str:
        await may.wait()
        raise Refused(429, "too_many", seconds=60)

    presses = (anne.matchmaker().seek(hasty.who, Wish(MARIA), opened) for _ in range(20))
    pressing = asyncio.gather(*presses, return_exceptions=True)
    await until(hasty.seek)
    assert await bert.press(Wish(HEARTS)) == table
    await bert.dealt()
    may.set()
    assert {type(each) for each in await pressing} == {Refused}


async def test_whoever_may_open_no_table_seeks_nothing(site: Site, come: Come) -> None:
    (anne,) = await come("Anne")

    async def refuse(_: str) -> str:
        raise Refused(429, "too_many", seconds=60)

    with pytest.raises(Refused):
        await anne.matchmaker().seek(anne.who, Wish(), refuse)
    assert await anne.seek() is None
    await anne.press()
    assert len(anne.opened) == 1


async def test_of_somebody_who_is_deleted_nothing_is_left_at_any_table(
    site: Site, come: Come
) -> None:
    anne, bert = await asking(site, come)
    person = await site.room.store.person(bert.who.id)
    assert person is not None
    await site.room[Departures].forget(person)
    await until(lambda: not _asks(site, bert, anne.table))
    assert await bert.seek() is None
    listing = await site.room.store.listing(bert.table)
    assert listing is not None
    assert listing.state == "closed"


async def test_whoever_is_on_the_way_to_a_table_that_closes_waits_on_where_they_are(
    site: Site, come: Come
) -> None:
    anne, bert = await asking(site, come)
    live = await site.live(anne.table)
    await live.do(anne.who, cmd.Close(), live.state.version)
    await until(lambda: _free(bert))
    assert await anne.seek() is None
    assert bert.seated
    (cara,) = await come("Cara")
    await bert.act()
    assert await cara.press()  # in the middle of Bert's deal
    await until(lambda: _asks(site, cara, bert.table))


async def test_whoever_closes_their_own_table_on_the_way_presses_again_and_has_another(
    site: Site, come: Come
) -> None:
    anne, bert = await asking(site, come)
    own = bert.table
    live = await site.live(own)
    await live.do(bert.who, cmd.Close(), live.state.version)
    await bert.leave()
    await bert.press()
    assert bert.opened == [own, bert.table]
    await anne.play_on()
    await bert.at(anne.table)


async def _free(who: Stranger) -> bool:
    seek = await who.seek()
    return seek is not None and not seek.joins


async def test_whoever_gets_company_where_they_are_stays_there(site: Site, come: Come) -> None:
    """Cara comes to Bert's table by the list, while he is on the way to Anne's.

    Anne may join them since.
    """
    anne, bert = await asking(site, come)
    live = await site.live(bert.table)
    await until(lambda: not live.state.touched)
    (cara,) = await come("Cara")
    reply = await live.do(cara.who, cmd.Sit(1), live.state.version)
    assert reply.refusal is None
    await until(lambda: not _asks(site, bert, anne.table))
    await until(lambda: _free(bert))
    assert {bert.who.id, cara.who.id} <= set(people_at([site], bert.table))


async def test_two_who_want_different_games_are_not_brought_together(
    site: Site, come: Come
) -> None:
    anne, bert, cara = await come("Anne", "Bert", "Cara")
    await anne.press(Wish(HEARTS), begin=False)
    await bert.press(Wish(MARIA), begin=False)
    assert bert.table != anne.table
    assert await cara.press(Wish(MARIA), begin=False) == bert.table


async def test_whoever_would_rather_not_meet_somebody_again_does_not_and_no_number_tells(
    site: Site, come: Come
) -> None:
    anne, bert = await come("Anne", "Bert")
    table = await anne.press()
    await anne.dealt()
    await bert.press()
    await bert.at(table)
    match = anne.matchmaker()
    assert [(each.id, each.avoided) for each in await match.companions(anne.who.id)] == [
        (bert.who.id, False)
    ]
    assert not await match.avoid(anne.who.id, "somebody else")
    assert await match.avoid(anne.who.id, bert.who.id)
    avoided = site.room.store[Avoided]
    assert await avoided.of(anne.who.id) == {bert.who.id: bert.who.name}
    assert await avoided.of(bert.who.id) == {}
    assert not (await match.companions(bert.who.id))[0].avoided
    await parted(anne, bert)

    await anne.press(begin=False)
    await bert.press(begin=False)
    assert len({anne.table, bert.table}) == 2
    await match.look()
    assert people_at([site], anne.table) == [anne.who.id]
    for each in (anne, bert):
        waiting = each.waiting()
        assert waiting is not None
        assert waiting.count == 1  # as if they could meet

    await match.take_back(anne.who.id, bert.who.id)
    await bert.at(anne.table)


async def test_whoever_is_on_the_way_to_somebody_who_avoids_them_now_stays_where_they_are(
    site: Site, come: Come
) -> None:
    anne, bert = await asking(site, come)
    store, own = site.room.store, bert.table
    await store[Avoided].avoid(anne.who.id, bert.who.id, "Bert")
    await store.bus.publish(matchmaker.CHANGED, "apart")
    await until(lambda: not _asks(site, bert, anne.table))
    await bert.at(own)


async def test_nobody_who_may_not_play_in_public_is_paired(site: Site, come: Come) -> None:
    anne, bert = await come("Anne", "Bert")
    await anne.press(Wish(HEARTS), begin=False)
    await bert.press(Wish(MARIA), begin=False)
    await exclude(site.room.store, bert.who.id)
    await anne.matchmaker().stop(anne.who.id)
    (cara,) = await come("Cara")
    await cara.press(begin=False)  # any game: one of the two would move
    await until(lambda: _over(bert))


async def _over(who: Stranger) -> bool:
    return await who.seek() is None


async def test_somebody_seeks_again_from_a_table_where_they_are_alone(
    site: Site, come: Come
) -> None:
    anne, bert = await come("Anne", "Bert")
    table = await anne.press(begin=False)
    await anne.matchmaker().stop(anne.who.id)
    assert await anne.matchmaker().seek(anne.who, Wish(), anne.fails, table) == table
    assert await bert.press(begin=False) == table
