"""Conversations with people at a table: what each is told, shown and answered."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from kit import Guest, Player, play_on
from kit.neighbours import Neighbour, Neighbourhood
from kit.people import one_deal_table
from kit.talking import hello, reason

from volte.cards import CardFault
from volte.conversation import pace
from volte.conversation.ending import ConversationEnded
from volte.conversation.requests import hello_of
from volte.game import Dealt, Passed, Played, Revealed
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.say import Words
from volte.say.rulesheet.vocabulary import explained
from volte.scene.builder import PartCache
from volte.table import Setup, Watching
from volte.table.commands import AnswerSeat, Away, Back, Next, Pause, Sit, Stand, Start, Unpause
from volte.wire.messages import PROTOCOL, Ask, Heard, Hello, Question, Speak

KEEP = PartCache.once


def begun(player: Player, cards: int) -> bool:
    """Whether so many cards have been played."""
    match = player.match
    deal = match.deal if match is not None else None
    return deal is not None and len(deal.tricks) * deal.rules.players + len(deal.trick) >= cards


def heard(guest: Guest, *kinds: type) -> list[Any]:
    """The happenings of those kinds that somebody has been told."""
    return [each.happening for each in guest.told if isinstance(each.happening, kinds)]


# Hello


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "malformed") for text in ("{", "[]", b"\x00\xff")),
        ('{"say":"ask","id":"1","what":"hand"}', "malformed"),
        *((hello(seen=seen), "malformed") for seen in (-1, 2**53, "all")),
        *((hello(id=id), "malformed") for id in ("", "x" * 41)),
        (hello(protocol="1"), "malformed"),
        *((hello(protocol=each), "old_protocol") for each in (PROTOCOL + 1, 0, -1, 10**400)),
    ],
)
def test_whoever_does_not_say_hello_is_told_so(text: str | bytes, why: str) -> None:
    with pytest.raises(ConversationEnded) as end:
        hello_of(text, Words("en"))
    assert end.value.reason == why


# What is told, shown and answered


async def test_people_without_a_seat_see_what_everybody_sees(near: Neighbourhood) -> None:
    player = await Neighbour.begun(near)
    watcher = await Neighbour.come(near, "Max")
    await watcher.join(player.table)
    await player.play()
    await watcher.until(lambda: watcher.number == player.number)
    assert watcher.view == (await near.live(player.table)).view(None)
    assert [each.hands for each in heard(watcher, Dealt)] == [(None,) * 4]


async def test_people_who_watch_afterwards_see_every_card_once_the_secret_is_told(
    near: Neighbourhood,
) -> None:
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    setup = Setup("Table", rules, watching=Watching.AFTERWARDS)
    (player,) = await Neighbour.gathered(near, "Zoé", setup=setup)
    watcher = await Neighbour.come(near, "Max")
    await watcher.join(player.table, told=True)
    await player.do(Start())
    await player.play(lambda: heard(player, Played))
    assert not heard(watcher, Dealt)
    await player.play()
    await watcher.until(lambda: watcher.number == player.number)
    kinds = [type(each.happening) for each in watcher.told]
    assert kinds.count(Dealt) == kinds.count(Revealed) == 2
    assert all(all(each.hands) for each in heard(watcher, Dealt))
    # They see one card after another, as if it were played now.
    laid = [scene.trick for scene in watcher.scenes]
    assert all(
        len(later) <= len(trick) + 1
        for trick, later in pairwise(laid)
        if later[:-1] == trick or len(later) > len(trick)
    )
    assert sum(len(trick) == 1 for trick in laid) >= 2 * 13
    assert max(len(scene.hands) for scene in watcher.scenes) == 52
    late = "You will see every card of this deal once it is over."
    assert any(scene.status == late for scene in watcher.scenes)


async def test_the_beginning_of_a_match_is_news_to_whoever_comes_before_they_have_chosen(
    near: Neighbourhood,
) -> None:
    """All of it comes with its sentences: with whom they play, and the cards on the table."""
    player = await Neighbour.begun(near)
    early, watcher = player.device(), await Neighbour.come(near, "Max")
    for each in (early, watcher):
        await each.join(player.table, told=True)
    await early.until(lambda: early.number >= player.number)
    assert early.welcome is not None
    assert watcher.welcome is not None
    assert early.welcome.news == early.welcome.began == early.told[0].number
    assert early.told[0].told
    assert watcher.welcome.news == watcher.welcome.number + 1
    await player.play(lambda: any(each.seat == 0 for each in heard(player, Passed, Played)))
    late = player.device()
    await late.join(player.table, told=True)
    assert late.welcome is not None
    assert late.welcome.news == late.welcome.number + 1


async def test_another_device_is_told_the_whole_match(near: Neighbourhood) -> None:
    player = await Neighbour.begun(near)
    await player.play(lambda: heard(player, Played))
    other = player.device()
    await other.join(player.table, told=True)
    await other.until(lambda: other.number >= player.number)
    assert other.seat == 0
    await other.play()
    await player.until(player.over)
    assert other.view == player.view
    told = [each for each in other.told if each.told is not None]
    assert isinstance(told[0].happening, Dealt)
    assert any(each.told["normal"] for each in told if each.told)


async def test_sitting_down_on_a_bots_seat_tells_the_match_anew(near: Neighbourhood) -> None:
    (host,) = await Neighbour.gathered(near, "Zoé")
    late = await Neighbour.come(near, "Max")
    await late.join(host.table, told=True)
    await host.do(Start())
    await host.play(lambda: heard(host, Played))
    await late.hurry()
    assert (await late.do(Sit(2))).ok
    assert (await host.do(AnswerSeat(2, late.person, allow=True))).ok
    await late.until(lambda: late.seat == 2 and late.number >= host.number)
    assert late.welcome is not None
    assert (late.welcome.id, late.welcome.seat) == ("", 2)
    await asyncio.gather(host.play(), late.play())
    assert late.view == (await near.live(host.table)).view(2)
    assert (await late.do(Stand())).ok
    await late.until(lambda: late.seat is None)


async def test_everybody_hears_and_reads_their_own_language(near: Neighbourhood) -> None:
    (host,) = await Neighbour.gathered(near, "Zoé")
    french = await Neighbour.come(near, "Élodie", "fr")
    await french.join(host.table, told=True)
    assert (await french.do(Sit(1))).ok
    await french.until(lambda: bool(french.scenes) and french.scenes[-1].seat == 1)
    (sat,) = [each.told for each in french.told]
    assert sat is not None
    assert sat["brief"] == ("Vous prenez la place d’Alice.",)
    assert "commencer la partie" in french.scenes[-1].status
    assert (await french.do(Start())).lines == ("C’est réservé à l’hôte de la table.",)
    before = len(french.scenes)
    assert (await french.prefer(lang="en")).ok
    await french.until(lambda: len(french.scenes) > before)
    assert "begin the match" in french.scenes[-1].status
    assert not (await french.prefer(lang="xx")).ok


async def test_a_scene_shows_what_may_be_done(near: Neighbourhood) -> None:
    (player,) = await Neighbour.gathered(near, "Zoé", setup=one_deal_table(clock=60))
    watcher = await Neighbour.come(near, "Max")
    await watcher.join(player.table, told=True)
    await watcher.until(lambda: bool(watcher.scenes))
    assert {"Sit"} <= set(watcher.scenes[-1].may)
    assert not {"Start", "Play", "Stand"} & set(watcher.scenes[-1].may)
    await player.join(told=True)
    await player.until(
        lambda: bool(player.scenes) and player.scenes[-1].watching == "Watching: Max"
    )
    scene = player.scenes[-1]
    assert (scene.phase, scene.seat, scene.hand) == ("waiting", 0, ())
    assert {"Start", "Stand", "SeatBot", "Remove", "Change", "Close"} <= set(scene.may)
    assert [seat.state for seat in scene.seats] == ["here", "bot", "bot", "bot"]
    await player.do(Start())
    await player.play(lambda: bool(player.scenes) and player.scenes[-1].phase == "passing")
    scene = player.scenes[-1]
    assert {"Pass", "Pause", "Hint", "MoreTime", "Away"} <= set(scene.may)
    assert "Play" not in scene.may
    assert len(scene.hand) == 13
    assert all(card.legal for card in scene.hand)
    assert (scene.pass_count, scene.pass_to) == (3, 1)
    assert scene.clock is not None
    assert 100 < scene.clock <= 180
    await player.do(Away())
    await player.until(lambda: "Back" in player.scenes[-1].may)
    assert not {"Away", "MoreTime"} & set(player.scenes[-1].may)
    await player.do(Back())
    await player.until(lambda: "Away" in player.scenes[-1].may)
    await player.play(lambda: player.scenes[-1].turn == 0 and len(player.scenes[-1].trick) > 0)
    scene = player.scenes[-1]
    assert "Play" in scene.may
    assert any(card.legal for card in scene.hand)
    assert all(card.legal == (not card.why) for card in scene.hand)
    assert {card.card for card in scene.hand if card.legal} == set(player.view.legal)
    await player.play()
    await player.until(lambda: "Start" in player.scenes[-1].may)
    assert player.scenes[-1].phase == "ended"
    assert player.scenes[-1].last
    assert sum(seat.total for seat in player.scenes[-1].seats) > 0


async def test_every_question_is_answered_at_any_time(near: Neighbourhood) -> None:
    (player,) = await Neighbour.gathered(near, "Zoé")
    for what in Question:
        answer = await player.ask(what)
        assert answer.lines
        assert answer.ok == (what not in (Question.HINT, Question.CARDS))
    await player.do(Start())
    await player.play(player.view_is_mine)
    for what in Question:
        answer = await player.ask(what, text=".1")
        assert answer.ok, what
        assert all(answer.lines)
    assert len(player.view.deal.trick) < 4
    card = await player.ask(Question.TABLE, 1)
    assert card.lines == (await player.ask(Question.TABLE)).lines[:1]
    assert reason(await player.do(Next())) == "not_between_deals"
    await player.play()
    assert reason(await player.ask(Question.HINT)) == "no_hint_now"


async def test_turn_tells_the_table_as_it_is(near: Neighbourhood) -> None:
    """Before a match, while one waits, where a bot plays for oneself, and when it is over."""
    (player,) = await Neighbour.gathered(near, "Zoé")

    async def turn() -> str:
        return " ".join((await player.ask(Question.TURN)).lines)

    assert await turn() == "You can begin the match."
    await player.do(Start())
    await player.play(player.view_is_mine)
    on_turn = await turn()
    assert (await player.do(Pause())).ok
    assert await turn() == "You have paused the match."
    assert (await player.ask(Question.SITUATION)).lines[0] == "You have paused the match."
    assert (await player.ask(Question.HINT)).lines == ("The match is paused.",)
    assert (await player.do(Unpause())).ok
    assert await turn() == on_turn
    await player.do(Away())
    assert (await turn()).endswith("A bot is playing for you.")
    await player.do(Back())
    await player.play()
    assert (await turn()).endswith("You can begin another match.")


async def test_a_line_means_cards_of_the_hand(near: Neighbourhood) -> None:
    (player,) = await Neighbour.gathered(near, "Zoé")
    assert not (await player.ask(Question.CARDS, text=".1")).ok
    await player.do(Start())
    await player.play(player.view_is_mine)
    first, second = list(player.view.hand)[:2]
    answer = await player.ask(Question.CARDS, text=first.text)
    assert (answer.ok, answer.cards) == (True, (first,))
    both = await player.ask(Question.CARDS, text=f"{first.text}, {second.text}")
    assert (both.ok, both.lines) == (False, ("Play only one card.",))
    wrong = await player.ask(Question.CARDS, text="zz")
    assert (wrong.ok, wrong.cards) == (False, ())
    assert wrong.lines == (Words("en").fault(CardFault("not_a_card", text="zz")),)
    word = await player.ask(Question.CARDS, text="le contrôle")
    assert (word.ok, word.cards) == (True, ())
    assert word.lines == explained(Words("en"), player.view.state.rules, "contrôle")


async def test_how_somebody_likes_to_play_is_kept(near: Neighbourhood) -> None:
    (player,) = await Neighbour.gathered(near, "Zoé")
    await player.prefer(bot_pace=17, auto_forced=True, lang="fr")
    person = near.people[player.person]
    assert person.lang == "fr"
    assert person.settings == {"bot_pace": 17, "trick_pace": 0, "auto_forced": True}


@pytest.mark.parametrize(
    "irregularities", [pytest.param("enforced", marks=pytest.mark.full), "refereed"]
)
async def test_what_is_kept_of_a_scene_is_what_would_be_made_anew(
    irregularities: str, near: Neighbourhood, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, made = Counter[str](), Counter[str]()

    def checked(self: PartCache, name: str, key: object, make: Callable[[], Iterable[Any]]) -> Any:
        fresh = tuple(make())
        parts: tuple[Any, ...] = KEEP(self, name, key, lambda: made.update([name]) or fresh)
        assert parts == fresh, (name, parts, fresh)
        kept[name] += 1
        return parts

    monkeypatch.setattr(PartCache, "once", checked)
    settings = {"match_end": "deals:2", "irregularities": irregularities}
    setup = Setup("Table", make_ruleset("dame-de-pique", settings), clock=40)
    # Without bots, who leave a refereed trick lying for seconds
    people = await Neighbour.gathered(near, "Zoé", "Max", "Lou", "Ada", setup=setup, told=True)
    host, french, *_ = people
    await french.prefer(lang="fr")
    assert (await host.do(Start())).ok
    reached = partial(begun, host, 12)
    await asyncio.gather(*(person.play(reached) for person in people))
    for command in (Pause(), Unpause(), Away(), Back()):
        assert (await host.do(command)).ok
    await play_on(*people)
    assert [person.closed for person in people] == [None] * 4
    for name in ("hand", "commands", "last", "points", "seats"):
        assert 0 < made[name] < kept[name]


async def test_nothing_is_said_where_nobody_carries_talk(near: Neighbourhood) -> None:
    zoé = await Neighbour.at_table(near)
    assert reason(await zoé.request(Speak, "table", "", "Hello")) == "talk_off"


# Messages that cannot be read


async def test_what_cannot_be_read_is_answered_and_the_match_goes_on(near: Neighbourhood) -> None:
    player = await Neighbour.at_table(near)
    assert reason(await player.say("2", hello(id="2"))) == "second_hello"
    for field, text in [
        ("command", '{"say":"do","id":"x","seen":0}'),
        ("command.do", '{"say":"do","id":"x","seen":0,"command":{"do":"Nothing"}}'),
        ("seen", '{"say":"do","id":"x","seen":1e9,"command":{"do":"Start"}}'),
        ("what", '{"say":"ask","id":"x","what":"everything"}'),
        ("bot_pace", '{"say":"prefer","id":"x","bot_pace":-1}'),
        ("bot_pace", '{"say":"prefer","id":"x","bot_pace":' + "9" * 4000 + "}"),
        ("text” must be text of 0 to 200", '{"say":"ask","id":"x","what":"cards","text":null}'),
        ("person", '{"say":"mute","id":"x","person":"\\u0000"}'),
        ("say", '{"say":"sing","id":"x"}'),
        ("say", '{"id":"x"}'),
    ]:
        answer = await player.say("x", text)
        assert reason(answer) == "malformed", text
        assert f"“{field}" in answer.lines[0]
    unread: list[str | bytes] = [
        *(" ", "{", "null", '{"say":"ask"}', '{"id":' + '"x' * 4000, "[" * 9000),
        b"\xff",
    ]
    for nothing in unread:
        await player.send(nothing)
    await player.until(lambda: len(player.notices) == len(unread))
    assert {notice.reason for notice in player.notices} == {"malformed"}
    change = '{"do":"Change","setup":{"name":"x","rules":{"deck":{"players":9}}}}'
    text = '{"say":"do","id":"r","seen":0,"command":' + change + "}"
    assert reason(await player.say("r", text)) == "players_out_of_range"
    await player.hurry()
    await player.do(Start())
    await player.play()


# Languages: with a region, or in capitals


async def said(guest: Guest, table: str, lang: str) -> str:
    """The answers to somebody who says hello in that language."""
    socket = await guest.dial(table)
    await socket.send(encode(Hello("a", PROTOCOL, lang=lang)).decode())
    await socket.send(encode(Ask("b", Question.TURN)).decode())
    async for text in socket:
        message = json.loads(text)
        if message["say"] == "answer" and message["id"] == "b":
            await socket.close()
            return str(message["lines"])
    raise AssertionError("not answered")


async def test_hello_and_prefer_name_a_language_with_its_region(near: Neighbourhood) -> None:
    guest = await Neighbour.come(near)
    table = await guest.open_table()
    english, french = await said(guest, table, "en"), await said(guest, table, "fr")
    assert english != french
    for lang in ("fr-CA", "FR", "fr_CA.UTF-8"):
        assert await said(guest, table, lang) == french
    assert await said(guest, table, "xx") == english
    await guest.join(table)
    await guest.prefer(lang="fr-CA")
    assert near.people[guest.person].lang == "fr-CA"


# A pace for listening


def passed_by_bots(player: Player) -> int:
    return len(heard(player, Passed))


@pytest.mark.parametrize("waits", [True, False])
async def test_bots_wait_until_all_has_been_heard_or_somebody_has_heard_enough(
    near: Neighbourhood, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    monkeypatch.setattr(pace, "LONGEST_TO_HEAR", 600.0)
    monkeypatch.setattr(pace, "USUAL_READER_RATE", 80)
    zoé = await Neighbour.come(near)
    near.choose(zoé, reader_rate=80, bot_pace=0, trick_pace=0, bots_wait=waits)
    await zoé.join(await zoé.open_table(), told=True)
    assert (await zoé.do(Start())).ok
    await zoé.play(lambda: heard(zoé, Dealt))
    if waits:
        # Thirty words and more, at eighty a minute: three questions are answered meanwhile.
        for _ in range(3):
            assert (await zoé.ask(Question.TURN)).ok
        assert passed_by_bots(zoé) == 0
        assert (await zoé.request(Heard)).ok
    await zoé.until(lambda: passed_by_bots(zoé) == 3)
