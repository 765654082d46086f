"""The pages on which a player reviews their match: "Where did it turn?"

Access is checked as for the replay (`match_over`), since they show as much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte import referee
from volte.bots.apart import Findings, ReviewQuestion
from volte.cards import Card, CardFault
from volte.game import MatchState, Pass, Phase, Play, Refusal
from volte.history import turning
from volte.history.match_page import (
    chosen_by_players,
    events_of,
    facts,
    hues_of,
    made_from,
    match_over,
    seat_of,
)
from volte.history.progress import progress
from volte.history.review import answer, where
from volte.history.reviewer import Reviewer, found_by, goes_on
from volte.history.rows import StoredReview
from volte.history.store import Reviews
from volte.history.turning import Log, PlayedOn, Turning
from volte.people.settings_shown import MOVES, list_keys, wishes
from volte.rules import Settlement
from volte.say import N_, Verbosity, Words
from volte.say.telling import Lines, Telling, spoken_order
from volte.scene.chart import chart_of, chart_of_chances
from volte.scene.faces import NO_SETTINGS
from volte.sheet import Table, rows_of_match
from volte.store import MatchRow
from volte.view import View
from volte.web import position
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

MOST_CARDS: Final = 120  # most cards in an address: more than any deal has


def routes() -> list[BaseRoute]:
    return [
        route("/matches/{match}/review", overview),
        route("/matches/{match}/review", begin, methods=["POST"]),
        route("/matches/{match}/review/{place:number}", choice),
        route("/matches/{match}/review/{place:number}/on", play_on),
    ]


class Own(NamedTuple):
    """A match that is over, with the visitor's seat and review."""

    row: MatchRow
    seat: int
    stored: StoredReview | None  # None before the visitor has asked for one
    settings: Mapping[int, Mapping[str, Any]] = NO_SETTINGS  # of people, by seat, at a choice


async def _own(visit: Visit) -> Own:
    """The match of the address. Raises `Refused` if the visitor had no seat or may not see it."""
    row = await match_over(visit)
    seat = seat_of(visit, row)
    if seat is None:
        raise Refused(404, "no_match")
    return Own(row, seat, await room_of(visit).store[Reviews].of(row.id, visit.who))


# Where did it turn?


async def overview(visit: Visit) -> Response:
    """`/matches/{match}/review`: the review, its progress, or an offer to make one."""
    row, seat, stored, _ = await _own(visit)
    common = await facts(visit, row)
    if stored is None or stored.found is None:
        under_way = stored is not None and goes_on(stored)
        return page(
            visit,
            "review.html",
            **common,
            state="goes_on" if under_way else "none" if visit.room[Reviewer].able else "unable",
            percent=max(stored.percent, 0) if stored is not None else 0,
            failed=stored is not None and not under_way,
        )
    found, words = found_by(stored), visit.words
    turnings, match = await made_from(visit, row, lambda log: _all(log, seat, found))
    sheet = rows_of_match(match)
    wins = match.rules.stakes.settlement is Settlement.NONE and any(
        worth is not None for _, _, worth in found.course
    )
    names = [player.name for player in match.players]
    hues = await hues_of(visit, row, match.players)
    return page(
        visit,
        "review.html",
        **common,
        state="done",
        choices=words.n("{count} choice", "{count} choices", len(found.course)),
        left_out=found.left_out,
        turnings=[_line(words, each) for each in turnings],
        wins=wins,
        chart=_chart(words, hues[seat], turnings, found)
        if wins
        else chart_of(words, names, hues, sheet),
        deals=_deals(words, sheet, seat, found),
        progress=progress(words, await room_of(visit).store[Reviews].finished(visit.who)),
    )


async def begin(visit: Visit) -> Response:
    """Begin a review, unless it is finished or under way."""
    await visit.fields()
    row, seat, stored, _ = await _own(visit)
    reviewer, who = visit.room[Reviewer], visit.known().id
    if not reviewer.able:
        raise Refused(404, "not_found")
    if stored is None or (stored.found is None and not goes_on(stored)):
        reviewer.check(visit.whose)
        await visit.room.limits.spend("review", who)

        def question(log: Log) -> ReviewQuestion:
            but = turning.chosen_by_others(log, who, seat, row.beginners[seat])
            return ReviewQuestion(tuple(events_of(log)), seat, but)

        await reviewer.begin(row.id, visit.whose, await made_from(visit, row, question))
    return see_other(f"/matches/{row.id}/review")


def _all(log: Log, seat: int, found: Findings) -> tuple[list[Turning], MatchState]:
    """The costly choices, and the final state of the match."""
    turnings = [Turning.of(log, seat, each) for each in found.costly]
    return turnings, referee.replay(events_of(log))


