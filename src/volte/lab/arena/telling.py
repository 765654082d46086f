"""The report of the arena: which player is better and how surely, in tables or, read aloud, in
sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from volte.lab.arena import Choices, Contestant, DuelEnding, DuelResult, Mean, SideTotals, Stop
from volte.lab.arena.meeting import Meeting
from volte.lab.arena.statistics import WHOLE_WIN
from volte.lab.report import (
    PlayReport,
    give_or_take,
    places_for,
    table_or_sentences,
    with_margin,
)
from volte.rules import Settlement
from volte.say.language import N_
from volte.say.measures import Row, decimal, duration, percent
from volte.say.rulesheet.options import rules_played
from volte.say.telling import Lines
from volte.say.words import Words

THIN: Final = "–"
"""Content of a cell without a value."""


class Arena(NamedTuple):
    """The request to the arena, and the results."""

    meeting: Meeting  # the contestants and their duels
    stop: Stop  # condition that could end a duel
    seconds: float  # time that playing took

    @property
    def begun(self) -> bool:
        return any(result.standing.decks for result in self.meeting.results)


def heading(words: Words, arena: Arena) -> str:
    """Heading: decks and ruleset, number of seatings, and seed."""
    duel = arena.meeting.results[0].duel
    rules, seed = rules_played(duel.rules, duel.matches), str(duel.seed)
    seatings = words.n("{count} seating", "{count} seatings", len(duel.lineup))
    return words.t(
        "{decks} of {rules}, each in {seatings}, seed {seed}",
        decks=_decks(words, arena),
        rules=rules,
        seatings=seatings,
        seed=seed,
    )


def _decks(words: Words, arena: Arena) -> str:
    """Number of decks played; in the duel with the most, if they differ."""
    most = max(result.standing.decks for result in arena.meeting.results)
    if arena.meeting.results[0].duel.matches:
        return words.n("{count} match", "{count} matches", most)
    return words.n("{count} deal", "{count} deals", most)


def played(words: Words, arena: Arena) -> str:
    """Sentence about the game, the players, and the time that it took."""
    names = [contestant.name for contestant in arena.meeting.contestants]
    time = duration(words, arena.seconds)
    sides = arena.meeting.results[0].duel.sides
    if len(names) == 2:
        company = words.t("{one} against {other}", one=names[0], other=names[1]) + "."
    elif len(sides) > 2:
        company = words.t("At one table: {players}.", players=", ".join(names))
    else:
        company = words.t("Two at a time: {players}.", players=", ".join(names))
    took = words.t("It took {time}.", time=time)
    return f"{heading(words, arena)}. {company} {took}"


class ArenaReport(PlayReport):
    """The report in the words of one language."""

    def __init__(self, words: Words, arena: Arena) -> None:
        duel = arena.meeting.results[0].duel
        super().__init__(words, duel.rules, duel.matches)
        self._meeting = arena.meeting
        self._staked = duel.rules.stakes.settlement is not Settlement.NONE

    def lines(self, width: int | None) -> Lines:
        """All lines of the report; for the width, see `table_or_sentences`."""
        many = len(self._meeting.contestants) > 2
        return (
            *(self._margins(width) if many else self._verdicts()),
            *self._players(width),
            *self._thinking(width),
            *(self._ratings(width) if many else ()),
            *self._forfeits(),
            *self._endings(),
        )

    # Margins

    def _pairs(self) -> Iterator[tuple[Contestant, Contestant]]:
        return combinations(self._meeting.contestants, 2)

    def _verdicts(self) -> Iterator[str]:
        """Sentences for each pair: the player with fewer points, and the one with more wins."""
        for first, second in self._pairs():
            yield verdict(self._words, first, second, self._meeting.margin(first, second))
            yield from self._ahead(first, second)

    def _ahead(self, first: Contestant, second: Contestant) -> Iterator[str]:
        """Sentences on the lead in matches, and in stakes if there are any."""
        if self._matches:
            yield leading(self._words, first, second, self._meeting.lead(first, second))
        if self._matches and self._staked:
            gain = self._meeting.gain(first, second)
            show = partial(decimal, places=places_for([gain]))
            yield leading(self._words, first, second, gain, _GAINS, show)

    def _margins(self, width: int | None) -> Lines:
        text = self._words.t(
            "How many fewer points each player takes than the others, per deal and seat:"
        )
        note = self._words.t("The margins given after ± hold 95 times out of 100.")
        leads = [line for pair in self._pairs() for line in self._ahead(*pair)]
        return table_or_sentences(
            width,
            self._margin_rows(),
            self._verdicts(),
            before=["", text],
            after=["", note, *leads],
        )

    def _margin_rows(self) -> Iterator[Row]:
        contestants = self._meeting.contestants
        yield [self._words.t("Player"), *(contestant.name for contestant in contestants)]
        margins = {pair: self._meeting.margin(*pair) for pair in self._pairs()}
        places = places_for(margins.values())
        for own in contestants:
            cells = []
            for other in contestants:
                if own is other:
                    cells.append(THIN)
                elif (own, other) in margins:
                    cells.append(with_margin(self._words, margins[own, other], places))
                else:
                    cells.append(with_margin(self._words, _negated(margins[other, own]), places))
            yield [own.name, *cells]

    # Results of each player

    def _players(self, width: int | None) -> Lines:
        rows, sentences = self._player_rows(), self._player_sentences()
        return table_or_sentences(width, rows, sentences, before=[""])

    def _player_rows(self) -> Iterator[Row]:
        _ = self._words.t
        yield [_("Player"), _("Points per deal"), *self._heads()]
        for contestant in self._meeting.contestants:
            side, deals = self._meeting.side(contestant), self._meeting.deals(contestant)
            cells = self._cells(
                percent(self._words, side.queens / max(1, deals)),
                self._words.number(side.moons),
                self._words.number(side.slams),
                percent(self._words, _won(side)),
            )
            yield [contestant.name, decimal(self._words, _points(side), 2), *cells]

    def _player_sentences(self) -> Iterator[str]:
        words = self._words
        for contestant in self._meeting.contestants:
            side, deals = self._meeting.side(contestant), self._meeting.deals(contestant)
            text = [
                words.t(
                    "{player}: {points} points per deal in each seat",
                    player=contestant.name,
                    points=decimal(words, _points(side), 2),
                )
            ]
            queens = percent(words, side.queens / max(1, deals))
            text += self._doings(queens, side.moons, side.slams)
            if self._matches:
                share = percent(words, _won(side))
                text.append(words.t("each seat wins {share} of the matches", share=share))
            yield words.t("; ").join(text) + "."

    # Time and work of their choices

    def _thinking(self, width: int | None) -> Lines:
        thinkers = [
            (contestant, choices)
            for contestant in self._meeting.contestants
            if (choices := self._meeting.side(contestant).choices).number
        ]
        if not thinkers:
            return ()
        note = self._words.t("Milliseconds per choice between several cards or passes.")
        rows, sentences = self._thinking_rows(thinkers), self._thinking_sentences(thinkers)
        return table_or_sentences(width, rows, sentences, before=[""], after=["", note])

    def _thinking_rows(self, thinkers: Sequence[tuple[Contestant, Choices]]) -> Iterator[Row]:
        _ = self._words.t
        searching = any(choices.simulations for _, choices in thinkers)
        heads = [_("Player"), _("Choices"), _("Mean"), _("Median"), _("99 of 100"), _("Longest")]
        yield [*heads, *((_("Worlds"), _("Simulations")) if searching else ())]
        for contestant, choices in thinkers:
            searched = choices.worlds_per_choice, choices.simulations_per_choice
            yield [
                contestant.name,
                self._words.number(choices.number),
                *(milliseconds(self._words, time) for time in _times(choices)),
                *(decimal(self._words, each, 0) for each in searched if searching),
            ]

    def _thinking_sentences(self, thinkers: Sequence[tuple[Contestant, Choices]]) -> Iterator[str]:
        words = self._words
        for contestant, choices in thinkers:
            mean, median, most, longest = (milliseconds(words, time) for time in _times(choices))
            text = words.t(
                "{player}: {mean} milliseconds per choice on average; half took {median} or "
                "less, 99 out of 100 took {most} or less, the slowest took {longest}",
                player=contestant.name,
                mean=mean,
                median=median,
                most=most,
                longest=longest,
            )
            if choices.simulations:
                text += words.t("; ") + words.t(
                    "{simulations} simulations per choice, in {worlds} possible worlds",
                    simulations=decimal(words, choices.simulations_per_choice, 0),
                    worlds=decimal(words, choices.worlds_per_choice, 0),
                )
            yield f"{text}."

    # Ratings

    def _ratings(self, width: int | None) -> Lines:
        words = self._words
        rated = zip(self._meeting.contestants, self._meeting.ratings(), strict=True)
        ranked = sorted(rated, key=lambda pair: -pair[1].mu)
        estimates = [
            (contestant, Mean(mu, (mu - 2 * sigma, mu + 2 * sigma)))
            for contestant, (mu, sigma) in ranked
        ]
        rows = [[words.t("Player"), words.t("Rating")]]
        rows += [[who.name, with_margin(words, rating, 1)] for who, rating in estimates]
        note = words.t("The average rating is 25; a margin is two standard deviations.")
        sentences = [
            words.t(
                "{player}: rating {rating}.", player=who.name, rating=give_or_take(words, rating, 1)
            )
            for who, rating in estimates
        ]
        return table_or_sentences(width, rows, [*sentences, note], before=[""], after=["", note])

    # Other facts

    def _forfeits(self) -> Iterator[str]:
        for contestant in self._meeting.contestants:
            forfeits = self._meeting.side(contestant).choices.forfeits
            if forfeits:
                reasons = ", ".join(
                    f"{self._words.t(FORFEITS.get(reason, reason))} {self._words.number(times)}"
                    for reason, times in forfeits.items()
                )
                yield self._words.n(
                    "{player} has forfeited {count} choice ({reasons}).",
                    "{player} has forfeited {count} choices ({reasons}).",
                    sum(forfeits.values()),
                    player=contestant.name,
                    reasons=reasons,
                )

    def _endings(self) -> Iterator[str]:
        for result in self._meeting.results:
            if result.ending in ENDINGS:
                text = self._ending(result)
                if len(self._meeting.results) > 1:
                    names = " – ".join(side.name for side in result.duel.sides)
                    text = text[:1].lower() + text[1:]
                    text = self._words.t("{players}: {told}", players=names, told=text)
                yield text

    def _ending(self, result: DuelResult) -> str:
        words, decks = self._words, result.standing.decks
        if self._matches:
            length = words.n(
                "Finished after {count} match", "Finished after {count} matches", decks
            )
        else:
            length = words.n("Finished after {count} deal", "Finished after {count} deals", decks)
        return words.t(ENDINGS[result.ending], length=length)


ENDINGS: Final[dict[DuelEnding | None, str]] = {
    DuelEnding.NARROW: N_("{length}, as the margin is narrow enough."),
    DuelEnding.DECIDED: N_(
        "{length}, as it is clear who plays better. The margin allows for the repeated checks."
    ),
}

FORFEITS: Final = {
    "died": N_("ended"),
    "late": N_("too late"),
    "garbled": N_("not understood"),
    "illegal": N_("illegal"),
    "refused": N_("refused to answer"),
}
"""Reasons why an outside engine failed to choose; see `volte.engine.Forfeit`."""


def pair_margins(words: Words, arena: Arena) -> list[tuple[str, Mean]]:
    """Title of each pair, and the points that the first takes fewer."""
    return [
        (
            words.t("{one} against {other}", one=first.name, other=second.name),
            arena.meeting.margin(first, second),
        )
        for first, second in combinations(arena.meeting.contestants, 2)
    ]


def verdict(words: Words, first: Contestant, second: Contestant, found: Mean) -> str:
    """Sentence on the player that takes fewer points, and whether that is clear."""
    if found.value < 0:
        first, second, found = second, first, _negated(found)
    places = places_for([found])
    params = {
        "better": first.name,
        "worse": second.name,
        "points": decimal(words, found.value, places),
    }
    half = found.margin
    if half is None:
        return words.t(
            "{better} takes {points} fewer points per deal and seat than {worse}.", **params
        )
    params["margin"] = decimal(words, half, places)
    if found.value <= half:
        return words.t(
            "Neither is clearly better: {better} takes {points} fewer points per deal and seat "
            "than {worse}, give or take {margin} (95 times out of 100).",
            **params,
        )
    return words.t(
        "{better} is better: it takes {points} fewer points per deal and seat than {worse}, "
        "give or take {margin} (95 times in 100).",
        **params,
    )


_LEADS: Final = (
    N_("Per seat, {better} wins {share} more of the matches than {worse}."),
    N_("Per seat, {better} wins {share} more of the matches than {worse}, give or take {margin}."),
)
_GAINS: Final = (
    N_("Per match and seat, {better} wins {stakes} more stakes than {worse}."),
    N_(
        "Per match and seat, {better} wins {stakes} more stakes than {worse}, give or take "
        "{margin}."
    ),
)


def leading(
    words: Words,
    first: Contestant,
    second: Contestant,
    found: Mean,
    messages: tuple[str, str] = _LEADS,
    show: Callable[[Words, float], str] = percent,
) -> str:
    """Sentence on the player that wins more by seat: a share of the matches, or stakes.

    Args:
        messages: without a margin, and with one.
        show: writes the amount.
    """
    if found.value < 0:
        first, second, found = second, first, _negated(found)
    half, amount = found.margin, show(words, found.value)
    params = {"better": first.name, "worse": second.name, "share": amount, "stakes": amount}
    if half is None:
        return words.t(messages[0], **params)
    return words.t(messages[1], margin=show(words, half), **params)


def interrupted(words: Words, arena: Arena, may_go_on: bool) -> str:
    """Message that playing was stopped, with the share played, and the way to resume."""
    results = arena.meeting.results
    done = sum(result.standing.games for result in results)
    whole = sum(result.duel.decks * len(result.duel.lineup) for result in results)
    text = words.t(
        "Stopped after {share} of the total.", share=percent(words, done / max(1, whole))
    )
    if may_go_on:
        goes_on = words.t("Run the same command again to continue.")
    else:
        goes_on = words.t("Next time, add --keep to be able to continue.")
    return f"{text} {goes_on}"


def milliseconds(words: Words, time: float) -> str:
    """Milliseconds, without meaningless digits."""
    return decimal(words, time, 2 if time < 1 else 1 if time < 100 else 0)


def _times(choices: Choices) -> tuple[float, float, float, float]:
    longest = choices.longest / 1000
    return choices.mean, choices.slowest_but(0.5), choices.slowest_but(0.99), longest


def _negated(estimate: Mean) -> Mean:
    interval = estimate.interval and (-estimate.interval[1], -estimate.interval[0])
    return Mean(-estimate.value, interval)


def _points(side: SideTotals) -> float:
    """Points per deal and seat."""
    return side.points / max(1, side.seats)


def _won(side: SideTotals) -> float:
    """Part of a match that one seat wins."""
    return side.wins / WHOLE_WIN / max(1, side.matches)
