"""The score-keeper's sheet told to whoever keeps it: the deal that comes, and what was entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from volte.cards import Card
from volte.referee import Misdeal
from volte.rules import Direction, Opening, Ruleset, described
from volte.say.language import N_, Language
from volte.say.rulesheet.options import preset_title
from volte.scorekeeper.model import (
    Coming,
    Counted,
    Misdealt,
    Row,
    RowKind,
    Sheet,
    Stopped,
    Table,
    Taken,
    Told,
    coming,
)

Lines = tuple[str, ...]

_WAYS: Final = {
    Direction.LEFT: N_("to the left"),
    Direction.RIGHT: N_("to the right"),
    Direction.SECOND_LEFT: N_("to the second on the left"),
    Direction.SECOND_RIGHT: N_("to the second on the right"),
    Direction.ACROSS: N_("across"),
}
_CAUSES: Final = {
    Misdeal.EXPOSED: N_("Misdeal: a card was exposed (I1)."),
    Misdeal.COUNT: N_("Misdeal: somebody had too many cards or too few (I1)."),
}


class TableTelling:
    """A score sheet, to be told in a language.

    Args:
        names: by seat.
        me: the seat of the listener, who is called "you" in the names too; None for nobody.
    """

    def __init__(
        self, language: Language, names: Sequence[str], table: Table, me: int | None = None
    ) -> None:
        self.t = language.t
        self.n = language.n
        self.language = language
        self.players = names
        self.table = table
        self.me = me
        self.sides = table.sides or tuple((seat,) for seat in range(len(names)))

    def by(self, seat: int, own: str, other: str) -> str:
        """What a seat did, told to that seat in the second person, or with `{player}`."""
        return self.t(own) if seat == self.me else self.t(other, player=self.who(seat))

    def who(self, seat: int) -> str:
        """A name, as it was written down."""
        return self.players[seat]

    def names(self, seats: Iterable[int]) -> str:
        return self.language.listed([self.who(seat) for seat in seats])

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that play together with that one (W10)."""
        return next(side for side in self.sides if seat in side)

    def points(self, count: int) -> str:
        return self.n("{count} point", "{count} points", count)

    def series(self, items: Iterable[str]) -> str:
        """Items that may have commas of their own."""
        return self.t("; ").join(items)

    def counts(self, counts: Sequence[int]) -> str:
        """A number for each player, or for each side: "Anne 3; Bruno 12"."""
        return self.series(
            self.t("{name} {count}", name=self.names(side), count=counts[side[0]])
            for side in self.sides
        )


class SheetTelling(TableTelling):
    """A sheet of the score-keeper, to be told."""

    def __init__(self, language: Language, sheet: Sheet) -> None:
        super().__init__(language, sheet.names, sheet.table)
        self.sheet = sheet


def labels(table: Table) -> Lines:
    """What each line is called: deals have their numbers, misdeals M1, lines struck out X1."""
    found: list[str] = []
    misdeals = struck = 0
    for row in table.rows:
        if row.number is not None:
            found.append(str(row.number))
        elif row.kind is RowKind.MISDEAL:
            misdeals += 1
            found.append(f"M{misdeals}")
        else:
            struck += 1
            found.append(f"X{struck}")
    return tuple(found)


def rules_title(language: Language, rules: Ruleset) -> str:
    """What is played, in a few words: "Les Cœurs by the average, queen_points=12"."""
    preset, differences = described(rules)
    changed = (f"{name}={value}" for name, value in differences.items() if name != "players")
    return ", ".join((preset_title(language, preset), *changed))


# The deal that comes