def _line(words: Words, each: Turning) -> tuple[str, str, list[tuple[str, str]]]:
    """The moment of a choice; the choice and its cost, without the better one; and the cards on
    the table and those chosen, as texts with a word for each."""
    judged = each.judged
    telling = Telling(words, View(judged.seat, each.state))
    done = [(card.text, words.sentence(words.t("you"))) for card in _chosen(judged.done.action)]
    return where(telling, judged), answer(telling, judged)[0], position.laid(judged.view) + done


def _chosen(action: object) -> tuple[Card, ...]:
    """The card of a play, or the cards of a pass."""
    assert isinstance(action, Play | Pass)
    return (action.card,) if isinstance(action, Play) else spoken_order(action.cards)


def _chart(words: Words, hue: int, turnings: Sequence[Turning], found: Findings) -> str:
    """The chances of winning from choice to choice, with a mark at each costly one."""
    known = [(deal, trick, worth) for deal, trick, worth in found.course if worth is not None]
    firsts = {deal: place for place, (deal, _, _) in reversed([*enumerate(known)])}
    places = {(deal, trick): place for place, (deal, trick, _) in enumerate(known)}
    marked = [places.get((each.judged.deal, each.judged.trick)) for each in turnings]
    return chart_of_chances(
        words,
        words.sentence(words.t("you")),
        hue,
        [round(100 * worth) for _, _, worth in known],
        sorted((place, deal) for deal, place in firsts.items()),
        [place for place in marked if place is not None],
    )


def _deals(words: Words, sheet: Table, seat: int, found: Findings) -> list[tuple[str, ...]]:
    """By deal: number, points, total, and chances of winning after the seat's last choice."""
    after = {deal: worth for deal, _, worth in found.course}
    lines = []
    for row in sheet.rows:
        worth = after.get(row.number or row.line)
        chances = "–" if worth is None else words.number(round(100 * worth))
        counts = (row.number or row.line, row.points[seat], row.totals[seat])
        lines.append((*map(words.number, counts), chances))
    return lines


# One choice


async def choice(visit: Visit) -> Response:
    """`/matches/{match}/review/{place}`: a costly choice to try again, and the answer."""
    own, each = await _turning(visit)
    words, judged = visit.words, each.judged
    view, place = judged.view, visit.path_params["place"]
    telling = Telling(words, view)
    passing = judged.trick == 0
    asks = words.t("Which cards are best to pass?") if passing else words.t("Which card is best?")
    status = (*turning.status(words, view), asks)
    shown = (*answer(telling, judged), *turning.held(words, each.state, judged.seat))
    playable = turning.lawful(each.state) is not None
    if not playable:
        shown = (*shown, words.t(turning.NOT_PLAYABLE))
    tried = _cards(visit)
    said = ("shown", shown) if visit.query_params.get("show") else None
    if said is None and tried:
        said = _said(words, each, tried, shown)
    verdicts = {
        card.text: _as_script(_said(words, each, [card], shown))
        for card in view.hand
        if not passing
    }
    assert own.stored is not None
    most = len(found_by(own.stored).costly)
    return page(
        visit,
        "review_choice.html",
        **await facts(visit, own.row),
        **position.shown(words, view, status, own.settings),
        place=place,
        most=most,
        moment=where(telling, judged),
        count=view.deal.pass_size if passing else 0,
        tried=[card.text for card in tried],
        answer=said,
        verdicts=verdicts | {"": _as_script(("shown", shown))},
        compared=[
            (card.text, words.t(name))
            for name, choice in ((N_("in the match"), judged.done), (N_("better"), judged.best))
            for card in _chosen(choice.action)
        ],
        playable=playable,
        keys_told=list_keys(words, visit.person, (*position.QUESTIONS, *position.REVIEWS), MOVES),
        chosen=wishes(visit),
    )


async def _turning(visit: Visit) -> tuple[Own, Turning]:
    """The costly choice of the address. Raises `Refused`."""
    own, place = await _own(visit), visit.path_params["place"]
    if own.stored is None or own.stored.found is None:
        raise Refused(404, "not_found")
    costly = found_by(own.stored).costly
    if not 1 <= place <= len(costly):
        raise Refused(404, "not_found")
    one, chosen = costly[place - 1], await chosen_by_players(visit, own.row)
    found, settings = await made_from(
        visit,
        own.row,
        lambda log: (Turning.of(log, own.seat, one), chosen.at(log, one.number)),
    )
    return own._replace(settings=settings), found


def _cards(visit: Visit, name: str = "card") -> list[Card]:
    """The cards that the address names. Raises `Refused`."""
    texts = [text for each in visit.query_params.getlist(name) for text in each.split(".") if text]
    try:
        return [Card(text) for text in texts[:MOST_CARDS]]
    except CardFault:
        raise Refused(404, "not_found") from None


