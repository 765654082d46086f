"""Passkeys and challenges, as both databases keep them."""

from __future__ import annotations

import asyncio
import time

import pytest
from kit.postgres import on_both
from msgspec.structs import replace
from sqlalchemy import select

from volte.people.store import CHALLENGES, Passkey, Passkeys, passkey_gone
from volte.store import Conflict, Gone, Person
from volte.store.store import Store

ANN = Person("ann", "Anne", "fr", {}, 12.5)
BOB = Person("bob", "Bob", "en", {}, 13.0)
KEY = Passkey(b"\x00\xffkey", "ann", b"public", 3, "Téléphone", 20.0)


@on_both
async def test_a_challenge_is_taken_once_by_one_of_two_processes(
    store: Store, other: Store
) -> None:
    challenge = await store[Passkeys].challenge("sign in")
    tries = [each[Passkeys].take(challenge, "sign in") for each in (store, other, store, other)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(each, Conflict) for each in outcomes) == 3


async def test_a_challenge_is_for_what_it_was_made_and_for_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge = await store[Passkeys].challenge("make ann")
    for other in ("make bob", "sign in", ""):
        with pytest.raises(Conflict):
            await store[Passkeys].take(challenge, other)
    await store[Passkeys].take(challenge, "make ann")
    monkeypatch.setattr("volte.people.store.CHALLENGE_LASTS", -1.0)
    late = await store[Passkeys].challenge("make ann")
    with pytest.raises(Conflict):
        await store[Passkeys].take(late, "make ann")
    monkeypatch.undo()
    last = await store[Passkeys].challenge("make ann")
    await store.sweep(time.time())
    kept = await store._reader.rows(select(CHALLENGES.c.challenge))
    assert [row.challenge for row in kept] == [last]  # the others are forgotten


async def test_a_passkey_is_its_owners_alone_and_known_once(store: Store) -> None:
    with pytest.raises(Gone):
        await store[Passkeys].add(KEY)  # there is no Anne yet
    await store.put_person(ANN)
    await store.put_person(BOB)
    await store[Passkeys].add(KEY)
    theirs = replace(KEY, person="bob")
    with pytest.raises(Conflict):
        await store[Passkeys].add(theirs)
    await store[Passkeys].rename(theirs, "Mine")
    await store.write(passkey_gone(theirs))
    assert await store[Passkeys].of("ann") == [KEY]
    assert await store[Passkeys].of("bob") == []
    await store[Passkeys].rename(KEY, "Clé")
    found = await store[Passkeys].find(KEY.id)
    assert found == replace(KEY, name="Clé")
    told = await store[Passkeys].export("ann")
    assert told == {"passkeys": [{"name": "Clé", "made": 20.0, "used": None}]}
    await store.write(passkey_gone(KEY))
    assert await store[Passkeys].find(KEY.id) is None


async def test_the_count_of_a_passkey_only_grows_unless_it_never_counts(store: Store) -> None:
    await store.put_person(ANN)
    await store[Passkeys].add(KEY)
    before = time.time()
    await store[Passkeys].use(KEY, 2**32 - 1)
    for count in (2**32 - 1, 4, 0):
        with pytest.raises(Conflict):
            await store[Passkeys].use(KEY, count)
    (kept,) = await store[Passkeys].of("ann")
    assert kept.sign_count == 2**32 - 1
    assert kept.used is not None
    assert kept.used >= before
    copied = replace(KEY, id=b"in step", sign_count=0)
    await store[Passkeys].add(copied)
    await store[Passkeys].use(copied, 0)
    await store[Passkeys].use(copied, 0)
    await store.write(passkey_gone(copied))
    with pytest.raises(Conflict):
        await store[Passkeys].use(copied, 0)


async def test_of_two_uses_with_the_same_count_one_is_kept(store: Store, other: Store) -> None:
    await store.put_person(ANN)
    await store[Passkeys].add(KEY)
    uses = [each[Passkeys].use(KEY, 4) for each in (store, other)]
    outcomes = await asyncio.gather(*uses, return_exceptions=True)
    assert outcomes.count(None) == 1