def next_deal(language: Language, sheet: Sheet) -> str:
    """The deal that comes, in one sentence: number, dealer, cut and pass."""
    due = coming(sheet)
    assert due is not None
    telling = SheetTelling(language, sheet)
    if due.dealer is None or due.cutter is None:
        message = N_("Deal {number}: {way}.")
        return telling.t(message, number=due.number, way=_way(telling, due))
    return telling.t(
        "Deal {number}: {dealer} deals, {cutter} cuts, {way}.",
        number=due.number,
        dealer=telling.who(due.dealer),
        cutter=telling.who(due.cutter),
        way=_way(telling, due),
    )


def whose_deal(language: Language, sheet: Sheet) -> Lines:
    """T: the same, with who leads, and how many deals are left."""
    telling = SheetTelling(language, sheet)
    due = coming(sheet)
    if due is None:
        return ending(language, sheet)
    lines = [next_deal(language, sheet)]
    if due.eldest is None:
        lines.append(telling.t("Nobody has said who deals first."))
    elif sheet.rules.play.opening is Opening.ELDEST:
        lines.append(telling.t("{name} leads to the first trick.", name=telling.who(due.eldest)))
    if due.tied:
        lines.append(_tie(telling, due.tied))
    if due.deals_left is not None:
        lines.append(
            telling.n(
                "This is the last deal.",
                "{count} deals are left, this one among them.",
                due.deals_left,
            )
        )
    return tuple(lines)


def _way(telling: TableTelling, due: Coming) -> str:
    if due.direction is Direction.HOLD or not due.count:
        return telling.t("no pass")
    if due.direction is Direction.SCATTER:
        return telling.t("one card to each of the others")
    way = telling.t(_WAYS[due.direction])
    return telling.n("{count} card {way}", "{count} cards {way}", due.count, way=way)


# What was entered


def told_row(telling: TableTelling, row: Row) -> str:
    """What a line says, as it was understood: cards, points and their sum."""
    if row.kind is RowKind.STRUCK:
        label = labels(telling.table)[row.line - 1]
        return telling.t("Line {label} is struck out.", label=label)
    if row.kind is RowKind.MISDEAL:
        return _misdeal(telling, row)
    parts = [*how_it_came(telling, row), _points(telling, row)]
    if row.beyond:
        message = N_("The match was over before deal {number}: it does not count.")
        parts.append(telling.t(message, number=row.number))
    return " ".join(parts)


def after_row(language: Language, sheet: Sheet) -> Lines:
    """The running totals and who leads; at the end, who wins."""
    telling = SheetTelling(language, sheet)
    table = sheet.table
    if not table.deals:
        return ()
    parts = []
    if len(table.deals) > 1:
        parts.append(telling.t("Totals: {totals}.", totals=telling.counts(table.totals)))
    if not table.over:
        parts.append(_tie(telling, table.tied) if table.tied else _lead(telling))
    return tuple([" ".join(parts)] if parts else [])


def scores(language: Language, sheet: Sheet) -> Lines:
    """S: the totals, and who leads."""
    telling = SheetTelling(language, sheet)
    if not sheet.table.deals:
        return (telling.t("No deal has been scored yet."),)
    told = telling.t("Totals: {totals}.", totals=telling.counts(sheet.table.totals))
    if sheet.table.over:
        return (told, *ending(language, sheet))
    tied = sheet.table.tied
    return (told, _lead(telling), *([_tie(telling, tied)] if tied else []))


def ending(language: Language, sheet: Sheet) -> Lines:
    """Who has won."""
    return won(SheetTelling(language, sheet))


def won(telling: TableTelling) -> Lines:
    """Who has won a match that is over."""
    table = telling.table
    points = telling.points(table.totals[table.winners[0]])
    if len(table.winners) == 1:
        message = N_("{player} wins the match with {points}.")
        return (telling.t(message, player=telling.who(table.winners[0]), points=points),)
    if len({telling.side(seat) for seat in table.winners}) == 1:
        message = N_("{players} win the match with {points}.")
        return (telling.t(message, players=telling.names(table.winners), points=points),)
    message = N_("{players} share the win with {points}.")
    return (telling.t(message, players=telling.names(table.winners), points=points),)


