"""Hints in sentences: the advice, its reason, and what other cards would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from volte.bots import Hint, Other, Reason
from volte.cards import Card, in_first_pack
from volte.game import ChooseMoon, Pass, Play
from volte.rules import Direction
from volte.say.language import N_, Language
from volte.say.outcome import moon_choices
from volte.say.telling import received, scattered, spoken_order
from volte.view import View


def hint(language: Language, given: Hint, view: View | None = None) -> str:
    """Advice, and the reason for it.

    Args:
        view: where it is given, a scatter is advised with who gets which card.
    """
    action = given.action
    if isinstance(action, Pass):
        text = _pass(language, action, view)
    else:
        text = language.t("Play {card:the}", card=action.card)
    advice = language.t(
        "{advice}: {reason}.", advice=text, reason=language.t(REASONS[given.reason])
    )
    if given.reason is Reason.ALIKE:
        return advice
    return " ".join([advice, *costs(language, given)])


def _pass(language: Language, action: Pass, view: View | None) -> str:
    if view is None or view.deal.direction is not Direction.SCATTER:
        return language.t("Pass {cards:the}", cards=spoken_order(action.cards))
    players = view.state.players
    gifts = scattered(action.seat, action.cards, len(players))
    return language.t("Pass {gifts}", gifts=received(language, players, gifts))


def moon_hint(language: Language, view: View, choice: ChooseMoon) -> str:
    """Advice on how a moon should count (W7), and what that does."""
    minus, plus = moon_choices(language, view)
    return language.t("Better: {choice}", choice=minus if choice.minus else plus)


REASONS: Final = {
    Reason.FORCED: N_("no other card may be played"),
    Reason.ALIKE: N_("the cards that you may play are all worth the same here"),
    Reason.LOW_LEAD: N_("somebody else will probably take this trick"),
    Reason.SAFE_LEAD: N_("taking this trick will probably cost little"),
    Reason.SAFE_EXIT: N_(
        "the others only have higher cards of its suit, so somebody else takes the trick"
    ),
    Reason.JOKER_LEAD: N_("it gives the lead away"),
    Reason.FLUSH_QUEEN: N_("a spade below the queen may drive her out of another hand"),
    Reason.GUARD: N_("your low spades stay to protect the high ones"),
    Reason.DUCK: N_("it stays under the card that wins"),
    Reason.HIGHEST_UNDER: N_(
        "it is the highest that stays under the card that wins, and the lower ones may be needed"
        " later"
    ),
    Reason.CANCEL: N_("it cancels its equal, and neither takes the trick"),
    Reason.LEAVE_KITTY: N_("it leaves the kitty, which comes with this trick, to somebody else"),
    Reason.SAFE_TAKE: N_("you play last, and the trick costs nothing"),
    Reason.SHED_HIGH: N_("it is high, and might take points later"),
    Reason.TAKE_HIGH: N_("the trick can hardly be avoided, so a high card may as well go"),
    Reason.TAKE_ANY: N_("the trick is yours whichever card you play"),
    Reason.LOWEST: N_("it is the lowest you may play, and somebody may still go over it"),
    Reason.TAKE_BONUS: N_("there is a card to be had that counts below zero"),
    Reason.DUMP_QUEEN: N_("the queen of spades goes to somebody else"),
    Reason.DUMP_POINTS: N_("its points go to somebody else"),
    Reason.DROP_COVER: N_("later it might have to take the queen of spades"),
    Reason.VOID_SUIT: N_("it is the last of its suit, which leaves you free to discard"),
    Reason.STOP_MOON: N_("somebody may be shooting the moon, and this may stop it"),
    Reason.NO_POINT: N_("somebody may be shooting the moon, and gets no points from you here"),
    Reason.KEEP_STOPPER: N_("somebody may be shooting the moon, and you keep a card to stop it"),
    Reason.SHOOT_MOON: N_("this hand can take everything"),
    Reason.TRY_MOON: N_("nobody else has any points yet, and this hand may take everything"),
    Reason.GO_ON_MOON: N_("all the points so far are yours, and the moon is within reach"),
    Reason.PASS_DANGER: N_("these are the cards most likely to take points"),
    Reason.PASS_QUEEN: N_("the queen of spades and the cards most likely to take points"),
    Reason.PASS_VOID: N_("one of your suits is emptied, and you may be able to discard"),
    Reason.PASS_LOW: N_("the high cards stay, in case they can take everything"),
    Reason.ROUGHLY: N_("by a rough count nothing else costs less"),
    Reason.PLAYED_OUT: N_("nothing else comes out better when the deal is played out many times"),
}


LISTED: Final = 3
"""Cards that are named one by one, at most."""

AMONG: Final = 2
"""Cards that are named where there are more than `LISTED`."""


ROUGH: Final = 2.0
"""How far off a number of points may be; where it may be further off, none is said."""


HALF: Final = 0.5
"""The fewest points for which a number is said."""


NEXT_TO_NOTHING: Final = 0.25
"""Points, and stakes, too few to mention."""


CHANCE: Final = 0.015
"""The smallest chance of winning that is mentioned, as a part of 1."""


STAKE: Final = 0.5
"""The smallest stake that is mentioned."""


class Rival(NamedTuple):
    """Something else that could be done: one card or several that cost the same, or one pass."""

    others: tuple[Other, ...]
    wins: bool

    @property
    def cost(self) -> Other:
        return self.others[0]

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(each.action.card for each in self.others if isinstance(each.action, Play))

    @property
    def worth(self) -> float:
        """What it costs in the whole match; 0 where that is too little to mention."""
        worth = self.cost.worth or 0.0
        return worth if worth >= (CHANCE if self.wins else STAKE) else 0.0

    @property
    def vague(self) -> bool:
        """Whether the search gave it up too early for a number to mean anything."""
        return self.cost.error > max(ROUGH, self.cost.points / 2)

    @property
    def as_good(self) -> bool:
        """Whether it cannot be told apart from the advice."""
        points, error = self.cost.points, self.cost.error
        return not self.worth and points < 1 and points <= max(error, NEXT_TO_NOTHING)


def costs(language: Language, hint: Hint) -> Iterator[str]:
    """The sentences: what is as good, and what the best of the rest, and a mistake, would cost."""
    rivals = _rivals(hint)
    good = [rival for rival in rivals if rival.as_good]
    worse = [rival for rival in rivals if not rival.as_good]
    if good:
        yield _as_good(language, hint, good, all_others=not worse)
    named = _named(hint, worse)
    if named:
        first, *rest = [_amounts(language, rival, short=rival is not named[0]) for rival in named]
        names = [_what(language, hint, rival) for rival in named]
        parts = [language.t(_FULL[first.kind], what=names[0], **first.params)]
        parts += [
            language.t(_SHORT[each.kind], what=name, **each.params)
            for name, each in zip(names[1:], rest, strict=True)
        ]
        yield language.sentence(language.t("; ").join(parts)) + "."


def _rivals(hint: Hint) -> list[Rival]:
    """The alternatives, the best first, without cards that look like the advice (W11)."""
    seen = {_name(hint.action)}
    others = []
    for other in hint.others:
        if _name(other.action) not in seen:
            seen.add(_name(other.action))
            others.append(other)
    if isinstance(hint.action, Pass):
        return [Rival((other,), hint.wins) for other in others]
    same = groupby(others, key=lambda other: (other.points, other.error, other.worth))
    return [Rival(tuple(group), hint.wins) for _, group in same]


def _name(action: Play | Pass) -> frozenset[Card]:
    cards = action.cards if isinstance(action, Pass) else (action.card,)
    return frozenset(map(in_first_pack, cards))


def _named(hint: Hint, worse: Sequence[Rival]) -> list[Rival]:
    """The best of what is worse; then what is easily done instead, or else what costs most."""
    if not worse:
        return []
    best, *rest = worse
    usual = _name(hint.tempting) if hint.tempting is not None else None
    tempting = [each for each in rest if any(_name(one.action) == usual for one in each.others)]
    if isinstance(hint.action, Pass):
        return tempting or [best]
    dearest = max(rest, key=lambda rival: rival.cost.points, default=best)
    if not tempting and dearest.cost.points >= best.cost.points + 1:
        tempting = [dearest]
    return [best, *tempting]


def _as_good(language: Language, hint: Hint, good: Sequence[Rival], all_others: bool) -> str:
    if isinstance(hint.action, Pass):
        what = _what(language, hint, good[0])
    else:
        cards = spoken_order(card for rival in good for card in rival.cards)
        if all_others and len(cards) > 1:
            return language.t("Any other card that you may play is as good.")
        if len(cards) > LISTED:
            text = N_("{count} other cards are as good, such as {cards:the}.")
            return language.t(text, count=len(cards), cards=cards[:AMONG])
        what = _either(language, cards)
    return language.sentence(language.t("{what} would be as good.", what=what))


def _what(language: Language, hint: Hint, rival: Rival) -> str:
    """What else could be done: "the queen or the king of clubs"."""
    if isinstance(hint.action, Pass):
        [other] = rival.others
        assert isinstance(other.action, Pass)
        kept = spoken_order(set(hint.action.cards) - set(other.action.cards))
        cards = spoken_order(set(other.action.cards) - set(hint.action.cards))
        if len(kept) == len(hint.action.cards):
            return language.t("passing {cards:the}", cards=cards)
        return language.t("keeping {kept:the} and passing {cards:the}", kept=kept, cards=cards)
    cards = spoken_order(rival.cards)
    return _either(language, cards if len(cards) <= LISTED else (cards[0], cards[-1]))


def _either(language: Language, cards: Sequence[Card]) -> str:
    """Cards to choose from, their suit told once: "the jack, the 10 or the 9 of diamonds"."""
    if len({card.suit for card in cards}) > 1 or None in (card.suit for card in cards):
        return language.listed(cards, "or")
    *others, last = cards
    return language.listed([*(_the_rank(language, card) for card in others), last], "or")


def _the_rank(language: Language, card: Card) -> str:
    article = language.card_in(card, "the").removesuffix(language.card_in(card, ""))
    return article + language.card_in(card, "rank")


class Amounts(NamedTuple):
    """What something costs, as it is put into a sentence."""

    kind: str  # a key of `_FULL`, or of `_SHORT` where another cost was named before
    params: dict[str, str]


def _amounts(language: Language, rival: Rival, short: bool) -> Amounts:
    """What a rival costs.

    Args:
        short: whether another cost was named before it.
    """
    cost, worth = rival.cost, rival.worth
    if rival.vague:
        return Amounts("clearly" if cost.points > cost.error else "probably", {})
    if not worth and cost.points < HALF:
        return Amounts("little", {})
    params = {"points": _points(language, cost)}
    if worth:
        params["worth"] = _worth(language, worth, rival.wins, short)
    if worth and cost.points <= -HALF:
        return Amounts("saves", params)
    if worth and cost.points < HALF:
        return Amounts("worth", params)
    return Amounts("both" if worth else "points", params)


def _points(language: Language, cost: Other) -> str:
    points = abs(cost.points)
    if points < 2 * HALF - NEXT_TO_NOTHING:
        amount = language.t("half a point")
    else:
        amount = language.n("{count} point", "{count} points", round(points))
    sure = points > cost.error
    return language.t(N_("about {amount}") if sure else N_("perhaps {amount}"), amount=amount)


def _worth(language: Language, worth: float, wins: bool, short: bool) -> str:
    if not wins:
        amount = language.n("{count} stake", "{count} stakes", max(1, round(worth)))
    elif short:
        amount = language.n("{count} chance in 100", "{count} chances in 100", round(100 * worth))
    else:
        amount = language.n(
            "{count} chance in 100 of winning the match",
            "{count} chances in 100 of winning the match",
            round(100 * worth),
        )
    return language.t("about {amount}", amount=amount)


_FULL: Final = {
    "little": N_("{what} would cost a little more"),
    "probably": N_("{what} would probably cost more"),
    "clearly": N_("{what} would cost clearly more"),
    "points": N_("{what} would cost {points} more"),
    "both": N_("{what} would cost {points} more, that is {worth}"),
    "worth": N_("{what} would cost {worth}"),
    "saves": N_("{what} would save {points}, but cost {worth}"),
}


_SHORT: Final = {
    "little": N_("{what}, a little"),
    "probably": N_("{what} would probably cost more"),
    "clearly": N_("{what} would cost clearly more"),
    "points": N_("{what}, {points}"),
    "both": N_("{what}, {points}, that is {worth}"),
    "worth": N_("{what}, {worth}"),
    "saves": N_("{what} would save {points}, but cost {worth}"),
}
