"""Talk at tables, over real connections: readers, languages, limits of speed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from kit import Guest, Site, SiteWith
from kit.names import PILED
from kit.talking import Talker, as_json, reason
from msgspec.structs import replace

from volte.rules import make_ruleset
from volte.store.writer import insert
from volte.table import Setup, Talk
from volte.table.commands import Change, Sit, Stand, Start
from volte.talk.service import AT_ONCE, LONGEST_SAYING, TalkService
from volte.talk.store import MEASURES, Measure, TalkStore

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


async def seated(site: Site, talk: Talk = Talk.ALL) -> tuple[Talker, Talker, Talker]:
    """Ann and Bob at a table, where Cléo watches; Bob and Cléo speak French."""
    ann = await Talker.come(site.address, "Ann")
    bob = await Talker.come(site.address, "Bob", "fr")
    cleo = await Talker.come(site.address, "Cléo", "fr")
    table = await ann.open_table(("", "casual", "casual"), Setup("Table", RULES, talk=talk))
    for each in (ann, bob, cleo):
        await each.join(table)
    assert (await bob.do(Sit(1))).ok
    return ann, bob, cleo


async def test_everybody_reads_a_phrase_in_their_own_language(site: Site) -> None:
    ann, bob, cleo = await seated(site)
    assert not reason(await ann.speak(phrase="well_played"))
    assert not reason(await bob.speak("Merci à tous !"))
    await ann.hears("Well played!", "Merci à tous !")
    await bob.hears("Bien joué\u00a0!", "Merci à tous !")
    await cleo.hears("Bien joué\u00a0!", "Merci à tous !")
    first = ann.spoken[0]
    assert (first.number, first.room, first.person, first.name, first.phrase) == (
        *(1, "table", ann.person, "Ann", "well_played"),
    )


async def test_while_a_match_is_played_watchers_talk_among_themselves(site: Site) -> None:
    ann, bob, cleo = await seated(site)
    dora = await Talker.come(site.address, "Dora")
    await dora.join(cleo.table)
    assert not reason(await cleo.speak("before the match"))
    assert (await ann.do(Start())).ok
    assert reason(await cleo.speak("to the players")) == "players_talk"
    assert not reason(await cleo.speak("to Dora", room="watchers"))
    assert reason(await ann.speak("to them", room="watchers")) == "watchers_talk"
    assert not reason(await ann.speak("to all"))
    await dora.hears("before the match", "to Dora", "to all")
    await ann.hears("before the match", "to all")
    await bob.come_back()
    await bob.hears("before the match", "to all")
    assert (await bob.do(Stand())).ok
    assert not reason(await dora.speak("now to Bob too", room="watchers"))
    await bob.hears("before the match", "to all", "now to Bob too")
    await ann.come_back()
    await ann.hears("before the match", "to all")


async def test_the_line_about_those_who_watch_follows_mutes(site: Site) -> None:
    """It follows at once, since a name can be an insult as well."""
    _, bob, cleo = await seated(site)
    assert not reason(await cleo.speak("hello"))
    await bob.join(told=True)
    await bob.until(lambda: bob.scenes[-1].watching == "Spectateurs : Cléo")
    assert not reason(await bob.mute(cleo))
    await bob.until(lambda: bob.scenes[-1].watching == "1 personne regarde")
    assert not reason(await bob.mute(cleo, on=False))
    await bob.until(lambda: bob.scenes[-1].watching == "Spectateurs : Cléo")


@pytest.mark.full
async def test_whoever_comes_reads_what_was_said_last_and_whoever_comes_back_what_is_new(
    site: Site,
) -> None:
    ann, bob, _ = await seated(site)
    await bob.leave()
    for line in ("one", "two"):
        assert not reason(await ann.speak(line))
    await bob.come_back()
    await bob.hears("one", "two")
    assert bob.welcome is not None
    assert bob.welcome.talked == 2
    await bob.come_back()
    assert not reason(await ann.speak("three"))
    await bob.hears("one", "two", "three")


async def test_the_same_message_is_said_once(site: Site) -> None:
    ann, bob, _ = await seated(site)
    for _ in range(10):
        assert not reason(await ann.speak("once", asking="same"))
    site.room[TalkService]._answered.clear()  # as another process, or the same begun anew
    assert not reason(await ann.speak("once", asking="same"))
    assert not reason(await bob.speak("mine", asking="same"))
    await bob.hears("once", "mine")


async def test_nobody_reads_whom_they_have_muted_here_or_elsewhere(site: Site) -> None:
    ann, bob, cleo = await seated(site)
    answer = await bob.mute(ann)
    assert not reason(answer)
    assert "Ann" in answer.lines[0]
    assert not reason(await ann.speak("unread"))
    assert not reason(await cleo.speak("read"))
    await bob.hears("read")
    await cleo.hears("unread", "read")
    await bob.come_back()
    other = await ann.open_table(("", "", ""), Setup("Other", RULES))
    await ann.join(other)
    await bob.join(other)
    assert not reason(await ann.speak("unread here as well"))
    assert not reason(await bob.mute(ann, on=False))
    assert not reason(await ann.speak("read again"))
    await bob.hears("read", "read again")
    assert reason(await bob.mute(bob)) == "own_saying"
    assert reason(await bob.mute(await Guest.come(site.address))) == "not_at_table"


@pytest.mark.full
async def test_a_host_decides_what_may_be_said(site: Site) -> None:
    ann, bob, _ = await seated(site)
    for talk, phrase, text in (
        (Talk.PHRASES, "", "phrases_only"),
        (Talk.NOBODY, "talk_off", "talk_off"),
        (Talk.ALL, "", ""),
    ):
        assert ann.state is not None
        assert (await ann.do(Change(replace(ann.state.setup, talk=talk)))).ok
        assert reason(await bob.speak(phrase="hello")) == phrase
        assert reason(await bob.speak("hello")) == text


TEXTS = {
    "": "nothing_said",
    " \t\n ": "nothing_said",
    "\u3164\u200b": "nothing_said",
    "x" * (LONGEST_SAYING + 1): "saying_too_long",
    "a\x00b": "bad_sign",
    PILED: "too_many_marks",
    "x" * LONGEST_SAYING: "",
    "«\u00a0Bravo\u00a0!\u00a0» 👩\u200d🚀 <b>&amp;": "",
}


async def test_what_is_said_is_one_line_that_can_be_shown(site: Site) -> None:
    ann = await Talker.at_table(site.address)
    for text, wrong in TEXTS.items():
        assert reason(await ann.speak(text)) == wrong, text
    assert not reason(await ann.speak(" a\nb "))
    said = [text for text, wrong in TEXTS.items() if not wrong]
    await ann.hears(*said, "a b")


@pytest.mark.full
async def test_what_is_no_saying_is_answered(site: Site) -> None:
    ann = await Talker.at_table(site.address)
    no_sayings: tuple[dict[str, Any], ...] = (
        *({"room": "cellar"}, {"room": "table", "phrase": "x" * 41}),
        *({"room": "table", "text": 1}, {"text": "no room"}),
    )
    for fields in no_sayings:
        asking = ann.next_id()
        asked = as_json("speak", id=asking, **fields)
        assert reason(await ann.say(asking, asked)) == "malformed"
    assert reason(await ann.speak(phrase="abracadabra")) == "no_such_phrase"
    await ann.send('{"say":"speak","id":"1","room":"table","text":"\\ud800"}')
    await ann.until(lambda: [each.reason for each in ann.notices] == ["malformed"])


@pytest.mark.full
async def test_nobody_talks_faster_than_others_can_follow(site: Site) -> None:
    ann, bob, _ = await seated(site)
    said = [reason(await ann.speak(f"line {count}")) for count in range(AT_ONCE + 3)]
    assert said[:AT_ONCE] == [""] * AT_ONCE
    assert "talk_too_fast" in said
    assert not reason(await bob.speak("I may"))


@pytest.mark.full
async def test_a_minute_has_room_for_so_much(site_with: SiteWith) -> None:
    site = await site_with(sayings_per_minute=2)
    ann, _, _ = await seated(site)
    said = [reason(await ann.speak("again")) for _ in range(3)]
    assert said == ["", "", "talk_too_fast"]


async def test_whoever_has_lost_speech_hears_why_and_until_when(site: Site) -> None:
    ann, bob, _ = await seated(site)
    talk = site.room.store[TalkStore]
    for_good = Measure("m", bob.person, "silence", "Soyez aimable.", "mod", "", 1.0)
    await measured(site, replace(for_good, id="n", until=32503676400.0))
    answer = await bob.speak("hello")
    assert reason(answer) == "silenced"
    assert "2999" in answer.lines[0] or "3000" in answer.lines[0]
    await measured(site, for_good)
    answer = await bob.speak("hello")
    assert reason(answer) == "silenced_for_good"
    assert "Soyez aimable." in answer.lines[0]
    await talk.lift("m", "mod", "enough")
    await talk.lift("n", "mod", "enough")
    assert not reason(await bob.speak("thank you"))
    await ann.hears("thank you")


async def test_a_measure_is_told_at_the_table_once(site: Site) -> None:
    _, bob, cleo = await seated(site)
    warning = Measure("w", bob.person, "warning", "Soyez aimable.", "mod", "", 1.0)
    await measured(site, warning)
    await bob.until(lambda: bob.notices)
    assert [(each.reason, each.line) for each in bob.notices] == [
        ("measure", "Avertissement de la modération\u00a0: Soyez aimable.")
    ]
    while bob.person in site.room[TalkService].untold:  # until it is kept that he has read it
        await asyncio.sleep(0.01)
    await bob.come_back()
    assert reason(await bob.speak(phrase="sorry")) == ""
    assert len(bob.notices) == 1
    assert not cleo.notices
    gone = Measure("g", cleo.person, "warning", "Soyez là.", "mod", "", 1.0)
    await cleo.leave()
    await measured(site, gone)
    await cleo.come_back()
    await cleo.until(lambda: cleo.notices)


async def measured(site: Site, measure: Measure) -> None:
    """Store a measure, as a moderator would."""
    await site.room.store[TalkStore]._write(insert(MEASURES, measure))
    await site.room[TalkService].measures_changed(measure.person)
