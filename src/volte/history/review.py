"""Reviews of a match in sentences: its course, the worth of the cards, the costliest choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from volte.bots.judged import MOST_TOLD, DealLuck, Judged, Parts, Review
from volte.game import MatchEnded, MatchState, Pass, Play
from volte.referee import Event
from volte.rules import Direction
from volte.say import outcome
from volte.say.hints import why
from volte.say.language import N_, Language
from volte.say.measures import Row, decimal, fits, in_columns
from volte.say.rulesheet.options import game_title, rules_played
from volte.say.telling import Lines, Telling, received, scattered, spoken_order
from volte.say.words import Words
from volte.view import View


class LookedBack(NamedTuple):
    """A match, and the review of its choices."""

    log: Sequence[Event]
    state: MatchState  # after the last event of `log`
    seats: tuple[int, ...]  # seats whose choices were judged
    review: Review
    # Seat of the person addressed as "you": the only person at the table; None without one, or
    # with several.
    me: int | None = None

    @property
    def only(self) -> int | None:
        """The seat reviewed, if it is a single one; else None."""
        return self.seats[0] if len(self.seats) == 1 else None

    def telling(self, words: Words) -> Telling:
        """The teller of the match after its last event, who addresses `me`."""
        return Telling(words, View(self.me, self.state))


def heading(words: Words, looked: LookedBack) -> str:
    """The game and its players: "Les Cœurs (coeurs players=5): Anne, Luc and Zoé"."""
    rules, players = looked.state.rules, looked.state.players
    title, options = game_title(words, rules), rules_played(rules, True)
    return words.t("{title} ({rules}): {players}", title=title, rules=options, players=players)


class ReviewReport:
    """The report of a review in one language, addressed to one person."""

    def __init__(self, words: Words, looked: LookedBack) -> None:
        self._words = words
        self._looked = looked
        self._review = looked.review
        self._telling = looked.telling(words)
        self._view = self._telling.view

    def lines(self, width: int | None) -> Lines:
        """The whole report.

        Args:
            width: columns; sentences replace a table that would be wider. None for no limit,
                0 for sentences always.
        """
        return (
            *self._head(),
            *self._deals(width),
            *self._parts(width),
            *self._costliest(width != 0),
        )

    # The match

    def _head(self) -> Iterator[str]:
        words, review = self._words, self._review
        yield heading(words, self._looked) + "."
        ends = [event for event in self._looked.log if isinstance(event, MatchEnded)]
        for end in ends:
            yield from outcome.tell(self._telling, end)
        if self._looked.state.deals:
            yield from words.scores(self._view)
        if not ends:
            yield words.t("The match is not over: here is a review of what has been played so far.")
        only = self._looked.only
        if only is not None:
            own = N_("Your choices are judged by what you knew then: {choices}.")
            other = N_(
                "{player:of} choices are judged by what could be known from that seat: {choices}."
            )
            choices = words.n("{count} choice", "{count} choices", len(review.judged))
            yield self._telling.by(only, own, other, choices=choices)
        if review.left_out:
            yield words.n(
                "{count} choice is left out, because it was made out of turn, broke the rules, "
                "or was too hard to work out in this game.",
                "{count} choices are left out, because they were made out of turn, broke the "
                "rules, or were too hard to work out in this game.",
                review.left_out,
            )

    # Deal by deal

    def _deals(self, width: int | None) -> Lines:
        only, deals = self._looked.only, self._review.deals
        if not deals:
            return (self._words.t("No deal has been scored yet."),)
        if only is None:
            return ("", *self._words.score_sheet(self._view, width))
        columns = in_columns(self._deal_rows(only), left=0)
        if not fits(columns, width):
            return ("", *(self._deal_sentence(only, deal) for deal in deals))
        own = N_("Points in each deal, and what your cards were worth; then the totals:")
        other = N_("Points in each deal, and what {player:of} cards were worth; then the totals:")
        return ("", self._telling.by(only, own, other), "", *columns)

    def _deal_rows(self, seat: int) -> Iterator[Row]:
        sides = self._telling.sides()
        _ = self._words.t
        names = [self._words.sentence(self._telling.names(side)) for side in sides]
        yield [_("Deal"), _("Points"), _("Cards"), *names]
        for deal in self._review.deals:
            cards = "–" if deal.cards is None else decimal(self._words, deal.cards[seat], 1)
            counts = [deal.number, deal.points[seat]]
            totals = [deal.totals[side[0]] for side in sides]
            text = [self._words.number(count) for count in (*counts, *totals)]
            yield [*text[:2], cards, *text[2:]]

    def _deal_sentence(self, seat: int, deal: DealLuck) -> str:
        telling = self._telling
        number, points = deal.number, telling.points(deal.points[seat])
        if deal.cards is None:
            own = N_("Deal {deal}: you ended with {points}.")
            other = N_("Deal {deal}: {player} ended with {points}.")
            text = telling.by(seat, own, other, deal=number, points=points)
        else:
            own = N_(
                "Deal {deal}: your cards were worth about {cards}, and you ended with {points}."
            )
            other = N_(
                "Deal {deal}: {player:of} cards were worth about {cards}, and {player} ended "
                "with {points}."
            )
            cards = about(self._words, deal.cards[seat])
            text = telling.by(seat, own, other, deal=number, cards=cards, points=points)
        if deal.number == 1:
            return text
        return f"{text} " + telling.t("Totals: {totals}.", totals=telling.scores(deal.totals))

    # Luck and play

    def _parts(self, width: int | None) -> Lines:
        words, deals = self._words, self._review.deals
        lost = sum(deal.cards is None for deal in deals)
        note = words.n(
            "For {count} deal, there is no telling what the cards were worth.",
            "For {count} deals, there is no telling what the cards were worth.",
            lost,
        )
        notes = (note,) if lost else ()
        found = [(seat, self._review.parts(seat)) for seat in self._telling.seats]
        known = [(seat, parts) for seat, parts in found if parts is not None]
        if not known:
            return ("", *notes) if notes else ()
        meaning = words.t(
            "The share is what an average hand would have cost. Luck and play, including the "
            "others’ play, add points to it or take some off (−)."
        )
        columns = in_columns(self._part_rows(known), left=1)
        if fits(columns, width):
            return ("", *columns, "", meaning, *notes)
        sentences = [self._part_sentence(seat, parts) for seat, parts in known]
        return ("", *sentences, meaning, *notes)

    def _part_rows(self, known: Sequence[tuple[int, Parts]]) -> Iterator[Row]:
        words, _ = self._words, self._words.t
        yield [_("Player"), _("Points"), _("Share"), _("Due to luck"), _("Due to the play")]
        for seat, parts in known:
            yield [
                words.sentence(self._telling.who(seat)),
                words.number(round(parts.points)),
                decimal(words, parts.share, 1),
                signed(words, parts.luck),
                signed(words, parts.play),
            ]

    def _part_sentence(self, seat: int, parts: Parts) -> str:
        words = self._words
        return words.t(
            "{name}: {points}. The share: {share}; {luck}; {play}.",
            name=words.sentence(self._telling.who(seat)),
            points=words.points(round(parts.points)),
            share=about(words, parts.share),
            luck=words.t(LUCK[parts.luck > 0], points=about(words, abs(parts.luck))),
            play=words.t(PLAY[parts.play > 0], points=about(words, abs(parts.play))),
        )

    # The costliest choices

    def _costliest(self, by_eye: bool) -> Iterator[str]:
        telling, place = self._telling, 0
        most = MOST_TOLD if self._looked.only is not None else 1
        for seat in self._looked.seats:
            found = self._review.costliest(seat, most)
            yield ""
            yield self._title(seat, bool(found))
            for each in found:
                place += 1
                if by_eye:
                    yield ""
                yield from costly(self._words, self._looked.me, place, each)
        if self._looked.only is None:
            yield ""
            yield telling.t("Use --seat to see more about one player.")

    def _title(self, seat: int, costly: bool) -> str:
        if costly:
            own, other = N_("What cost you most:"), N_("What cost {player} most:")
        elif any(each.seat == seat for each in self._review.judged):
            own = N_("Nothing you did cost much.")
            other = N_("Nothing {player} did cost much.")
        else:
            own = N_("You made no choice that can be judged.")
            other = N_("{player} made no choice that can be judged.")
        return self._telling.by(seat, own, other)


LUCK = {True: N_("luck adds {points}"), False: N_("luck saves {points}")}
PLAY = {True: N_("play adds {points}"), False: N_("play saves {points}")}


def signed(words: Words, points: float) -> str:
    """A difference in points, with its sign: "+3.2", "−0.4"."""
    text = decimal(words, points, 1)
    return f"+{text}" if round(points, 1) > 0 else text


def costly(words: Words, me: int | None, place: int, judged: Judged) -> Iterator[str]:
    """A costly choice in a few lines.

    Args:
        me: seat of the person addressed as "you".
        place: its number in the list.
    """
    telling = Telling(words, View(me, judged.view.state))
    yield f"{place}. {where(telling, judged)}"
    own, other = N_("Your hand: {cards}."), N_("{player:of} hand: {cards}.")
    hand = telling.series(words.hand(judged.view, places=False))
    yield telling.by(judged.seat, own, other, cards=hand)
    yield " ".join(answer(telling, judged))


def answer(telling: Telling, judged: Judged) -> Lines:
    """Two sentences: the choice with its cost, and the better choice with its reason."""
    return _done(telling, judged), _better(telling, judged)


def where(telling: Telling, judged: Judged) -> str:
    """The moment of a choice, and the cards on the table."""
    deal = judged.view.deal
    if not judged.trick:
        return telling.t("Deal {deal}, the pass.", deal=judged.deal)
    where = telling.t("Deal {deal}, trick {trick}.", deal=judged.deal, trick=judged.trick)
    if not deal.trick:
        own, other = N_("It was your lead."), N_("It was {player:of} lead.")
        return f"{where} {telling.by(judged.seat, own, other)}"
    cards = telling.series(
        telling.t(
            "{name}, {card:the}", name=telling.who((deal.leader + n) % len(deal.hands)), card=card
        )
        for n, card in enumerate(deal.trick)
    )
    return f"{where} " + telling.t("On the table: {cards}.", cards=cards)


def _done(telling: Telling, judged: Judged) -> str:
    cost, action = cost_text(telling.language, judged), judged.done.action
    if isinstance(action, Play):
        own, other = N_("You played {card:the}, {cost}."), N_("{player} played {card:the}, {cost}.")
        return telling.by(judged.seat, own, other, card=action.card, cost=cost)
    assert isinstance(action, Pass)
    own, other = N_("You passed {cards}, {cost}."), N_("{player} passed {cards}, {cost}.")
    cards = _given(telling, judged, action)
    return telling.by(judged.seat, own, other, cards=cards, cost=cost)


def _better(telling: Telling, judged: Judged) -> str:
    """The better choice and its reason; for other players worded as a hint they would have got."""
    action = judged.best.action
    assert isinstance(action, Play | Pass)
    reason = why(telling.language, judged.view, action, judged.reasons, judged.queen)
    mine = telling.mine(judged.seat)
    if isinstance(action, Play):
        own = N_("A better card: {card:the}; {reason}.")
        other = N_("The hint would have been {card:the}: {reason}.")
        return telling.t(own if mine else other, card=action.card, reason=reason)
    assert isinstance(action, Pass)
    own = N_("It would have been better to pass {cards}: {reason}.")
    other = N_("The hint would have been to pass {cards}: {reason}.")
    cards = _given(telling, judged, action)
    return telling.t(own if mine else other, cards=cards, reason=reason)


def _given(telling: Telling, judged: Judged, action: Pass) -> str:
    """The cards of a pass; for a scatter, with the player who gets each."""
    players = judged.view.state.players
    if judged.view.deal.direction is Direction.SCATTER:
        gifts = scattered(action.seat, action.cards, len(players))
        return received(telling.language, players, gifts)
    return telling.language.listed(spoken_order(action.cards), "the")


def cost_text(language: Language, judged: Judged) -> str:
    """The cost of a choice in points, and in chances or stakes: "which cost about …"."""
    stake = stake_text(language, judged)
    points = about(language, abs(judged.behind))
    if not stake:
        return language.t("which cost about {points}", points=points)
    if judged.costs_points:
        message = N_("which cost about {points}, and about {stake}")
    elif judged.saves_points:
        message = N_("which saved about {points}, but cost about {stake}")
    else:
        message = N_("which cost hardly a point, but about {stake}")
    return language.t(message, points=points, stake=stake)


def stake_text(language: Language, judged: Judged) -> str:
    """The cost of a choice for the match, in chances to win or stakes; empty if negligible."""
    lost = judged.lost or 0.0
    if not judged.costs_match:
        return ""
    if judged.wins:
        return language.n(
            "{count} chance in 100 of winning the match",
            "{count} chances in 100 of winning the match",
            round(100 * lost),
        )
    return language.n("{count} stake", "{count} stakes", tenths(lost))


def about(language: Language, points: float) -> str:
    """Points, to a tenth: "7.3 points"."""
    return language.n("{count} point", "{count} points", tenths(points))


def tenths(number: float) -> Fraction:
    return Fraction(round(10 * number), 10)


class Course(NamedTuple):
    """The totals of a side, deal by deal, from 0 before the first."""

    name: str  # of its players
    seat: int  # its first seat
    totals: tuple[float, ...]


def courses(words: Words, looked: LookedBack) -> list[Course]:
    """The course of each side; the side of the person addressed comes first."""
    telling = looked.telling(words)
    return [
        Course(
            words.sentence(telling.names(side)),
            side[0],
            (0, *(deal.totals[side[0]] for deal in looked.review.deals)),
        )
        for side in telling.sides()
    ]


def course_of_cards(words: Words, looked: LookedBack) -> Course | None:
    """The worth of the cards of the seat reviewed, added up deal by deal; None if unknown."""
    seat, deals = looked.only, looked.review.deals
    worth = [deal.cards for deal in deals if deal.cards is not None]
    if seat is None or len(worth) < len(deals):
        return None
    own, other = N_("What your cards were worth"), N_("What {player:of} cards were worth")
    sums = accumulate((cards[seat] for cards in worth), initial=0.0)
    return Course(looked.telling(words).by(seat, own, other), seat, tuple(sums))


def marks(looked: LookedBack) -> list[Judged]:
    """The choices to mark in the picture, in the order of the report."""
    most = MOST_TOLD if looked.only is not None else 1
    return [each for seat in looked.seats for each in looked.review.costliest(seat, most)]


def chart_text(words: Words, looked: LookedBack) -> Lines:
    """A description of the picture in sentences."""
    telling, cards = looked.telling(words), course_of_cards(words, looked)
    ends = telling.series(
        words.t("{name} {count}", name=course.name, count=int(course.totals[-1]))
        for course in courses(words, looked)
    )
    lines = [
        words.t("The picture: {title}.", title=heading(words, looked)),
        words.t("The chart shows each total as a line, deal by deal: {ends}.", ends=ends),
    ]
    if cards is not None:
        name, count = cards.name[:1].lower() + cards.name[1:], decimal(words, cards.totals[-1], 1)
        lines.append(
            words.t("A dotted line shows {name}; it ends at {count}.", name=name, count=count)
        )
    stars = telling.series(
        words.t("{place} in deal {deal}", place=place, deal=judged.deal)
        for place, judged in enumerate(marks(looked), start=1)
    )
    if stars:
        lines.append(words.t("Stars mark what cost most: {stars}.", stars=stars))
    return tuple(lines)
