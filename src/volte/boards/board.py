"""Boards: deals kept to be played again; and tries, each by one person at one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from volte import game, referee
from volte.bots import is_ours
from volte.cards import Card, in_first_pack
from volte.game.codec import card_text, encode, read_card
from volte.game.dealing import deck_of
from volte.history.results import moons_of
from volte.rules import Direction, Ruleset, described, make_ruleset
from volte.table import happenings as hap
from volte.table.admission import USUAL
from volte.table.happenings import Happening


class BoardDeal(msgspec.Struct, frozen=True):
    """The cards of a board, and the seat from which everybody plays them."""

    rules: Ruleset  # of a match of this one deal
    dealer: int
    deck: tuple[Card, ...]  # in the order in which it is dealt, from the dealer's left
    seat: int
    levels: tuple[str, ...]  # by seat, the level of its bot; empty at the seat to be played


class Board(msgspec.Struct, frozen=True):
    """A deal kept to be played again, as it is stored."""

    id: str  # 32 hexadecimal digits; of a deal fixed beforehand its time: `2026-12-01`
    maker: str  # id of the person who has made it; empty for a fixed deal and after they left
    match: str  # id of the match that it is of; empty for a fixed deal
    number: int  # of the deal in that match
    cards: bytes  # a `BoardDeal` as JSON
    secret: bytes  # of a fixed deal, the 32 bytes from which it is shuffled; else empty
    master: bytes  # 32 bytes from which the bots' seeds are drawn, never shown to anybody
    made: float  # seconds since 1970
    ended: float | None  # time when its address ended; None while it works
    told: float | None  # time since which the secret of a fixed deal is shown; None before
    origin: str  # person, match and deal while the address works, so that there is one; else the id

    @property
    def deal(self) -> BoardDeal:
        return _DEALS.decode(self.cards)

    @property
    def fixed(self) -> bool:
        """Whether it is fixed beforehand, for a day or for the week of a club."""
        return bool(self.secret)


_DEALS: Final[msgspec.json.Decoder[BoardDeal]] = msgspec.json.Decoder(BoardDeal, dec_hook=read_card)


class Mark(StrEnum):
    """A reason why a try does not stand among those that are compared."""

    SAT = "sat"  # the person had a seat where these cards were dealt
    SEEN = "seen"  # the person has watched or opened a match in which they were dealt
    AGAIN = "again"  # the person has tried the board before
    HELPED = "helped"  # a bot has played some of the person's cards
    AFTER = "after"  # the day of the deal was over
    BROKEN = "broken"  # the table was closed before the deal was over: there is no result


class TriedDeal(msgspec.Struct, frozen=True):
    """A deal as somebody has played it."""

    points: int
    moon: bool  # whether they have shot the moon
    passed: tuple[str, ...]  # the cards passed
    plays: tuple[tuple[int, str], ...]  # the cards played, each after the number of its trick


class Try(msgspec.Struct, frozen=True):
    """A person's try at a board, as it is stored."""

    table: str  # id of the table where it is played
    board: str
    person: str  # id; empty once the person is forgotten
    guest: bool  # whether the person had no account when it began
    attempt: int  # from 1; 0 where the board comes from, of its maker
    begun: float  # seconds since 1970
    finished: float | None  # seconds since 1970; None before
    marks: str  # the values of `Mark`, with spaces between them
    found: dict[str, Any] | None  # a `TriedDeal`; None before it is finished
    named: bool  # whether the person agrees to be named to others who have played the board

    @property
    def played(self) -> TriedDeal:
        """The deal as it was played. The try must be finished."""
        return msgspec.convert(self.found, TriedDeal)

    @property
    def goes_on(self) -> bool:
        """Whether it can still be finished."""
        return self.finished is None and not self.marks

    @property
    def compared(self) -> bool:
        """Whether it stands among the tries that are compared."""
        return self.finished is not None and not self.marks


def one_deal(rules: Ruleset, direction: Direction) -> Ruleset:
    """The rules for a match of one deal, with that direction of the pass."""
    preset, changes = described(rules)
    return make_ruleset(
        preset, {**changes, "match_end": "deals:1", "pass_cycle": [direction.value]}
    )


