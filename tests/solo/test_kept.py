"""A browser keeps every card before it is told, and reads back whatever was kept."""

from __future__ import annotations

import asyncio
import random
from typing import Final

import pytest
from kit.live import Player, over, refused, until
from kit.solo import SOUTH, OpenRoom, SlowKeeper, begun

from volte.solo.keeper import KeptChange, MemoryKeeper
from volte.solo.kept import DamagedStream, KeptStore
from volte.solo.room import ME
from volte.store import Conflict, Listing, MatchRow
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.viewpoints import Update

LISTING: Final = Listing("t", "Chez Ann", ME, "private", "waiting")
MATCH: Final = MatchRow("m", "t", 2, b"m" * 32, 5.0, (ME, "", ""))


class Witness(Player):
    """Somebody who hears of nothing that a crash could still undo."""

    def __init__(self, keeper: SlowKeeper, live: LiveTable) -> None:
        self.keeper = keeper
        self.crashes: dict[int, dict[str, str]] = {}  # texts at each update, by its last happening
        super().__init__(live, SOUTH)

    def _take(self, update: Update) -> None:
        self.crashes[update.last] = self.keeper.all
        assert f"entry/{self.table.id}/{update.last:06}/" in self.keeper.all
        super()._take(update)


async def test_a_card_is_told_once_it_is_kept_and_a_crash_at_any_one_loses_none(
    room_over: OpenRoom,
) -> None:
    keeper = SlowKeeper()
    live = await begun(room_over(keeper))
    witness = Witness(keeper, live)
    await over(live)
    await witness.up_to_date()
    end = live.state
    for version in random.Random(5).sample(sorted(witness.crashes), 3):
        room = room_over(SlowKeeper(witness.crashes[version]))
        again = await room.find(live.id)
        assert again is not None
        assert again.state.version >= version
        Player(again, SOUTH)
        await over(again)
        assert (await room.tables())[0].state == "waiting"
    assert end == live.state


async def test_nothing_is_acknowledged_before_it_is_kept(room_over: OpenRoom) -> None:
    keeper = SlowKeeper()
    live = await begun(room_over(keeper), pass_count=0)
    player = Player(live, SOUTH)
    player.plays = False
    await until(lambda: player.view.my_turn)
    keeper.lets.clear()
    version, asked = live.state.version, keeper.asked
    playing = asyncio.create_task(player.play_on())
    await until(lambda: keeper.asked > asked)
    await asyncio.sleep(0)
    assert (live.state.version, player.state.version, playing.done()) == (version, version, False)
    keeper.lets.set()
    await playing
    assert player.replies[-1].refusal is None


async def test_without_room_nothing_is_acknowledged_and_the_match_goes_on_once_there_is(
    room_over: OpenRoom,
) -> None:
    keeper = SlowKeeper()
    live = await begun(room_over(keeper), pass_count=0)
    player = Player(live, SOUTH)
    player.plays = False
    await until(lambda: player.view.my_turn)
    action = player.chosen(0, player.match)
    assert action is not None
    keeper.full, version, kept = True, live.state.version, keeper.all
    assert await refused(live, SOUTH, cmd.Act(action)) == "not_saved"
    await until(lambda: player.notices == ["not_saved"])
    assert (live.state.version, keeper.all) == (version, kept)
    keeper.full = False
    await until(lambda: player.notices == ["not_saved", "saved"])
    await player.play_on()
    await over(live)


async def test_only_the_last_version_can_be_gone_on_from_and_a_change_is_whole() -> None:
    keeper = MemoryKeeper()
    store = KeptStore(keeper)
    await store.append("t", 0, [b"1", b"2"], cause="me:1")
    before = await keeper.texts("")
    for expected in (0, 1, 3):
        with pytest.raises(Conflict):
            await store.append("t", expected, [b"9"], listing=LISTING, matches=[MATCH])
        with pytest.raises(Conflict):
            await store.append("t", expected, [], listing=LISTING)
    assert await keeper.texts("") == before
    await store.append("t", 2, [b"3"], listing=LISTING, matches=[MATCH])
    await store.append("tt", 0, [b"4"])
    read = await store.read("t")
    assert [(each.version, each.data, each.cause) for each in read] == [
        *((1, b"1", "me:1"), (2, b"2", "me:1"), (3, b"3", "")),
    ]
    assert await store.read("t", 1, 2) == read[1:2]
    assert await store.listing("t") == LISTING
    assert await store.matches_at("t") == [MATCH]
    await keeper.keep(KeptChange(forgotten=("entry/t/000002/",)))
    with pytest.raises(DamagedStream):  # a gap
        await store.read("t")
    await store.forget("t")
    assert list(await keeper.texts("")) == ["entry/tt/000001/"]


@pytest.mark.parametrize(
    ("damaged", "text"),
    [
        ("listing/{}/", "{"),
        ("match/{}/000006/", "[]"),
        ("entry/{}/000007/", '{"data": {"event": "Nothing"}, "cause": "", "at": 1}'),
        ("entry/{}/000007/", "[" * 100_000),
        ("entry/{}/000007/", None),  # a gap
    ],
)
async def test_a_table_that_cannot_be_read_is_set_aside_whole_until_another_version_comes(
    room_over: OpenRoom, damaged: str, text: str | None
) -> None:
    keeper = SlowKeeper()
    room = room_over(keeper)
    live, other = await begun(room), await begun(room)
    await room.lobby.close()
    texts = keeper.all
    key = damaged.format(live.id)
    texts = {name: kept for name, kept in texts.items() if name != key}
    texts |= {} if text is None else {key: text}
    told = list[None]()
    keeper = SlowKeeper(texts)
    room = room_over(keeper)
    room.store.aside = lambda: told.append(None)
    assert live.id not in {each.table for each in await room.tables()} or told == []
    assert await room.find(live.id) is None
    assert await room.find(other.id) is not None
    assert [each.table for each in await room.tables()] == [other.id]
    assert len(told) == 1
    aside = {name.split("/", 2)[2]: kept for name, kept in (await keeper.texts("aside/")).items()}
    assert aside == {name: kept for name, kept in texts.items() if live.id in name}
    await room.store.try_again("another version")
    assert keeper.all == texts | {"version": "another version"}


async def test_a_person_who_cannot_be_read_is_set_aside_for_a_new_one_who_stays(
    room_over: OpenRoom,
) -> None:
    keeper = SlowKeeper({"person/me/": "Zoé"})
    room = room_over(keeper)
    person = await room.person()
    await room.store.try_again("another version")
    assert await room.person() == person
    assert (person.id, person.name, person.lang) == (ME, "South", "en")
    assert "Zoé" in (await keeper.texts("aside/")).values()
    assert await room_over(SlowKeeper(keeper.all)).person() == person
