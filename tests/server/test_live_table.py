"""Whole matches over real WebSockets: what each person is told, shown and answered."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

from kit.people import Guest, Player
from kit.requests import request
from kit.sites import Site, run, serving

from volte.cards import CardFault
from volte.fair import Verdict
from volte.game import Dealt, MatchEnded, Played, Revealed
from volte.notation import parse_record, prove_record
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Access, OpenSeats, Setup, Watching
from volte.table.commands import AnswerSeat, Away, Back, Next, Pause, Sit, Stand, Start, Unpause
from volte.table.live import LiveTable
from volte.wire.messages import Question

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


async def ready(site: Site, *names: str, setup: Setup | None = None) -> list[Player]:
    """People at the first seats of a new table, bots at the others; the first is the host."""
    players = [await Player.come(site.address, name) for name in names]
    host, *others = players
    setup = setup or Setup("Table", RULES, open_seats=OpenSeats.ALL)
    bots = setup.rules.players - len(names)
    table = await host.open_table(("",) * len(others) + ("casual",) * bots, setup)
    for seat, player in enumerate(players):
        await player.join(table)
        await player.prefer(bot_pace=0, trick_pace=0)
        if seat:
            assert (await player.do(Sit(seat))).ok
    await host.until(lambda: host.number == players[-1].number)
    return players


async def live(site: Site, player: Guest) -> LiveTable:
    table = await site.room.lobby.find(player.table)
    assert table is not None
    return table


async def part(*guests: Guest) -> None:
    for guest in guests:
        await guest.leave()


async def test_people_and_bots_play_and_each_folds_what_the_server_folds(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        players = await ready(site, "Zoé", "Max", "Lou")
        assert (await players[0].do(Start())).ok
        await asyncio.gather(*(player.play() for player in players))
        table = await live(site, players[0])
        for seat, player in enumerate(players):
            assert player.seat == seat
            assert player.view == table.view(seat)
            numbers = [each.number for each in player.told]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            assert {MatchEnded, Revealed} <= {type(each.happening) for each in player.told}
        await part(*players)


def test_a_rematch_follows(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as site:
            (player,) = await ready(site, "Zoé")
            for match in (1, 2):
                assert (await player.do(Start())).ok
                await player.until(lambda match=match: at_match(player, match))  # type: ignore[misc]
                await player.play()
            await part(player)

    def at_match(player: Player, match: int) -> bool:
        return player.state is not None and player.state.matches == match

    run(story())


async def test_people_without_a_seat_see_what_everybody_sees(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé")
        watcher = await Guest.come(site.address, "Max")
        await watcher.join(player.table)
        await player.do(Start())
        await player.play()
        await watcher.until(lambda: watcher.number == player.number)
        assert watcher.view == (await live(site, player)).view(None)
        dealt = [each.happening for each in watcher.told if isinstance(each.happening, Dealt)]
        assert [each.hands for each in dealt] == [(None,) * 4]
        await part(player, watcher)


async def test_people_who_watch_afterwards_see_every_card_once_the_secret_is_told(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as site:
        rules = make_ruleset("coeurs", {"match_end": "deals:2"})
        setup = Setup("Table", rules, watching=Watching.AFTERWARDS)
        (player,) = await ready(site, "Zoé", setup=setup)
        watcher = await Guest.come(site.address, "Max")
        await watcher.join(player.table, told=True)
        await player.do(Start())
        await player.play(lambda: any(isinstance(each.happening, Played) for each in player.told))
        assert not any(isinstance(each.happening, Dealt) for each in watcher.told)
        await player.play()
        await watcher.until(lambda: watcher.number == player.number)
        kinds = [type(each.happening) for each in watcher.told]
        assert kinds.count(Dealt) == kinds.count(Revealed) == 2
        for each in watcher.told:
            if isinstance(each.happening, Dealt):
                assert all(each.happening.hands)
        # They see one card after another, as if it were played now.
        laid = [scene.trick for scene in watcher.scenes]
        assert all(
            len(later) <= len(trick) + 1
            for trick, later in pairwise(laid)
            if later[:-1] == trick or len(later) > len(trick)
        )
        assert sum(len(trick) == 1 for trick in laid) >= 2 * 13
        assert max(len(scene.hands) for scene in watcher.scenes) == 52
        late = "You see this deal with every card, once it is over."
        assert any(scene.status == late for scene in watcher.scenes)
        await part(player, watcher)


async def test_whoever_comes_back_gets_exactly_what_was_missed(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        one, two = await ready(site, "Zoé", "Max")
        await one.do(Start())
        missing = asyncio.create_task(two.play())
        for _ in range(4):
            known = one.number
            await one.play(lambda known=known: one.number > known + 6)  # type: ignore[misc]
            one.drop()
            await one.until_closed()
            await one.join(told=True)
        await one.play()
        await missing
        assert one.view == (await live(site, one)).view(0)
        assert two.view == (await live(site, one)).view(1)
        numbers = [each.number for each in one.told]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        await part(one, two)


async def test_another_device_is_told_the_whole_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé")
        await player.do(Start())
        await player.play(lambda: any(isinstance(each.happening, Played) for each in player.told))
        other = Player(site.address, player.cookie, player.person, player.name)
        await other.join(player.table, told=True)
        await other.until(lambda: other.number >= player.number)
        assert other.seat == 0
        await other.play()
        await player.until(player.over)
        assert other.view == player.view
        told = [each for each in other.told if each.told is not None]
        assert isinstance(told[0].happening, Dealt)
        assert any(each.told["normal"] for each in told if each.told)
        await part(player, other)


async def test_sitting_down_on_a_bots_seat_tells_the_match_anew(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (host,) = await ready(site, "Zoé")
        late = await Player.come(site.address, "Max")
        await late.join(host.table, told=True)
        await host.do(Start())
        await host.play(lambda: any(isinstance(each.happening, Played) for each in host.told))
        await late.prefer(bot_pace=0, trick_pace=0)
        assert (await late.do(Sit(2))).ok
        assert (await host.do(AnswerSeat(2, late.person, allow=True))).ok
        await late.until(lambda: late.seat == 2 and late.number >= host.number)
        assert late.welcome is not None
        assert late.welcome.id == ""
        assert late.welcome.seat == 2
        await asyncio.gather(host.play(), late.play())
        assert late.view == (await live(site, host)).view(2)
        assert (await late.do(Stand())).ok
        await late.until(lambda: late.seat is None)
        await part(host, late)


async def test_everybody_hears_and_reads_their_own_language(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (host,) = await ready(site, "Zoé")
        french = await Player.come(site.address, "Élodie", "fr")
        await french.join(host.table, told=True)
        assert (await french.do(Sit(1))).ok
        await french.until(lambda: bool(french.scenes) and french.scenes[-1].seat == 1)
        (sat,) = [each.told for each in french.told]
        assert sat is not None
        assert sat["brief"] == ("Vous prenez la place d’Alice.",)
        assert "commencer la partie" in french.scenes[-1].status
        refused = await french.do(Start())
        assert refused.lines == ("Seul l’hôte peut le faire.",) or refused.lines
        before = len(french.scenes)
        assert (await french.prefer(lang="en")).ok
        await french.until(lambda: len(french.scenes) > before)
        assert "begin the match" in french.scenes[-1].status
        assert not (await french.prefer(lang="xx")).ok
        await part(host, french)


async def test_a_scene_shows_what_may_be_done(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        setup = Setup("Table", RULES, clock=60, open_seats=OpenSeats.ALL)
        (player,) = await ready(site, "Zoé", setup=setup)
        watcher = await Guest.come(site.address, "Max")
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
        assert scene.pass_count == 3
        assert scene.pass_to == 1
        assert scene.clock is not None
        assert 100 < scene.clock <= 180
        await player.do(Away())
        await player.until(lambda: "Back" in player.scenes[-1].may)
        assert not {"Away", "MoreTime"} & set(player.scenes[-1].may)
        await player.do(Back())
        await player.until(lambda: "Away" in player.scenes[-1].may)
        await player.play(lambda: player.scenes[-1].turn == 0 and len(player.scenes[-1].trick) > 0)
        scene = player.scenes[-1]
        assert {"Play", "Claim"} <= set(scene.may)
        assert any(card.legal for card in scene.hand)
        for card in scene.hand:
            assert card.legal == (not card.why)
        legal = {card.card for card in scene.hand if card.legal}
        assert legal == set(player.view.legal)
        await player.play()
        await player.until(lambda: "Start" in player.scenes[-1].may)
        assert player.scenes[-1].phase == "ended"
        assert player.scenes[-1].last
        assert sum(seat.total for seat in player.scenes[-1].seats) > 0
        await part(player, watcher)


async def test_every_question_is_answered_at_any_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé")
        for what in Question:
            answer = await player.ask(what)
            assert answer.lines
            assert answer.ok == (what not in (Question.HINT, Question.CARDS))
        await player.do(Start())
        await player.play(lambda: player.view_is_mine())
        for what in Question:
            answer = await player.ask(what, text=".1")
            assert answer.ok, what
            assert all(answer.lines)
        seen = player.view.deal.trick
        card = await player.ask(Question.TABLE, 1)
        assert card.lines == (await player.ask(Question.TABLE)).lines[:1]
        assert len(seen) < 4
        early = await player.do(Next())
        assert early.refusal is not None
        assert early.refusal.reason == "not_between_deals"
        await player.play()
        answer = await player.ask(Question.HINT)
        assert answer.refusal is not None
        assert answer.refusal.reason == "no_hint_now"
        await part(player)


async def test_turn_tells_the_table_as_it_is(tmp_path: Path) -> None:
    """Before a match, while one waits, where a bot plays for oneself, and when it is over."""

    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé")

        async def turn() -> str:
            return " ".join((await player.ask(Question.TURN)).lines)

        assert await turn() == "You can begin the match."
        await player.do(Start())
        await player.play(lambda: player.view_is_mine())
        on_turn = await turn()
        assert (await player.do(Pause())).ok
        assert await turn() == "You have paused the match."
        assert (await player.ask(Question.SITUATION)).lines[0] == "You have paused the match."
        assert (await player.ask(Question.HINT)).lines == ("The match is paused.",)
        assert (await player.do(Unpause())).ok
        assert await turn() == on_turn
        await player.do(Away())
        assert (await turn()).endswith("A bot plays for you.")
        await player.do(Back())
        await player.play()
        assert (await turn()).endswith("You can begin another match.")
        await part(player)


async def test_a_line_means_cards_of_the_hand(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé")
        assert not (await player.ask(Question.CARDS, text=".1")).ok
        await player.do(Start())
        await player.play(lambda: player.view_is_mine())
        first, second = list(player.view.hand)[:2]
        answer = await player.ask(Question.CARDS, text=first.text)
        assert (answer.ok, answer.cards) == (True, (first,))
        both = await player.ask(Question.CARDS, text=f"{first.text}, {second.text}")
        assert (both.ok, both.lines) == (False, ("Play one card.",))
        wrong = await player.ask(Question.CARDS, text="zz")
        assert (wrong.ok, wrong.cards) == (False, ())
        assert wrong.lines == (Words("en").fault(CardFault("no_such_card", text="zz")),)
        await part(player)


async def test_a_table_without_hints_gives_none(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé", setup=Setup("Table", RULES, hints=False))
        await player.do(Start())
        await player.play(lambda: player.view_is_mine())
        answer = await player.ask(Question.HINT)
        assert answer.lines == ("Nobody is given hints at this table.",)
        await part(player)


async def test_how_somebody_likes_to_play_is_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        (player,) = await ready(site, "Zoé")
        await player.prefer(bot_pace=17, auto_forced=True, lang="fr")
        person = await site.room.store.person(player.person)
        assert person is not None
        assert person.lang == "fr"
        wanted = {"bot_pace": 17, "trick_pace": 0, "auto_forced": True}
        assert person.settings == wanted
        await part(player)


# Records


async def test_a_record_is_there_once_the_match_is_over(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        locked = Setup("Table", RULES, Access.PASSWORD)
        player, stranger = [await Player.come(site.address) for _ in range(2)]
        await player.join(await player.open_table(("casual",) * 3, locked, "sesame"))
        await player.prefer(bot_pace=0, trick_pace=0)
        await player.do(Start())
        (match,) = await site.room.store.matches_at(player.table)
        path = f"/matches/{match.id}/record"
        own = {"cookie": player.cookie}
        early = await request(site.address, "GET", path, headers=own)
        assert early.status == 403
        await player.play()
        reply = await request(site.address, "GET", path, headers=own)
        assert reply.status == 200
        assert reply.header("content-disposition").startswith("attachment")
        record = parse_record(reply.text)
        assert record.master is None
        assert record.finished
        assert [proof.verdict for proof in prove_record(record)] == [Verdict.PROVED]
        for headers, status in [({"cookie": stranger.cookie}, 404), ({}, 401)]:
            refused = await request(site.address, "GET", path, headers=headers)
            assert refused.status == status
        await site.room.store.admit(player.table, stranger.person)
        theirs = {"cookie": stranger.cookie}
        assert (await request(site.address, "GET", path, headers=theirs)).status == 200
        nowhere = await request(site.address, "GET", "/matches/none/record", headers=own)
        assert nowhere.status == 404
        await part(player)


# For programs


async def test_programs_find_tables(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        host, other = [await Guest.come(site.address, name) for name in ("Zoé", "Max")]
        public = await host.open_table(("casual", "", "strong"))
        linked = await host.open_table((), Setup("Linked", RULES, Access.LINK))
        locked = await host.open_table((), Setup("Locked", RULES, Access.PASSWORD), "sesame")
        headers = {"cookie": other.cookie}
        listed = await request(site.address, "GET", "/api/tables", headers=headers)
        tables = {each["table"]: each for each in listed.json["tables"]}
        assert set(tables) == {public, locked}
        shown = tables[public]
        assert (shown["name"], shown["host"]) == ("Table", "Zoé")
        assert (shown["seats"], shown["free"], shown["state"]) == (4, 3, "waiting")
        assert shown["rules"].startswith("coeurs")
        for table, needs in [(linked, False), (locked, True)]:
            one = await request(site.address, "GET", f"/api/tables/{table}", headers=headers)
            assert one.json["needs_password"] == needs
        none = await request(site.address, "GET", "/api/tables/none", headers=headers)
        assert (none.status, none.json["reason"]) == (404, "no_table")
