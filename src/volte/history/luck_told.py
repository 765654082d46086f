"""Luck and play in words: of one match, and of all matches of a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from typing import Final, NamedTuple

from volte.bots.judged import Parts
from volte.history.luck import SURE, LuckMean, LuckSpan, LuckSum, SeatLuck, spans
from volte.history.review import about, signed, tenths
from volte.rules import Ruleset
from volte.say import N_, Words
from volte.say.formats import date_text, month_text
from volte.say.measures import decimal
from volte.say.telling import Lines
from volte.scene.chart import chart_of_luck

Row = tuple[str, ...]

# One match

IN_MATCH: Final = {
    (1, 1): N_("In this match, luck cost you {luck}, and the play cost you {play}."),
    (1, -1): N_("In this match, luck cost you {luck}, but the play saved you {play}."),
    (-1, 1): N_("In this match, luck saved you {luck}, but the play cost you {play}."),
    (-1, -1): N_("In this match, luck saved you {luck}, and the play saved you {play}."),
    (1, 0): N_("In this match, luck cost you {luck}, and the play made no difference."),
    (-1, 0): N_("In this match, luck saved you {luck}, and the play made no difference."),
    (0, 1): N_("In this match, luck made no difference, and the play cost you {play}."),
    (0, -1): N_("In this match, luck made no difference, and the play saved you {play}."),
    (0, 0): N_("In this match, neither luck nor the play made a difference."),
}
"""Sentences by the signs of the points, to a tenth, that luck and the play have cost."""

LUCKY: Final = {
    True: N_("Deal {deal}: your cards alone cost you {points} more than an average hand."),
    False: N_("Deal {deal}: your cards alone cost you {points} less than an average hand."),
}
"""Sentences about a deal with much luck, by whether it was bad luck."""


def match_told(words: Words, parts: Parts | None, lost: int, rules: Ruleset) -> Lines:
    """Tell a player how much of a match was luck, and how much play.

    Args:
        parts: over the deals counted; None if there are none.
        lost: number of the other deals.
        rules: of the match.
    """
    lines = []
    if parts is not None:
        luck, play = (about(words, abs(each)) for each in (parts.luck, parts.play))
        message = IN_MATCH[_sign(parts.luck), _sign(parts.play)]
        lines.append(words.t(message, luck=luck, play=play))
    if lost and rules.deck.packs > 1:
        lines.append(words.t("With two packs, nobody can tell what the cards were worth."))
    elif lost:
        lines.append(
            words.n(
                "For {count} deal, there is no telling what the cards were worth.",
                "For {count} deals, there is no telling what the cards were worth.",
                lost,
            )
        )
    return tuple(lines)


def _sign(points: float) -> int:
    """The sign of points as they are told, to a tenth."""
    told = tenths(points)
    return (told > 0) - (told < 0)


class LuckyDeal(NamedTuple):
    """A deal with much luck, good or bad, in words."""

    number: int
    line: str


class MatchLuckTold(NamedTuple):
    """Luck and play of a seat in a match, in words."""

    lines: Lines
    deals: tuple[LuckyDeal, ...]  # with much luck
    rows: tuple[Row, ...]  # by deal counted: number, points, luck, play
    chart: str

    @property
    def sentences(self) -> Lines:
        """The sentences about the match and about its lucky deals."""
        return (*self.lines, *(deal.line for deal in self.deals))


def luck_told(words: Words, luck: SeatLuck, rules: Ruleset) -> MatchLuckTold:
    """Tell a player the luck in a match, deal by deal."""
    course = luck.course["deals"]
    counts = [(words.number(number), words.number(points)) for number, points, _, _ in course]
    both = [(lucky, play) for _, _, lucky, play in course]
    return MatchLuckTold(
        match_told(words, luck.parts, luck.lost, rules),
        tuple(
            LuckyDeal(number, lucky_told(words, number, each)) for number, each in luck.lucky(rules)
        ),
        tuple(
            (*some, *(signed(words, each) for each in two))
            for some, two in zip(counts, both, strict=True)
        ),
        _chart(words, both) if len(both) > 1 else "",
    )


def lucky_told(words: Words, deal: int, luck: float) -> str:
    """Tell a player how much luck they had in a deal."""
    return words.t(LUCKY[luck > 0], deal=deal, points=about(words, abs(luck)))


# All matches

LUCK: Final = {
    True: N_("Luck has cost you {points} a deal."),
    False: N_("Luck has saved you {points} a deal."),
}
PLAY: Final = {
    True: N_("The play has cost you {points} a deal."),
    False: N_("The play has saved you {points} a deal."),
}
"""Sentences by whether it has cost points."""

TOO_FEW: Final = N_("There are too few deals to tell that from chance.")
CHANCE: Final = N_("That is no more than chance.")
SURELY: Final = (
    N_("By chance, only one player in twenty has so much luck, good or bad."),
    N_("That is more than chance."),
)
"""Sentences about luck, and about play, that are more than two standard errors from 0."""

MARKS: Final = {True: N_("more than chance"), False: N_("chance")}
"""Marks of means, by whether they are more than chance."""

FEW_DEALS: Final = N_("too few deals")
"""Mark of means that one cannot tell from chance."""


class LuckOverall(NamedTuple):
    """Luck and play over all matches of a person, in words."""

    lines: Lines
    games: tuple[Row, ...]  # by game: title, matches, deals; points, share, luck and play a deal
    # By span: its name; deals, luck, play, sums of both since the beginning, and how much luck
    # chance explains
    spans: tuple[Row, ...]
    chart: str


def overall_told(
    words: Words, sums: Sequence[LuckSum], titles: dict[str, str]
) -> LuckOverall | None:
    """Tell a person their luck and play over all matches; None where no deal was counted.

    Args:
        sums: by game and day.
        titles: of the games, in their order.
    """
    whole = LuckSum.over(sums)
    if not whole.deals:
        return None
    by_game = [LuckSum.over((each for each in sums if each.rules == game), game) for game in titles]
    some = spans(sums)
    return LuckOverall(
        tuple(_sentences(words, whole)),
        tuple((titles[each.rules], *_a_deal(words, each)) for each in by_game if each.deals),
        tuple(_span_rows(words, some)),
        _chart(
            words,
            [(each.sums.luck, each.sums.play) for each in some],
            [each.sums.luck_squares for each in some],
        ),
    )


def missing_told(words: Words, silent: int, waiting: int, able: bool) -> Lines:
    """Tell a person which of their matches are not counted.

    Args:
        silent: number of matches where luck cannot be known.
        waiting: number of matches where it is not known yet.
        able: whether it can be worked out here.
    """
    lines = []
    if silent:
        lines.append(
            words.n(
                "In {count} match, nobody can tell what was luck: with two packs, or where cards "
                "were missing.",
                "In {count} matches, nobody can tell what was luck: with two packs, or where "
                "cards were missing.",
                silent,
            )
        )
    if waiting and able:
        lines.append(
            words.n(
                "{count} match is still to be worked out.",
                "{count} matches are still to be worked out.",
                waiting,
            )
        )
    elif waiting:
        lines.append(
            words.n(
                "{count} match does not count: to tell luck, this server needs the extra “strong”.",
                "{count} matches do not count: to tell luck, this server needs the extra “strong”.",
                waiting,
            )
        )
    return tuple(lines)


def _sentences(words: Words, whole: LuckSum) -> Iterator[str]:
    for messages, surely, mean in zip(
        (LUCK, PLAY), SURELY, (whole.mean_luck, whole.mean_play), strict=True
    ):
        points = words.points(Fraction(round(100 * abs(mean.value)), 100))
        verdict = TOO_FEW if mean.few else surely if mean.sure else CHANCE
        yield f"{words.t(messages[mean.value > 0], points=points)} {words.t(verdict)}"


def _a_deal(words: Words, sums: LuckSum) -> Iterator[str]:
    yield words.number(sums.matches)
    yield words.number(sums.deals)
    yield decimal(words, sums.points / sums.deals, 2)
    yield decimal(words, sums.share / sums.deals, 2)
    yield _mean(words, sums.mean_luck)
    yield _mean(words, sums.mean_play)


def _mean(words: Words, mean: LuckMean) -> str:
    """A mean with its margin of two standard errors, marked where it may be chance."""
    text = decimal(words, mean.value, 2)
    text = f"+{text}" if round(mean.value, 2) > 0 else text
    if mean.error is not None:
        text = f"{text} ± {decimal(words, SURE * mean.error, 2)}"
    mark = FEW_DEALS if mean.few else MARKS[mean.sure]
    return words.t("{mean} ({mark})", mean=text, mark=words.t(mark))


def _span_rows(words: Words, some: Sequence[LuckSpan]) -> Iterator[Row]:
    luck = play = squares = 0.0
    for parts, sums in some:
        luck, play = luck + sums.luck, play + sums.play
        squares += sums.luck_squares
        yield (
            _span_name(words, parts),
            words.number(sums.deals),
            *(signed(words, each) for each in (sums.luck, sums.play, luck, play)),
            f"± {decimal(words, SURE * sqrt(squares), 1)}",
        )


def _span_name(words: Words, parts: tuple[int, ...]) -> str:
    if len(parts) == 3:
        return date_text(words.lang, date(*parts), "medium")
    return month_text(words.lang, date(*parts, 1)) if len(parts) == 2 else str(parts[0])


def _chart(words: Words, both: Sequence[tuple[float, float]], squares: Sequence[float] = ()) -> str:
    """The sums of luck and of play, with the bounds of chance if the squares of luck are known."""
    luck, play = (list(accumulate(some)) for some in zip(*both, strict=True))
    sums = [(round(one), round(other)) for one, other in zip(luck, play, strict=True)]
    chance = [round(SURE * sqrt(each)) for each in accumulate(squares)]
    return chart_of_luck(words, [words.t("Luck"), words.p("luck", "Play")], sums, chance)
