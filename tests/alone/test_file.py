"""A file of matches and score sheets is read back as it was written; any other changes nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kit import few
from kit.live import QUICK, Player, done, over
from kit.matches import keep, played
from kit.presets import TABLES, short
from kit.sheets import NAMES, hearts, rules_of
from kit.solo import SOUTH, OpenRoom, begun

from volte.alone import file
from volte.alone.file import MatchesFileFault, packed, unpacked
from volte.alone.sheets import KeptSheets
from volte.alone.taking import taken
from volte.fair import House
from volte.scorekeeper import model
from volte.scorekeeper.web.sheets import StoredSheet
from volte.solo.keeper import KeptChange, MemoryKeeper
from volte.solo.kept import KeptStore
from volte.solo.room import ME, SoloRoom
from volte.store import Person
from volte.table import commands as cmd

Forgery = Callable[[Any], object]
REASONS: Final = (
    *("not_matches_file", "matches_file_damaged", "sheets_file_damaged"),
    *("matches_file_too_large", "matches_file_newer"),
)
OPEN: Final = model.Open(rules_of("coeurs-moyenne"), NAMES[:4], stake="0.25", currency="EUR")
DEALS: Final = (hearts("13 0 0 0", queen=1), hearts("3 4 6 -", queen=1))


async def written_on(store: KeptStore) -> StoredSheet:
    """A sheet of real cards, with lots that were drawn by a seal."""
    sheets = KeptSheets(store)
    stored = await sheets.open(ME, OPEN)
    stored = await sheets.draw(stored, stored.version, "me:0")
    for number, deal in enumerate(DEALS, 1):
        stored = await sheets.do(stored, stored.version, f"me:{number}", model.Enter(deal))
    return stored


@pytest.fixture(scope="module")
def carried() -> bytes:
    """A file with a sheet of real cards, and a table where one match is over, and another goes
    on."""

    async def carried() -> bytes:
        room = SoloRoom(KeptStore(MemoryKeeper()), "en", QUICK, lambda: House.from_seed(1))
        live = await begun(room)
        player = Player(live, SOUTH)
        await over(live)
        player.plays = False
        await done(live, SOUTH, cmd.Start())
        await player.up_to_date()
        await room.lobby.close()
        await written_on(room.store)
        data, left = await packed(room.store)
        assert left == 0
        tables = (await unpacked(data)).streams
        assert [*tables[0].matches] == await room.store.matches_at(live.id)
        return data

    return asyncio.run(carried())


def refused(data: bytes, *reasons: str) -> None:
    with pytest.raises(MatchesFileFault) as found:
        asyncio.run(unpacked(data))
    assert found.value.reason in reasons


async def test_what_is_packed_is_read_back_and_what_is_there_stays(room_over: OpenRoom) -> None:
    room = room_over(MemoryKeeper())
    live = await begun(room, irregularities="refereed")
    Player(live, SOUTH)
    await over(live)
    full, empty = room.store, MemoryKeeper()
    for name, seats in random.Random(1).sample(TABLES, few(3, len(TABLES))):
        await keep(full, SOUTH, played(short(name, seats, 1), name="South"))
    stored = await written_on(full)
    data, left = await packed(full)
    assert left == 0
    found = (await unpacked(data)).streams
    taking = KeptStore(empty)
    assert await taking.add(found) == len(found)
    assert await taking.listings() == await full.listings()
    for each in found:
        there = await taking.read(each.listing.table)
        assert [entry.data for entry in there] == [*each.log]
    again = await KeptSheets(taking).find(stored.id)
    assert (again.sheet, again.house.master) == (stored.sheet, stored.house.master)
    kept = await empty.texts("")
    assert await taking.add((await unpacked(data)).streams) == 0
    assert await empty.texts("") == kept


async def test_a_match_taken_in_goes_on_at_the_card_where_it_was_left(
    room_over: OpenRoom, carried: bytes
) -> None:
    room = room_over(MemoryKeeper())
    tables = (await unpacked(carried)).streams
    await room.store.add(tables)
    live = await room.find(tables[0].listing.table)
    assert live is not None
    assert live.state.under_way
    Player(live, SOUTH)
    await over(live)


async def test_a_match_with_the_cards_of_the_last_one_comes_along_and_deals_them(
    room_over: OpenRoom,
) -> None:
    room = room_over(MemoryKeeper())
    live = await begun(room)
    player = Player(live, SOUTH)
    await over(live)
    before = live.state.dealt
    player.plays = False
    await done(live, SOUTH, cmd.DealAgain())
    await player.up_to_date()
    await room.lobby.close()
    tables = (await unpacked((await packed(room.store))[0])).streams
    other = room_over(MemoryKeeper())
    await other.store.add(tables)
    again = await other.find(live.id)
    assert again is not None
    assert again.state.under_way
    match = again.state.match
    assert match is not None
    assert match.cards is not None
    assert match.cards.match == (await other.store.matches_at(live.id))[0].id
    Player(again, SOUTH)
    await over(again)
    assert [each.hands for each in again.state.dealt] == [each.hands for each in before]
    assert await unpacked((await packed(other.store))[0])


async def test_a_person_and_their_settings_come_along_to_a_browser_that_has_nobody(
    room_over: OpenRoom, carried: bytes
) -> None:
    """Settings that this version does not have, or take, are left out."""
    made = json.loads(gzip.decompress(carried))
    chosen = {"verbosity": "terse", "bot_pace": "1200", "key_hint": "Z", "sounds": "off"}
    wrong = {"verbosity": "shouted", "new": "on", "lang": "fr", "key_table": "Z"}
    made["person"] = {"name": "Zoé", "lang": "fr", "settings": chosen}
    person = (await unpacked(packed_as(made))).person
    assert person is not None
    room = room_over(MemoryKeeper())
    await room.store.add((), person)
    assert await room.person() == person
    assert (person.name, person.lang) == ("Zoé", "fr")
    again = await unpacked((await packed(room.store))[0])
    assert again.person is not None
    assert again.person.settings == person.settings
    assert person.settings["verbosity"] == "terse"
    made["person"]["settings"] = chosen | wrong
    other = (await unpacked(packed_as(made))).person
    assert other is not None
    kept = {"bot_pace", "sounds"}
    assert other.settings == {name: person.settings[name] for name in kept}
    await room.store.add((), other)
    assert await room.person() == person


async def test_a_file_has_what_can_be_read_again_and_no_more(
    room_over: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = room_over(keeper := MemoryKeeper())
    for _ in range(3):
        await begun(room)
    await room.lobby.close()
    newest = (await room.tables())[0].table
    monkeypatch.setattr(file, "MOST_MATCHES", 1)
    data, left = await packed(room.store)
    assert left == 2
    assert [each.listing.table for each in (await unpacked(data)).streams] == [newest]
    await keeper.keep(KeptChange(kept={f"entry/{newest}/000001/": "{"}))  # damaged since
    data, left = await packed(room.store)
    assert left == 2
    assert newest not in [each.listing.table for each in (await unpacked(data)).streams]
    monkeypatch.setattr(file, "MOST_BYTES", 2000)
    data, left = await packed(room.store)
    assert (left, (await unpacked(data)).streams) == (3, ())


@given(st.data())
def test_a_file_that_is_cut_or_has_another_byte_is_not_read(
    carried: bytes, data: st.DataObject
) -> None:
    place = data.draw(st.integers(10, len(carried) - 1))
    refused(carried[:place], "not_matches_file")
    turned = carried[place] ^ data.draw(st.integers(1, 255))
    other = carried[:place] + bytes([turned]) + carried[place + 1 :]
    with suppress(OSError, EOFError, zlib.error):
        # Padding, or another way to write the same text, changes nothing.
        assume(gzip.decompress(other) != gzip.decompress(carried))
    refused(other, *REASONS)


@given(st.one_of(st.binary(), st.binary().map(gzip.compress)))
def test_any_other_file_is_not_read(data: bytes) -> None:
    refused(data, "not_matches_file")


def packed_as(made: object) -> bytes:
    return gzip.compress(made if isinstance(made, bytes) else json.dumps(made).encode())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"[" * 1_000_000, "not_matches_file"),
        (b'{"tables":' + b"[" * 1_000_000, "not_matches_file"),
        (b'{"tables":[' + b'{"a":' * 100_000, "not_matches_file"),
        (b" " * (file.MOST_BYTES + 1), "matches_file_too_large"),
        (b"0" * 10 * file.MOST_BYTES, "matches_file_too_large"),
        (
            json.dumps({"person": None, "tables": [None] * (file.MOST_MATCHES + 1)}).encode(),
            "not_matches_file",
        ),
    ],
)
def test_files_that_unfold_are_bounded(text: bytes, reason: str) -> None:
    packed = gzip.compress(text, 1)
    tracemalloc.start()
    refused(packed, reason)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * file.MOST_BYTES


def _forgeries() -> Iterator[tuple[str, str, Forgery]]:
    """Changes of a file, each with its name and the reason why the file is not read then."""

    def event(table: Any, kind: str, number: int = 0) -> Any:
        return [each for each in table["log"] if each["event"] == kind][number]

    def set_up(table: Any, **fields: object) -> None:
        table["log"][0]["setup"] |= fields

    def nested(table: Any) -> None:
        inner: Any = []
        for _ in range(500):
            inner = [inner]
        table["log"][1]["seat"] = inner

    for name, forge in {
        "a card of somebody else": lambda it: event(it, "Played").update(
            seat=event(it, "Played", 1)["seat"]
        ),
        "a card played twice": lambda it: event(it, "Played", 4).update(
            card=event(it, "Played")["card"]
        ),
        "an event of which no record tells": lambda it: it["log"].insert(
            it["log"].index(event(it, "PlayStarted")), event(it, "PlayStarted")
        ),
        "an event left out": lambda it: it["log"].remove(event(it, "Played", 7)),
        "points of one's own": lambda it: event(it, "DealScored").update(points=[0, 0, 0, 26]),
        "a seat of somebody else": lambda it: event(it, "Sat").update(person="anne"),
        "a seat that is not there": lambda it: event(it, "Sat").update(seat=-1),
        "a host from elsewhere": lambda it: event(it, "Opened").update(host="anne"),
        "a name without end": lambda it: event(it, "BotSat").update(name="x" * 10_000),
        "a rated table": lambda it: set_up(it, rated=True, hints=False),
        "rules of nobody": lambda it: it["log"][0]["setup"]["rules"].update(preset="poker"),
        "somebody sent away": lambda it: it["log"].append({"event": "Barred", "person": "me"}),
        "happenings of no kind": lambda it: it["log"].append({"event": "Won"}),
        "no beginning": lambda it: it["log"].pop(0),
        "no log": lambda it: it["log"].clear(),
        "nesting": nested,
        "a dealer's secret of another": lambda it: it["matches"][1].update(master="A" * 43 + "="),
        "a match too few": lambda it: it["matches"].pop(),
        "a match over too soon": lambda it: it["matches"][1].update(ended=5.0),
    }.items():
        yield name, "matches_file_damaged", forge
    for name, forge in {
        "an id with a path": lambda it: it.update(id="../../me"),
        "a time beyond all": lambda it: it.update(updated=1e300),
        "a field of no kind": lambda it: it.update(password="none"),
    }.items():
        yield name, "not_matches_file", forge


def _forged_sheets() -> Iterator[tuple[str, str, Forgery]]:
    """Changes of a sheet, each with its name and the reason why the file is not read then."""

    def entry(sheet: Any, kind: str, number: int = 0) -> Any:
        return [each for each in sheet["log"] if each["entry"] == kind][number]

    for name, forge in {
        "hearts that are not there": lambda it: entry(it, "Entered")["told"].update(queen=7),
        "another order of the lots": lambda it: entry(it, "Drawn")["order"].reverse(),
        "a secret that was not sealed": lambda it: entry(it, "Revealed").update(
            secret="A" * 43 + "="
        ),
        "an entry left out": lambda it: it["log"].remove(entry(it, "Sealed")),
        "an entry twice": lambda it: it["log"].append(it["log"][0]),
        "no entry": lambda it: it["log"].clear(),
        "an entry of no kind": lambda it: it["log"].append({"entry": "Won"}),
        "rules with a name without end": lambda it: it["log"][0]["rules"].update(name="x" * 99),
        "rules of nobody": lambda it: it["log"][0]["rules"].update(preset="poker"),
        "a name without end": lambda it: it["log"][0].update(names=["x" * 10_000, "B", "C", "D"]),
        "entries without end": lambda it: it["log"].extend(
            [{"entry": "Amended", "title": str(number)} for number in range(2000)]
        ),
    }.items():
        yield name, "sheets_file_damaged", forge
    yield "an id with a path", "not_matches_file", lambda it: it.update(id="a/000001/../me")


@pytest.mark.parametrize(
    ("part", "reason", "forge"),
    [
        *(pytest.param("tables", *each, id=name) for name, *each in _forgeries()),
        *(pytest.param("sheets", *each, id=name) for name, *each in _forged_sheets()),
    ],
)
def test_a_forged_file_is_not_read(carried: bytes, part: str, reason: str, forge: Forgery) -> None:
    made = json.loads(gzip.decompress(carried))
    forge(made[part][0])
    refused(packed_as(made), reason)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 3, "clubs": []}, "matches_file_newer"),
        ({"volte": "sheet"}, "not_matches_file"),
        ({"people": []}, "not_matches_file"),
        ({"person": {"name": "x" * 99, "lang": "fr", "settings": {}}}, "not_matches_file"),
        ({"person": {"name": "Zoé", "lang": "xx", "settings": {}}}, "not_matches_file"),
        ({"person": {"name": "Zoé", "lang": "fr", "settings": {"lang": 1}}}, "not_matches_file"),
    ],
)
def test_a_file_of_another_kind_is_not_read(
    carried: bytes, changes: dict[str, object], reason: str
) -> None:
    made = json.loads(gzip.decompress(carried))
    refused(packed_as(made | changes), reason)
    refused(packed_as(made | {"tables": made["tables"] * 2}), "matches_file_too_large")


async def test_everything_is_carried_to_another_browser_once(room_over: OpenRoom) -> None:
    room, other = room_over(MemoryKeeper()), room_over(MemoryKeeper())
    damaged = {"bot_pace": "x", "key_talk": 5, "theme": "dark"}
    await room.store.put_person(Person(ME, "Anne", "en", damaged, 1.0))
    await begun(room)
    stored = await written_on(room.store)

    async def ask(of: SoloRoom, **fields: str) -> tuple[int, Any]:
        sent = {name: [text] for name, text in fields.items()}
        found = await taken(of, "POST" if fields else "GET", sent)
        return found.status, json.loads(found.body) if found.status == 200 else found.body

    _, made = await ask(room)
    for broken in ("", "§", made["file"][:-8]):
        assert (await ask(other, file=broken, sure="yes"))[0] == 422
    assert await ask(other, file=made["file"]) == (200, {"count": 2, "fresh": 2})
    assert await other.store.listings() == []
    for fresh in (2, 0):
        found = await ask(other, file=made["file"], sure="yes")
        assert found == (200, {"count": 2, "fresh": fresh})
    assert len(await other.tables()) == 1
    assert (await KeptSheets(other.store).find(stored.id)).sheet == stored.sheet
    assert (await other.person()).settings == {"theme": "dark"}