def deal_of_match(events: Iterable[referee.Event], number: int, seat: int) -> BoardDeal | None:
    """A deal of a match, for a board; None where the match has no such deal.

    Bots sit where bots sat, at their levels; people's seats are for bots of the usual level.
    """
    started: game.MatchStarted | None = None
    dealt: game.Dealt | None = None
    for event in events:
        if isinstance(event, game.MatchStarted):
            started = event
        if isinstance(event, game.Dealt) and event.number == number:
            dealt = event  # the last one, after a misdeal
    if started is None or dealt is None:
        return None
    levels = [each.level if is_ours(each.level) else USUAL for each in started.players]
    levels[seat] = ""
    hands = [hand or () for hand in dealt.hands]
    deck = deck_of(hands, dealt.kitty or (), dealt.dealer)
    rules = one_deal(started.rules, dealt.direction)
    return BoardDeal(rules, dealt.dealer, deck, seat, tuple(levels))


def packed(deal: BoardDeal) -> bytes:
    """The cards of a board as JSON, as they are stored."""
    return encode(deal)


class _Hand:
    """A seat in one deal: who plays there, and what is played."""

    def __init__(self, person: str, holder: str) -> None:
        self.helped = False  # whether a bot, or somebody else, has passed or played a card
        self.passed: tuple[Card, ...] = ()
        self.plays: list[Card] = []  # one in each trick
        self._person, self._holder = person, holder
        self._stood_in = False

    def change(self, event: Happening) -> None:
        """Note that another player has come to the seat."""
        match event:
            case hap.Sat():
                self._holder, self._stood_in = event.person, False
            case hap.Stood() | hap.BotSat():
                self._holder, self._stood_in = "", False
            case hap.StoodIn() | hap.CameBack():
                self._stood_in = isinstance(event, hap.StoodIn)

    def begin(self) -> None:
        """Forget what was passed and played before, as another deal begins."""
        self.helped, self.passed, self.plays = False, (), []

    def choose(self) -> None:
        """Note that the seat has chosen a card."""
        self.helped = self.helped or self._stood_in or self._holder != self._person

    def take_back(self, card: Card) -> None:
        """Note that the last play of a card is undone."""
        last = max(place for place, each in enumerate(self.plays) if each == card)
        del self.plays[last]


class FoundTry(NamedTuple):
    """The deal as somebody has played it, found in a log."""

    played: TriedDeal
    helped: bool  # whether somebody else has chosen some of the cards


def tried_deal(
    log: Sequence[Happening], beginner: str, person: str, seat: int, number: int = 1
) -> FoundTry | None:
    """The way a person has played a seat in a deal of a match; None where that has no score.

    Args:
        log: the happenings of the match.
        beginner: id of the person at the seat when the match began.
        number: of the deal.
    """
    hand, rules, now, claimed = _Hand(person, beginner), None, 0, False
    for each in log:
        match each:
            case game.MatchStarted():
                rules = each.rules
            case game.Dealt():
                now, claimed = each.number, False
                hand.begin()
            case game.Passed(seat=at) if at == seat:
                hand.passed = each.cards or ()
                hand.choose()
            case game.Claimed():
                claimed = True
            case game.Played(seat=at) if at == seat:
                hand.plays.append(each.card)
                if not claimed:
                    hand.choose()
            case game.PlayTakenBack(seat=at) if at == seat:
                hand.take_back(each.card)
            case referee.TakenBack():
                for laid in each.cards:
                    if laid.seat == seat:
                        hand.take_back(laid.card)
            case game.DealScored() if now == number:
                assert rules is not None
                moon = bool(moons_of(rules, [each.score])[seat])
                plays = tuple(enumerate(map(card_text, hand.plays), start=1))
                passed = tuple(map(card_text, sorted(hand.passed)))
                return FoundTry(TriedDeal(each.points[seat], moon, passed, plays), hand.helped)
            case hap.Sat(seat=at) | hap.Stood(seat=at) | hap.BotSat(seat=at) if at == seat:
                hand.change(each)
            case hap.StoodIn(seat=at) | hap.CameBack(seat=at) if at == seat:
                hand.change(each)
    return None


class Parting(NamedTuple):
    """The place where two people have played the same deal differently."""

    trick: int  # number of the trick; 0 for the pass
    mine: str  # text of the card
    theirs: str


def parting(mine: TriedDeal, theirs: TriedDeal) -> Parting | None:
    """The first place where two ways to play the same deal differ; None where there is none.

    The equal cards of two packs are the same.
    """
    if sorted(map(_alike, mine.passed)) != sorted(map(_alike, theirs.passed)):
        return Parting(0, "", "")
    for (trick, own), (_, other) in zip(mine.plays, theirs.plays, strict=False):
        if _alike(own) != _alike(other):
            return Parting(trick, own, other)
    return None


def _alike(card: str) -> str:
    return in_first_pack(Card(card)).text
