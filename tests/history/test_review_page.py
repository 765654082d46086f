"""The pages of reviews: by real requests, and with a real process."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import cache
from time import monotonic

import msgspec
import pytest
from kit import Playroom, Visitor, keep, played, refereed
from kit.sentences import plain
from kit.strategies import in_full
from kit.visits import Visit

from volte import referee
from volte.bots.apart import Costly, Findings, ReviewQuestion
from volte.bots.protocol import Clock, Estimate
from volte.bots.reviewing import findings
from volte.cards import Card
from volte.extras import strong_installed
from volte.game import Event, Pass, Play, Played
from volte.game.codec import card_text
from volte.history import turning as turnings
from volte.history.match_page import key_of
from volte.history.moments import before
from volte.history.progress import progress
from volte.history.reviewer import Reviewer, found_by, goes_on
from volte.history.rows import FAILED, StoredReview
from volte.history.store import Reviews
from volte.history.turning import Turning, chosen_by_others, view_of
from volte.rules import make_ruleset
from volte.say import Words
from volte.store import MatchRow
from volte.table import Someone
from volte.table import happenings as hap
from volte.table.happenings import Happening, Why
from volte.web import limits
from volte.web.limits import REVIEWS, WHYS

LANGUAGES = pytest.mark.parametrize("lang", ["en", *in_full("fr")])
BRIEF = Clock(simulations=300)


@cache
def log(own: str = "random") -> tuple[Event, ...]:
    rules = make_ruleset("microsoft", {"match_end": "deals:2"})
    return tuple(played(rules, 7, own=own))


@cache
def found() -> Findings:
    return findings(ReviewQuestion(log(), 0, clock=BRIEF), lambda percent: None)


def person_of(visitor: Visitor) -> Someone:
    me = visitor.client.get("/api/me").json()
    return Someone(me["person"], me["name"])


@pytest.fixture
def zoe(visit: Visit) -> Visitor:
    return visit("Zoé")


def kept(playroom: Playroom, visitor: Visitor, over: bool = True) -> MatchRow:
    return playroom.do(keep(playroom.site.room.store, person_of(visitor), log(), over=over))


def reviewed(playroom: Playroom, visitor: Visitor) -> str:
    """Store a finished review of a match, and return its address."""
    row, who = kept(playroom, visitor), person_of(visitor).id
    reviews = playroom.site.room.store[Reviews]
    playroom.do(reviews.begin(StoredReview(row.id, who, 0, time.time(), 0)))
    stored = msgspec.to_builtins(found(), enc_hook=card_text)
    playroom.do(reviews.go_on(StoredReview(row.id, who, 0, time.time(), 100, stored)))
    return f"/matches/{row.id}/review"


def turning(place: int) -> Turning:
    return Turning.of(log(), 0, found().costly[place - 1])


def card_of(action: object) -> str:
    assert isinstance(action, Play)
    return action.card.text


def play_place() -> int:
    """The place of the first costly choice that is no pass."""
    return next(n for n, each in enumerate(found().costly, 1) if isinstance(each.done.action, Play))


def pass_place() -> int:
    return next(n for n, each in enumerate(found().costly, 1) if isinstance(each.done.action, Pass))


# The gate


def test_nothing_is_told_before_the_match_is_over(playroom: Playroom, zoe: Visitor) -> None:
    row = kept(playroom, zoe, over=False)
    for path in ("review", "review/1", "review/1/on", "why/20"):
        assert zoe.client.get(f"/matches/{row.id}/{path}").status_code == 403, path
    assert zoe.post(f"/matches/{row.id}/review").status == 403


def test_whoever_has_not_sat_there_gets_no_review_but_may_ask_why_with_the_key(
    playroom: Playroom, zoe: Visitor, visit: Visit
) -> None:
    address = reviewed(playroom, zoe)
    match = address.split("/")[2]
    row = playroom.do(playroom.site.room.store.match(match))
    assert row is not None
    stranger, key = visit("Anne"), f"?key={key_of(row)}"
    for path in ("review", "review/1", "review/1/on"):
        assert stranger.client.get(f"/matches/{match}/{path}").status_code == 404
        assert stranger.client.get(f"/matches/{match}/{path}{key}").status_code == 404
    assert stranger.post(f"{address}{key}").status == 404
    number = found().costly[0].number
    assert stranger.client.get(f"/matches/{match}/why/{number}").status_code == 404
    number = next(n for n, each in enumerate(log(), 1) if isinstance(each, Played))
    assert stranger.client.get(f"/matches/{match}/why/{number}{key}").status_code == 200


# Making it


def test_a_review_is_made_in_a_process_of_its_own_and_kept(
    playroom: Playroom, zoe: Visitor
) -> None:
    row, who, room = kept(playroom, zoe), person_of(zoe).id, playroom.site.room
    question = ReviewQuestion(log(), 0, clock=BRIEF)

    async def begin() -> None:
        await room[Reviewer].begin(row.id, ("", who), question)
        await room[Reviewer].begin(row.id, ("", who), question)  # already under way
        stored = await room.store[Reviews].of(row.id, who)
        assert stored is not None
        assert goes_on(stored)

    playroom.do(begin())
    page = zoe.get(f"/matches/{row.id}/review")
    assert page.wrong == []
    assert " percent done" in page.text
    playroom.do(room[Reviewer].idle())
    stored = playroom.do(room.store[Reviews].of(row.id, who))
    assert stored is not None
    assert found_by(stored) == found()
    assert "What cost you most" in zoe.get(f"/matches/{row.id}/review").text
    exported = playroom.do(room.store[Reviews].export(who))
    assert [each["match"] for each in exported["reviews"]] == [row.id]


@pytest.mark.full
def test_from_the_form_to_what_was_found(playroom: Playroom, zoe: Visitor) -> None:
    """The review is made as for real people, with its usual number of worlds."""
    row = kept(playroom, zoe)
    address = f"/matches/{row.id}/review"
    page = zoe.post(address)
    assert page.answer.url.path == address
    assert " percent done" in page.text
    zoe.post(address)  # no second review is counted or begun
    until = time.time() + 600
    while " percent done" in page.text and time.time() < until:
        time.sleep(1)
        page = zoe.get(address)
    assert page.wrong == []
    assert "What cost you most" in page.text


def test_what_was_broken_off_can_be_asked_for_again(playroom: Playroom, zoe: Visitor) -> None:
    row, who = kept(playroom, zoe), person_of(zoe).id
    reviews = playroom.site.room.store[Reviews]
    for percent, at in ((FAILED, time.time()), (40, time.time() - 60)):
        playroom.do(reviews.begin(StoredReview(row.id, who, 0, at, percent)))
        page = zoe.get(f"/matches/{row.id}/review")
        assert page.wrong == []
        assert "interrupted" in page.text
        assert page.all("form", action=f"/matches/{row.id}/review")


def test_only_so_many_are_made_in_an_hour(playroom: Playroom, zoe: Visitor) -> None:
    row, who = kept(playroom, zoe), person_of(zoe).id

    async def spend() -> None:
        for _ in range(REVIEWS):
            await playroom.site.room.limits.spend("review", who)

    playroom.do(spend())
    assert zoe.post(f"/matches/{row.id}/review").status == 429


def test_why_is_answered_so_many_times_a_minute(
    playroom: Playroom, zoe: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = monotonic()
    monkeypatch.setattr(limits, "monotonic", lambda: now)  # or the minute may end in between
    row, who = kept(playroom, zoe), person_of(zoe).id

    async def spend() -> None:
        for _ in range(WHYS):
            await playroom.site.room.limits.spend("why", who)

    playroom.do(spend())
    number = next(place for place, event in enumerate(log(), start=1) if isinstance(event, Played))
    assert zoe.client.get(f"/matches/{row.id}/why/{number}").status_code == 429


def test_what_others_chose_at_that_seat_is_not_ones_own() -> None:
    cards = [each for each in log() if isinstance(each, Played) and each.seat == 0][:4]
    gone = hap.StoodIn(0, Why.OWN)
    events: list[Happening] = [
        *cards[:1],
        gone,
        *cards[1:2],
        hap.CameBack(0),
        *cards[2:3],
        hap.Sat(0, "b", "B"),
    ]
    assert chosen_by_others([*events, cards[3]], "a", 0, "a") == {2, 4}
    assert chosen_by_others([*events, cards[3]], "b", 0, "a") == {1, 2, 3}


# Its pages


@LANGUAGES
def test_every_page_of_it_is_whole(playroom: Playroom, visit: Visit, lang: str) -> None:
    zoe = visit("Zoé", lang)
    address = reviewed(playroom, zoe)
    overview = zoe.get(address)
    assert overview.wrong == []
    for place in range(1, len(found().costly) + 1):
        assert overview.all("a", href=f"{address}/{place}")
        for query in ("", "?show=1"):
            page = zoe.get(f"{address}/{place}{query}")
            assert (page.status, page.wrong) == (200, [])
    for path in (f"/{len(found().costly) + 1}", "/0", "/1?card=XX", "/x"):
        assert zoe.get(f"{address}{path}").status == 404, path


def test_a_choice_can_be_tried_again_before_the_answer_is_shown(
    playroom: Playroom, zoe: Visitor
) -> None:
    place, address = play_place(), reviewed(playroom, zoe)
    judged = turning(place).judged
    secret = "What the others held"
    asked = zoe.get(f"{address}/{place}")
    assert secret not in asked.text
    assert "Try it before you see the answer" in asked.text
    wrong = zoe.get(f"{address}/{place}?card={card_of(judged.done.action)}")
    assert "as in the match: not the best" in wrong.text
    assert secret not in wrong.text
    right = zoe.get(f"{address}/{place}?card={card_of(judged.best.action)}")
    shown = zoe.get(f"{address}/{place}?show=1")
    for page in (right, shown):
        assert "which cost about" in page.text
        assert secret in page.text
        for seat in (1, 2, 3):
            held = view_of(turning(place).state, seat).hand
            assert all(Words("en").card(card).split()[0] in page.text for card in held)
    assert "Right, " in right.text


def test_a_pass_can_be_tried_again(playroom: Playroom, zoe: Visitor) -> None:
    place, address = pass_place(), reviewed(playroom, zoe)
    judged = turning(place).judged
    best, done = judged.best.action, judged.done.action
    assert isinstance(best, Pass)
    assert isinstance(done, Pass)

    def tried(cards: Sequence[Card]) -> str:
        chosen = "&".join(f"card={card}" for card in cards)
        return zoe.get(f"{address}/{place}?{chosen}").text

    assert "Right, " in tried(best.cards)
    assert "not the best" in tried(done.cards)
    assert "3 cards" in tried(best.cards[:2])


def test_a_deal_is_played_on_against_the_same_cards_to_its_end(
    playroom: Playroom, zoe: Visitor
) -> None:
    place, address = play_place(), reviewed(playroom, zoe)
    judged = turning(place).judged
    at = f"{address}/{place}/on"
    page = zoe.get(at)
    assert page.wrong == []
    first = card_of(judged.best.action)
    page = zoe.get(f"{at}?card={first}")
    while "The deal is over" not in page.text:
        assert (page.status, page.wrong) == (200, [])
        so_far = page.answer.url.params["played"]
        assert so_far.startswith(first)
        for each in page.all("button", name="card"):
            page = zoe.get(f"{at}?played={so_far}&card={each['value']}")
            if not page.all("section", id="answer-section", **{"class": "answer refused"}):
                break
    assert "Playing this way, you finish the deal with" in page.text
    assert zoe.get(f"{at}?played={first}.{first}").status == 404


def test_a_deal_is_played_on_from_another_pass(playroom: Playroom, zoe: Visitor) -> None:
    place, address = pass_place(), reviewed(playroom, zoe)
    best = turning(place).judged.best.action
    assert isinstance(best, Pass)
    at = f"{address}/{place}/on"
    asked = zoe.get(at)
    assert len(asked.all("input", type="checkbox", name="card")) == 13
    page = zoe.get(f"{at}?" + "&".join(f"card={card}" for card in best.cards))
    assert (page.status, page.wrong) == (200, [])
    assert page.answer.url.params["passed"] == ".".join(card.text for card in best.cards)
    held = {each["value"] for each in page.all("button", name="card")}
    assert held.isdisjoint(card.text for card in best.cards)
    assert len(held) == 13


# At tables with a referee


@cache
def refereed_log(wild: float) -> tuple[referee.Event, ...]:
    rules = make_ruleset("coeurs-table", {"match_end": "deals:1", "pass_count": 0})
    steps = refereed.match(rules, 4, wild)
    return (refereed.start(rules), *(each for step in steps for each in step.events))


def choice_at(
    playroom: Playroom, visitor: Visitor, log: Sequence[referee.Event], number: int
) -> str:
    """Store a review with one costly choice, the card of an event, as if the lowest were better.

    Returns its address.
    """
    row = playroom.do(keep(playroom.site.room.store, person_of(visitor), log))
    event = log[number - 1]
    assert isinstance(event, Played)
    legal = view_of(before(log, number)[0], 0).legal
    best = min({*legal} - {event.card})
    weighed = (estimate(best), *(estimate(card, 5.0) for card in legal if card != best))
    found = Findings((Costly(number, estimate(event.card, 5.0), weighed),), (), 0, {})
    reviews, who = playroom.site.room.store[Reviews], person_of(visitor).id
    playroom.do(reviews.begin(StoredReview(row.id, who, 0, time.time(), 0)))
    stored = msgspec.to_builtins(found, enc_hook=card_text)
    playroom.do(reviews.go_on(StoredReview(row.id, who, 0, time.time(), 100, stored)))
    return f"/matches/{row.id}/review/1"


def estimate(card: Card, margin: float = 0.0) -> Estimate:
    return Estimate(Play(0, card), 6 + margin, margin, 0.1)


def numbers(log: Sequence[referee.Event], lawful: bool) -> list[int]:
    """Numbers of the cards that seat 0 chose lawfully in turn.

    Args:
        lawful: whether all else in the deal was lawful then, or something was not.
    """
    found = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, Played) and event.seat == 0:
            state, _ = before(log, number)
            legal = view_of(state, 0).legal
            if event.card in legal and len(legal) > 1:
                found += [number] if (turnings.lawful(state) is not None) is lawful else []
    return found


def test_with_a_referee_a_lawful_deal_is_played_on(playroom: Playroom, zoe: Visitor) -> None:
    log = refereed_log(0)
    at = choice_at(playroom, zoe, log, numbers(log, lawful=True)[-1])
    assert "Play on from here" in zoe.get(f"{at}?show=1").text
    page = zoe.get(f"{at}/on")
    while "The deal is over" not in page.text:
        assert (page.status, page.wrong) == (200, [])
        played = page.answer.url.params.get("played", "")
        for each in page.all("button", name="card"):
            page = zoe.get(f"{at}/on?played={played}&card={each['value']}")
            if not page.all("section", id="answer-section", **{"class": "answer refused"}):
                break
    assert "Playing this way, you finish the deal with" in page.text


@LANGUAGES
def test_where_something_was_against_the_rules_it_says_why_nobody_can(
    playroom: Playroom, visit: Visit, lang: str
) -> None:
    zoe, log = visit("Zoé", lang), refereed_log(0.5)
    at = choice_at(playroom, zoe, log, numbers(log, lawful=False)[0])
    page = zoe.get(f"{at}?show=1")
    assert plain(Words(lang).t(turnings.NOT_PLAYABLE)) in page.text
    assert "/on" not in page.text
    assert zoe.get(f"{at}/on").status == 404


# Servers that cannot make reviews


@LANGUAGES
def test_without_the_extra_it_says_that_it_cannot(
    playroom: Playroom, visit: Visit, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe = visit("Zoé", lang)
    at = f"/matches/{kept(playroom, zoe).id}/review"
    form = zoe.get(at)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "numba", None)  # as if it were not installed
        strong_installed.cache_clear()
        page, sent = zoe.get(at), zoe.post(at)
    strong_installed.cache_clear()
    cannot = "This server cannot review matches: whoever runs it has to install the extra"
    assert plain(Words(lang).t(f"{cannot} “strong”.")) in page.text
    assert form.all("button", **{"class": "first"}) != []
    assert page.all("button", **{"class": "first"}) == []
    assert sent.status == 404


# Why was that played?


@LANGUAGES
def test_any_card_can_be_asked_why_it_was_played(
    playroom: Playroom, visit: Visit, lang: str
) -> None:
    zoe = visit("Zoé", lang)
    match = reviewed(playroom, zoe).split("/")[2]
    numbers = [n for n, each in enumerate(log(), 1) if isinstance(each, Played)]
    for number in numbers[5:40:11]:
        answer = zoe.client.get(f"/matches/{match}/why/{number}")
        assert answer.status_code == 200
        lines = answer.json()["lines"]
        state, event = before(log(), number)
        assert isinstance(event, Played)
        assert Words(lang).the_card(event.card) in lines[0]
        assert len(lines) >= 2
        assert state.deal is not None
        assert state.deal.turn == event.seat
    for number in (0, 1, 2, 9999, 10**12):
        assert zoe.client.get(f"/matches/{match}/why/{number}").status_code == 404


# From match to match


def done_so(*missed: int) -> list[StoredReview]:
    """Reviews, each with ten chances to keep low spades, and the number missed."""
    return [
        StoredReview(
            f"m{n}",
            "a",
            0,
            float(n),
            100,
            {"costly": [], "course": [], "left_out": 0}
            | {"reasons": {"guard": [10, count], "duck": [10, 5]}},
        )
        for n, count in enumerate(missed)
    ]


def test_progress_is_told_where_it_is_no_chance() -> None:
    english = Words("en")
    [line] = progress(english, done_so(7, 6, 8, 1, 0, 1, 1, 0))
    assert line == (
        "You now keep low spades to protect the high ones. You used to miss this 21 times out of"
        " 30; lately, 3 out of 50."
    )
    assert progress(english, done_so(7, 6, 8, 1, 0, 1, 1)) == ()  # too few matches
    assert progress(english, done_so(2, 1, 2, 1, 0, 1, 1, 2)) == ()  # may be chance
    assert progress(english, done_so(0, 1, 1, 7, 8, 6, 7, 7)) == ()  # has got worse
