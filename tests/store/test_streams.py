"""Streams: appended entries are there, whole, in order, and once."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.deals import log_of
from kit.postgres import on_both

from volte.cards import CARDS, twin
from volte.game import MoonShot, TrickHeld, replay
from volte.referee import codec
from volte.rules import make_ruleset
from volte.store import Conflict, Entry, Listing, MatchRow
from volte.store.store import Store

LISTING = Listing("t", "Chez Ann", "ann", "public", "waiting")
MATCH = MatchRow("m", "t", 2, b"m" * 32, 5.0, ("ann", "", "bob"))
STORES = 3

Append = tuple[int, str, int, bool]
"""The store, the stream, the number of entries, and whether the expected version is stale."""

ROUNDS = st.lists(
    st.lists(
        st.tuples(
            st.integers(0, STORES - 1), st.sampled_from("ab"), st.integers(1, 3), st.booleans()
        ),
        min_size=1,
        max_size=5,
    ),
    min_size=1,
    max_size=4,
)
"""Rounds of appends that are made at the same time."""


def data(entries: list[Entry]) -> list[bytes]:
    return [entry.data for entry in entries]


async def test_what_was_appended_is_read(database: str) -> None:
    async with await Store.open(database) as store:
        await store.append("t", 0, [b"one", b"\x00\xff"], cause="ann:1")
        await store.append("t", 2, [b"three"])
        await store.append("other", 0, [b"elsewhere"])
        read = await store.read("t")
        assert [(entry.version, entry.data, entry.cause) for entry in read] == [
            (1, b"one", "ann:1"),
            (2, b"\x00\xff", "ann:1"),
            (3, b"three", ""),
        ]
        assert read[0].at <= read[2].at
        assert await store.read("t", after=2) == read[2:]
        assert await store.read("t", after=1, until=2) == read[1:2]
        assert await store.read("t", after=3) == await store.read("nothing") == []
    async with await Store.open(database) as store:
        assert await store.read("t") == read


async def test_only_the_last_version_can_be_gone_on_from(store: Store) -> None:
    await store.append("t", 0, [b"one", b"two"])
    for expected in (0, 1, 3, 10):
        with pytest.raises(Conflict):
            await store.append("t", expected, [b"wrong"])
        with pytest.raises(Conflict):
            await store.append("t", expected, [], listing=LISTING)
    assert data(await store.read("t")) == [b"one", b"two"]
    assert await store.listing("t") is None


@on_both
async def test_entries_listing_and_matches_are_kept_together_or_not_at_all(store: Store) -> None:
    await store.append("t", 0, [b"one"])
    with pytest.raises(Conflict):
        await store.append("t", 0, [b"other"], listing=LISTING, matches=[MATCH])
    assert await store.listing("t") is None
    assert await store.match("m") is None
    assert await store.matches_of("ann") == []
    await store.append("t", 1, [b"two"], listing=LISTING, matches=[MATCH])
    assert await store.listing("t") == LISTING
    assert await store.match("m") == MATCH
    assert data(await store.read("t")) == [b"one", b"two"]


async def test_a_listing_can_be_kept_without_entries(store: Store) -> None:
    await store.append("t", 0, [b"one"])
    await store.append("t", 1, [], listing=LISTING)
    assert await store.listing("t") == LISTING


@on_both
def test_of_several_stores_one_wins_each_version_and_no_version_is_left_out(database: str) -> None:
    """This holds for any appends at the same time, to any streams, with any expected versions."""
    numbers = count()

    async def play(stores: list[Store], rounds: list[list[Append]]) -> None:
        number = next(numbers)
        heads: Counter[str] = Counter()
        kept: dict[str, list[bytes]] = {"a": [], "b": []}
        for turn, appends in enumerate(rounds):
            tried = []
            for place, (store, stream, length, stale) in enumerate(appends):
                expected = heads[stream] + (-1 if stale else 0)
                entries = [f"{turn}:{place}:{step}".encode() for step in range(length)]
                if expected >= 0:
                    tried.append((store, stream, expected, entries))
            answers = await asyncio.gather(
                *(
                    stores[store].append(f"{stream}{number}", expected, entries)
                    for store, stream, expected, entries in tried
                ),
                return_exceptions=True,
            )
            winners: Counter[tuple[str, int]] = Counter()
            for (_, stream, expected, entries), answer in zip(tried, answers, strict=True):
                assert answer is None or isinstance(answer, Conflict)
                if answer is None:
                    winners[stream, expected] += 1
                    kept[stream] += entries
            due = {(stream, heads[stream]) for _, stream, at, _ in tried if at == heads[stream]}
            assert winners == dict.fromkeys(due, 1)
            heads = Counter({stream: len(entries) for stream, entries in kept.items()})
        for each in stores:
            for stream, entries in kept.items():
                read = await each.read(f"{stream}{number}")
                assert data(read) == entries
                assert [entry.version for entry in read] == list(range(1, len(entries) + 1))

    with asyncio.Runner() as runner:
        stores = [runner.run(Store.open(database)) for _ in range(STORES)]

        @settings(max_examples=settings().max_examples // 4)
        @given(rounds=ROUNDS)
        def law(rounds: list[list[Append]]) -> None:
            runner.run(play(stores, rounds))

        try:
            law()
        finally:
            for store in stores:
                runner.run(store.close())


async def test_a_match_of_the_wider_family_comes_back_as_it_was(database: str) -> None:
    """Two packs of few cards: tricks are held, and the queens make a moon that needs a choice."""
    few = ("2C", "3C", "4C", "5C", "6C", "QS")
    packs = [each for card in CARDS[:52] for each in (card, twin(card)) if card.text not in few]
    rules = make_ruleset(
        "cancellation",
        {
            "players": 6,
            "removed": [card.text for card in packs],
            "kitty": "none",
            "moon": "shooter_chooses",
            "no_tricks": -5,
            "match_end": "deals:12",
        },
    )
    log = log_of(rules, 1)
    assert {MoonShot, TrickHeld} <= set(map(type, log))

    async with await Store.open(database) as store:
        await store.append("t", 0, list(map(codec.encode, log)))
    async with await Store.open(database) as store:
        kept = [codec.decode_event(entry.data) for entry in await store.read("t")]
    assert kept == log
    assert replay(log).deals