def _lead(telling: TableTelling) -> str:
    table = telling.table
    points = telling.points(table.totals[table.leaders[0]])
    names = telling.names(table.leaders)
    return telling.t("In the lead: {names}, with {points}.", names=names, points=points)


def _tie(telling: TableTelling, tied: Sequence[int]) -> str:
    """Why the match goes on (W9)."""
    points = telling.points(telling.table.totals[tied[0]])
    message = N_("{names} tie at {points}, the lowest total: another deal is played (W9).")
    return telling.t(message, names=telling.names(tied), points=points)


def how_it_came(telling: TableTelling, row: Row) -> Iterator[str]:
    """How the points of a deal came about."""
    if row.kind is RowKind.PLAYED:
        yield telling.t("Deal {number}.", number=row.number)
    else:
        yield telling.t("Deal {number} was stopped.", number=row.number)
    yield from remarks(telling, row)
    everything = row.moon is not None or row.slam is not None
    if row.hearts is not None and not everything:
        one_by_one = len(row.hearts) == len(telling.players)
        groups = [(seat,) for seat in range(len(row.hearts))] if one_by_one else telling.sides
        piles = [_pile(telling, row, *each) for each in zip(groups, row.hearts, strict=True)]
        yield telling.t("Hearts: {hearts}.", hearts=telling.series(piles))
    elif row.slam is None:
        if row.jack is not None:
            yield telling.t("{name} has the jack of diamonds.", name=telling.who(row.jack))
        for took in row.others if row.hearts is None else ():
            names = telling.names(dict.fromkeys(took.seats))
            yield telling.t("{names}: {card:the}.", card=took.card, names=names)
    if row.trickless and row.slam is None:
        yield telling.t("No trick: {names} (W6).", names=telling.names(row.trickless))
    yield from how_it_counts(telling, row)


def remarks(telling: TableTelling, row: Row) -> Iterator[str]:
    """What points alone do not say of a deal."""
    t = telling.t
    if row.revoked:
        yield t("Revoke: {names} (I5).", names=telling.names(row.revoked))
    if row.mixed:
        yield t("Mixed tricks: {names} (I7).", names=telling.names(row.mixed))
    if row.missing:
        yield t("Missing from the pack: {cards:the} (I8).", cards=row.missing)
    yield from _everything(telling, row)
    if row.provisional:
        yield t("Not yet final.")


def _everything(telling: TableTelling, row: Row) -> Iterator[str]:
    """A moon or a slam, of a player or of a side."""
    doer = row.moon if row.slam is None else row.slam
    if doer is None:
        return
    side = telling.side(doer) if telling.table.side_moons else (doer,)
    if len(side) > 1:
        names = telling.names(side)
        slam = N_("A slam! {players} have taken every trick together.")
        moon = N_("{players} have shot the moon, and took every penalty card together!")
        yield telling.t(moon if row.slam is None else slam, players=names)
    elif row.slam is not None:
        own = N_("A slam! You have taken every trick.")
        yield telling.by(row.slam, own, N_("A slam! {player} has taken every trick."))
    else:
        own = N_("You have shot the moon: you took every penalty card!")
        other = N_("{player} has shot the moon, and took every penalty card!")
        yield telling.by(doer, own, other)


def how_it_counts(telling: TableTelling, row: Row) -> Iterator[str]:
    """Which way a moon counts where there are two, and whose total has fallen to half (W7, W9)."""
    t = telling.t
    if row.minus and row.by_totals:
        yield t("Plus would have lost the match, so it is taken off the shooter (W7).")
    elif row.minus:
        yield t("It is taken off the shooter, and costs the others nothing (W7).")
    for side in telling.sides:
        if side[0] in row.halved and telling.table.limit is not None:
            yield t(
                "Exactly {limit} falls to half: {name} {limit} → {half} (W9).",
                name=telling.names(side),
                limit=telling.table.limit,
                half=row.totals[side[0]],
            )


