"""Things to look at on pages: matches that are over, a club with an evening, reports."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial

import msgspec
from kit.browser.players import Player
from kit.matches import keep
from kit.matches import played as played_match
from kit.sites import Playroom
from msgspec.structs import replace

from volte import game
from volte.bots.apart import Findings, ReviewQuestion
from volte.bots.protocol import Clock
from volte.bots.reviewing import findings
from volte.evenings.conducting import Evenings
from volte.evenings.decide import begin_round, end_round, invite, join, played
from volte.evenings.evening import DealResult, Plan
from volte.evenings.store import Club, Clubs
from volte.friends.service import CHANGED as FRIENDS_CHANGED
from volte.friends.store import Friendships
from volte.friends.whereabouts import Sightings
from volte.game.codec import card_text
from volte.history.luck_reckoner import value_here, work_out
from volte.history.reckoner import reckon
from volte.history.rows import Rating, StoredReview
from volte.history.store import Results, Reviews
from volte.people.store import Accounts
from volte.referee import Event
from volte.rules import make_ruleset
from volte.store import Person
from volte.table import Access, Setup, Someone
from volte.table.commands import Command, SeatBot, Sit, Start
from volte.talk.reports import Evidence, frozen
from volte.talk.store import Measure, Said, TalkReport, TalkStore
from volte.web.refused import Refused
from volte.web.room import Room

OTHERS = ("Anne", "Barnabé", "Célestine", "Désirée", "Edmond", "Fanny")
AT = 1_790_000_000.0


# Open tables


def tables_around(player: Player) -> None:
    """Open tables of somebody else, of each kind that the list knows, and a match of the player."""
    playroom, host, me = player.playroom, Someone("barnabe", OTHERS[1]), player.someone
    bots = [SeatBot(seat, "casual") for seat in range(1, 4)]

    async def opened(who: Someone, setup: Setup, *commands: Command) -> None:
        await playroom.site.room.store.put_person(Person(host.id, host.name, "fr", {}, AT))
        table = await playroom.site.room.lobby.open(setup, who)
        for command in (Sit(0), *commands):
            reply = await table.do(who, command, table.state.version)
            assert reply.refusal is None

    plain = Setup("Mardi soir, entre amis", make_ruleset("coeurs"), clock=60)
    playroom.do(opened(host, plain))
    playroom.do(opened(host, replace(plain, name="Locked", access=Access.PASSWORD)))
    playroom.do(opened(host, replace(plain, name="Later", planned=time.time() + 9000)))
    playroom.do(opened(host, replace(plain, name="Met", meeting=True), *bots, Start()))
    playroom.do(opened(host, replace(plain, name="Seen"), *bots, Start()))
    playroom.do(opened(me, replace(plain, name="Mine", access=Access.PRIVATE), *bots, Start()))


def met_for(player: Player) -> None:
    """Begin a match of the player and somebody else at a meeting table."""
    playroom, me, other = player.playroom, player.someone, Someone("celestine", OTHERS[2])

    async def met() -> None:
        await playroom.site.room.store.put_person(Person(other.id, other.name, "fr", {}, AT))
        setup = Setup("Mardi soir", make_ruleset("coeurs"), meeting=True)
        table = await playroom.site.room.lobby.open(setup, other)
        for who, command in ((other, Sit(0)), (me, Sit(1)), (other, Start())):
            reply = await table.do(who, command, table.state.version)
            assert reply.refusal is None

    playroom.do(met())


def friends_for(player: Player) -> None:
    """Friends of the player, of whom one invites them, and people who ask or are asked."""
    store, me = player.playroom.site.room.store, player.someone
    names = {"aude": "Aude", "basile": "Basile", "clea": "Cléa", "denis": "Denis", "elsa": "Elsa"}

    async def befriended() -> None:
        for key, name in names.items():
            await store.put_person(Person(key, name, "fr", {}, AT))
        for one, two in (("aude", me.id), (me.id, "aude"), ("basile", me.id), (me.id, "basile")):
            await store[Friendships].agree(one, two)
        await store[Friendships].hide(me.id, "basile", True)
        await store[Friendships].agree("clea", me.id)
        await store[Friendships].agree(me.id, "denis")
        table = await player.playroom.site.room.lobby.open(
            Setup("Chez Aude", make_ruleset("coeurs")), Someone("aude", "Aude")
        )
        await store[Friendships].invite("aude", me.id, table.id)
        await store[Sightings].note("aude", table.id)
        await store.bus.publish(FRIENDS_CHANGED, me.id)

    player.playroom.do(befriended())


# Matches that are over


def kept_for(player: Player, log: Sequence[Event]) -> str:
    """Put a match into the store in which the person had seat 0; return its id."""
    playroom = player.playroom
    return playroom.do(keep(playroom.site.room.store, player.someone, log)).id


def luck_for(playroom: Playroom, match: str) -> None:
    """Work out the results and the luck of a match."""
    store = playroom.site.room.store

    async def do() -> None:
        row = await store.match(match)
        assert row is not None
        await reckon(store, row)
        await work_out(store, row, value_here)

    playroom.do(do())


@cache
def badly_played() -> tuple[Sequence[Event], Findings]:
    """A match of two deals in which seat 0 plays at random, and its review."""
    log = played_match(make_ruleset("microsoft", {"match_end": "deals:2"}), 6, own="random")
    question = ReviewQuestion(tuple(log), 0, clock=Clock(simulations=300))
    return log, findings(question, lambda percent: None)


def reviewed_for(player: Player, percent: int = 100, again: str = "") -> str:
    """The address of the review of such a match, made or under way.

    Args:
        again: the address of one that was under way.
    """
    match = again.split("/")[2] if again else kept_for(player, badly_played()[0])
    review(player.playroom, match, player.someone.id, percent)
    return f"/matches/{match}/review"


def review(playroom: Playroom, match: str, who: str, percent: int = 100) -> None:
    """Store the review of such a match, made or under way."""
    reviews = playroom.site.room.store[Reviews]
    begun = StoredReview(match, who, 0, time.time(), percent)
    playroom.do(reviews.begin(begun))
    if percent == 100:
        stored = msgspec.to_builtins(badly_played()[1], enc_hook=card_text)
        playroom.do(reviews.go_on(replace(begun, found=stored)))


def rated_for(player: Player, match: str, ladder: str) -> None:
    """Reckon the match, and give the person a rating if they have none yet."""
    store, who = player.playroom.site.room.store, player.someone

    async def rate() -> None:
        row = await store.match(match)
        assert row is not None
        await reckon(store, row)
        if await store[Results].rating(who.id, ladder) is None:
            another = await keep(store, who, [started], over=False)
            rating = Rating(who.id, ladder, 27.0, 1.5, 14, time.time())
            await store[Results].keep(another.id, (), [rating])

    started = game.MatchStarted(make_ruleset(ladder), (game.Player("Zoé", person=True),) * 4)
    player.playroom.do(rate())


# Clubs and evenings


async def club_of(room: Room, who: Someone) -> Club:
    """A club of the person, listed, with six more members."""
    club = Club("cercle", "Cercle du vendredi", who.id, "Tous les vendredis.", True, 1.0, "key")
    await room.store[Clubs].put(club)
    for name in OTHERS:
        await room.store.put_person(Person(name, name, "fr", {}, 1.0))
        await room.store[Clubs].admit(club.id, name)
    return club


async def evening_of(room: Room, who: Someone, club: Club) -> str:
    """An evening of two rounds: one is over, and the other is played; its id."""
    evenings = room[Evenings]
    rules = make_ruleset("coeurs", {"match_end": "deals:2"})
    plan = Plan("Soirée d’hiver", club.id, time.time(), "Europe/Paris", rules, 3, by_itself=False)
    key = await evenings.plan(plan, who)
    await evenings.do(key, partial(invite, people=[Someone(OTHERS[-1], OTHERS[-1])]))
    for each in (who, *(Someone(name, name) for name in OTHERS[:-1])):
        await evenings.do(key, partial(join, who=each))
    for deals in (2, 1):
        evening = await evenings.do(key, partial(begin_round, now=time.time()))
        for deal in range(deals):
            evening = await evenings.find(key) or evening
            for table, sitting in enumerate(evening.rounds[-1].tables):
                points = (13, 8 * table, 5 + deal, 8 - 8 * table - deal)
                results = [*sitting.results, DealResult(points, sitting.seats)]
                number = len(evening.rounds)
                noted = partial(played, number=number, table=table, results=results)
                await evenings.do(key, noted)
        if deals == 2:
            with suppress(Refused):  # it has ended by itself meanwhile
                await evenings.do(key, partial(end_round, now=time.time()))
    return key


def at_club(path: str) -> Callable[[Player], None]:
    """A page of that club; `{evening}` is the id of its evening."""

    def visit(player: Player) -> None:
        playroom = player.playroom
        who, room = player.someone, playroom.site.room
        club = playroom.do(club_of(room, who))
        evening = playroom.do(evening_of(room, who, club)) if "{evening}" in path else ""
        player.go_to(path.format(club=club.id, evening=evening))
        player.page.evaluate(
            "document.querySelectorAll('main details').forEach((each) => each.open = true)"
        )

    return visit


def evening_wrong(player: Player) -> None:
    """The form for an evening, with something wrong in it."""
    at_club("/clubs/{club}/evenings/new")(player)
    player.page.fill("#deals", "40")
    player.page.click("#evening-form button.first")
    player.page.wait_for_selector(".fault")


def club_pages(player: Player) -> Iterator[str]:
    """The pages of clubs that are not among all the others: their names."""
    for path in (
        "/clubs",
        "/clubs/new",
        "/clubs/{club}/invited/key",
        "/clubs/{club}/edit",
        "/evenings/{evening}/edit",
        "/evenings/{evening}/rounds/1",
    ):
        at_club(path)(player)
        yield path


# Reports


def name_moderator(player: Player) -> None:
    """Make the player a moderator."""
    store = player.playroom.site.room.store
    player.playroom.do(store[Accounts].put_role(player.someone.id, "moderator"))


def report_somebody(player: Player) -> None:
    """A report about somebody who has talked, as the player will find it."""
    player.playroom.do(player.playroom.site.room.store[TalkStore].report(some_report()))


def measure_somebody(player: Player) -> None:
    """Let another moderator decide such a report."""
    playroom, report = player.playroom, some_report()
    talk = playroom.site.room.store[TalkStore]
    kind, why = "silence", "Nobody is a lamp post here."
    measure = Measure(f"m{report.id}", report.against, kind, why, "mia", report.id, AT + 90)
    playroom.do(talk.report(report))
    decided = replace(report, decision="silence_ever", decided_by="mia", decided=AT + 90)
    playroom.do(talk.decide(decided, measure))


def some_report() -> TalkReport:
    """Ann reports what Bob has said."""
    said = tuple(
        Said("table", number, "table", person, person.title(), phrase, text, AT + number)
        for number, (person, phrase, text) in enumerate(
            [("ann", "hello", ""), ("bob", "", "You play like a lamp post!"), ("ann", "sorry", "")],
            start=1,
        )
    )
    evidence = Evidence("Table", "", "Ann", "Bob", (2,), said)
    note, name = "He says that all the time.", f"r{time.monotonic_ns()}"
    return TalkReport(name, "table", "ann", "bob", "insult", note, frozen(evidence), AT + 60)