def _said(words: Words, each: Turning, tried: Sequence[Card], shown: Lines) -> turning.Verdict:
    judged = each.judged
    action: Play | Pass = Play(judged.seat, tried[0])
    if not judged.trick:
        action = Pass(judged.seat, tuple(tried))
    kind, lines = turning.verdict(words, judged, action)
    return kind, (*lines, *shown) if kind == "right" else lines


def _as_script(said: turning.Verdict) -> dict[str, Any]:
    return {"kind": said[0], "lines": said[1]}


# Playing on


async def play_on(visit: Visit) -> Response:
    """`/matches/{match}/review/{place}/on`: the deal played on from a costly choice. The address
    holds all cards since, so nothing is stored. `card` is played next; then the bots play on."""
    own, each = await _turning(visit)
    state = turning.lawful(each.state)
    if state is None:
        raise Refused(404, "not_found")
    first = PlayedOn(state, ())
    words, seat = visit.words, each.judged.seat
    passed, chosen = _cards(visit, "passed"), _cards(visit)
    passing = not each.judged.trick and not passed
    if passing and not chosen:
        return await _page_of(visit, own, each, first, ())
    if passing:
        passed, chosen = chosen, []
    start = await made_from(visit, own.row, lambda log: turning.begun(log, each, first, passed))
    if isinstance(start, Refusal):
        refused = (words.refusal(start, each.judged.view),)
        return await _page_of(visit, own, each, first, refused, wrong=True)
    on = start
    for card in _cards(visit, "played"):
        if on.turn is None:
            raise Refused(404, "not_found")
        after = on.then(Play(on.turn, card), own=on.turn == seat)
        if isinstance(after, Refusal):
            raise Refused(404, "not_found")
        on = after.settled()
    if chosen:
        after = on.then(Play(seat, chosen[0]), own=True)
        if isinstance(after, Refusal):
            refused = (words.refusal(after, turning.view_of(on.state, seat)),)
            return await _page_of(visit, own, each, on, refused, passed, wrong=True)
        on = after.settled()
    if passing or chosen or on.turn not in (seat, None):
        await visit.room.limits.spend("why", visit.who)
        on = await _bots_play(visit, each, on)
        query = {"passed": ".".join(card.text for card in passed)} if passed else {}
        query["played"] = ".".join(card.text for card in on.played)
        return see_other(f"{visit.url.path}?{urlencode(query)}#answer-section")
    verbosity = Verbosity(wishes(visit)["verbosity"])
    return await _page_of(visit, own, each, on, on.told(words, seat, verbosity), passed)


async def _bots_play(visit: Visit, each: Turning, on: PlayedOn) -> PlayedOn:
    """Play for the others until it is the person's turn, or the deal is over."""
    thinking, seat = room_of(visit).lobby.thinking, each.judged.seat
    while on.turn not in (seat, None):
        assert on.turn is not None
        level = on.state.players[on.turn].level
        view = turning.view_of(on.state, on.turn)
        action = await thinking.choose(level, each.judged.number, view, visit.whose)
        assert isinstance(action, Play)
        after = on.then(action)
        assert isinstance(after, PlayedOn)
        on = after.settled()
    return on


async def _page_of(
    visit: Visit,
    own: Own,
    each: Turning,
    on: PlayedOn,
    lines: Lines,
    passed: Sequence[Card] = (),
    *,
    wrong: bool = False,
) -> Response:
    words, seat = visit.words, each.judged.seat
    common = {
        **await facts(visit, own.row),
        "place": visit.path_params["place"],
        "moment": where(Telling(words, each.judged.view), each.judged),
    }
    if on.over:
        came = (*lines, *await _compared(visit, own, each, on))
        return page(visit, "review_over.html", **common, lines=came)
    view = turning.view_of(on.state, seat)
    passing = on.state.phase is Phase.PASSING
    kept = {
        name: ".".join(card.text for card in cards)
        for name, cards in (("passed", passed), ("played", on.played))
        if cards
    }
    return page(
        visit,
        "review_on.html",
        **common,
        **position.shown(words, view, turning.status(words, view), own.settings) | {"kept": kept},
        count=view.deal.pass_size if passing else 0,
        tried=[],
        answer=("refused" if wrong else "told", lines) if lines else None,
        verdicts={},
        keys_told=list_keys(words, visit.person, (*position.QUESTIONS, *position.REVIEWS), MOVES),
        chosen=wishes(visit),
    )


async def _compared(visit: Visit, own: Own, each: Turning, on: PlayedOn) -> Lines:
    """The points of the deal played on, compared with its points in the match."""
    number, seat, words = each.judged.deal, each.judged.seat, visit.words
    match = await made_from(visit, own.row, lambda log: referee.replay(events_of(log)))
    if len(match.deals) < number:
        return ()
    text = words.t(
        "Playing this way, you finish the deal with {points}; in the match it was {before}.",
        points=words.points(on.state.deals[number - 1].points[seat]),
        before=words.points(match.deals[number - 1].points[seat]),
    )
    return (text,)