def _pile(telling: TableTelling, row: Row, seats: Sequence[int], hearts: int) -> str:
    """What somebody took, or a side: "Bruno 6 and the queen", "David none"."""
    language = telling.language
    parts = [language.number(hearts)] * bool(hearts)
    parts += [telling.t("the queen")] * (row.queen in seats)
    parts += [telling.t("the jack")] * (row.jack in seats)
    for took in row.others:
        count = sum(seat in seats for seat in took.seats)
        if count:
            parts.append(_both(language, took.card) if count > 1 else _the(language, took.card))
    told = language.listed(parts) if parts else telling.t("none")
    return f"{telling.names(seats)} {told}"


def _the(language: Language, card: Card) -> str:
    return language.grammar.card(card, "the")


def _both(language: Language, card: Card) -> str:
    return language.pair(card, "the")


def _points(telling: TableTelling, row: Row) -> str:
    each = [row.points[side[0]] for side in telling.sides]
    total = sum(each)
    if row.hearts is None or telling.table.partners:
        points = telling.counts(row.points)
    else:
        points = ", ".join(map(telling.language.number, each))
    return telling.t("Points: {points}. {total} in all.", points=points, total=total)


def _misdeal(telling: TableTelling, row: Row) -> str:
    assert row.cause is not None
    told = telling.t(_CAUSES[row.cause])
    if row.dealer is None:
        return " ".join((told, telling.t("The player to the left deals.")))
    following = telling.who((row.dealer + 1) % len(telling.players))
    message = N_("{name} loses the deal, and {following} deals.")
    return f"{told} {telling.t(message, name=telling.who(row.dealer), following=following)}"


# As it would be typed


def typed(language: Language, names: Sequence[str], told: Told | None) -> str:
    """A line as somebody could type it: "4 6q 3 0", "= 10 12 3 0", "revoke Anne"."""
    t = language.t
    match told:
        case None:
            return t("struck out")
        case Taken(all_tricks=int(seat)):
            return " ".join((t("slam"), names[seat], *_behind(language, names, told)))
        case Taken():
            counts = _marked(language, told.hearts, told.queen, told.jack)
            return " ".join((*counts, *_behind(language, names, told)))
        case Counted():
            counts = _marked(language, told.points, None, told.jack)
            return " ".join(("=", *counts, *_behind(language, names, told)))
        case Stopped():
            parts = [t("revoke"), *(names[seat] for seat in told.revoked)] * bool(told.revoked)
            if told.mixed:
                parts += [t("mixed"), *(names[seat] for seat in told.mixed)]
            return " ".join(parts)
        case Misdealt(Misdeal.EXPOSED):
            return t("misdeal exposed")
    return t("misdeal count")


def _marked(
    language: Language, counts: Sequence[int | None], queen: int | None, jack: int | None
) -> Iterator[str]:
    """Numbers and what stands behind them: q and j, in French d and v."""
    queens, jacks = language.t("q"), language.t("j")
    for seat, count in enumerate(counts):
        yield f"{count}{queens * (seat == queen)}{jacks * (seat == jack)}"


def _behind(language: Language, names: Sequence[str], told: Taken | Counted) -> Iterator[str]:
    """What stands behind the numbers: other cards, who took no trick, the way of a moon."""
    t = language.t
    for took in told.others:
        takers = " ".join(names[seat] for seat in dict.fromkeys(took.seats))
        yield f"{language.grammar.card(took.card, 'short')} {takers}"
    if told.trickless is not None:
        idle = " ".join(names[seat] for seat in told.trickless)
        yield t("no trick {names}", names=idle or t("nobody"))
    if told.minus is not None:
        yield t("minus") if told.minus else t("plus")
    if told.missing:
        cards = " ".join(language.grammar.card(card, "short") for card in told.missing)
        yield t("missing {cards}", cards=cards)
