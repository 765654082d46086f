"""Hints in sentences: the advice, its reason, and what other cards would cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from msgspec.structs import replace

from volte.bots import Hint, Other, Reason
from volte.bots.grounds import PassGrounds
from volte.bots.hints import NEXT_TO_NOTHING, said_of
from volte.bots.odds import ABOVE, BELOW, height
from volte.bots.queen import HeldBack
from volte.cards import BY_BIT, QUEEN, SUIT_MASKS, Card, Rank, Suit, cards_in, in_first_pack
from volte.game import ChooseMoon, Pass, Play
from volte.rules import Direction, MoonRule
from volte.say.language import N_, Language
from volte.say.outcome import moon_choices
from volte.say.telling import received, scattered, spoken_order
from volte.say.texts import table
from volte.view import View


def hint(language: Language, given: Hint, view: View | None = None) -> str:
    """Advice, and the reason for it.

    Args:
        view: with it, reasons name players and cards, advice on a scatter says who gets which card,
            and in the first deal nothing is said of winning the match.
    """
    action = given.action
    if isinstance(action, Pass):
        text = _pass(language, action, view)
    else:
        text = language.t("Play {card:the}", card=action.card)
    reason = why(language, view, action, reasons_of(given), given.queen)
    advice = language.t("{advice}: {reason}.", advice=text, reason=reason)
    return " ".join([advice, *costs(language, given, view)])


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


REASONS: Final = table("reasons")["reasons"]
"""A sentence for each reason, which names nobody."""

NAMED: Final = table("reasons")["named"]
"""Sentences for some reasons that name players and cards; `_names` says when they are known."""

BEHIND: Final = table("reasons")["behind"]
"""Sentences for reasons that stand behind another one."""


def why(
    language: Language,
    view: View | None,
    action: Play | Pass,
    reasons: Sequence[Reason],
    queen: Reason | None = None,
) -> str:
    """The reasons for an action, as the end of a sentence: one, or two that go together.

    Args:
        queen: reason for holding the queen of spades back, said in a sentence of its own.
    """
    said = [_reason(language, view, action, reason) for reason in reasons[:1]]
    for reason in reasons[1:]:
        text = BEHIND.get(reason)
        said.append(language.t(text) if text else _reason(language, view, action, reason))
    text = said[0]
    if said[1:]:
        text = language.t("{reason}; besides, {other}", reason=said[0], other=said[1])
    if queen is None:
        return text
    kept = _reason(language, view, action, queen)
    return language.t("{reason}. {other}", reason=text, other=language.sentence(kept))


def reasons_of(given: Hint) -> tuple[Reason, ...]:
    """The reasons of a hint: one, or two that go together."""
    return (given.reason, given.also) if given.also else (given.reason,)


def _reason(language: Language, view: View | None, action: Play | Pass, reason: Reason) -> str:
    names = _names(view, action, reason) if view is not None and reason in NAMED else None
    return language.t(REASONS[reason]) if names is None else language.t(NAMED[reason], **names)


def _names(view: View, action: Play | Pass, reason: Reason) -> dict[str, object] | None:
    """Players, cards and numbers that a reason names; None where they are not known."""
    if isinstance(action, Pass):
        return _names_of_pass(PassGrounds(view, action), reason)
    card, players = HeldBack(view, action.card.bit), view.state.players
    match reason:
        case Reason.QUEEN_FEARED:
            seats = card.shooter.seats
            return (
                {"players": [players[seat] for seat in seats]}
                if card.no_points_beside(seats)
                else None
            )
        case Reason.GO_ON_MOON | Reason.TRY_MOON:
            mates = (card.deal.taken[mate] for mate in card.mates)
            return {} if any(map(card.rules.points_in, mates)) else None
        case Reason.QUEEN_GUARDED:
            guards = cards_in(card.guards_below)
            return {"card": guards[0]} if len(guards) == 1 else None
        case Reason.QUEEN_BEHIND:
            return {"player": players[card.winner]} if card.takers == {card.winner} else None
        case Reason.QUEEN_LATER:
            out = card.later_suit & card.unseen
            [suit] = [suit for suit in Suit if SUIT_MASKS[suit] & card.later_suit]
            return {"count": out.bit_count(), "suit": suit}
        case Reason.STOP_MOON | Reason.NO_POINT | Reason.KEEP_STOPPER:
            shooter = card.shooter if reason is Reason.STOP_MOON else card.hoarder
            if card.rules.moon.moon is MoonRule.OFF or not card.no_points_beside(shooter.seats):
                return None
            named = [players[seat] for seat in shooter.seats]
            return {"players": named, "card": BY_BIT.get(card.stopper)}
        case Reason.LOW_LEAD | Reason.FOLLOWED:
            higher, count = card.higher.bit_count(), card.out.bit_count()
            if reason is Reason.LOW_LEAD and not 1 < higher < count:
                return None
            return {"higher": higher, "count": count, "suit": action.card.suit}
        case Reason.SHED_HIGH:
            looks_high = height(card.bit) >= Rank.TEN or card.out.bit_count() == 1
            return None if looks_high else {"suit": action.card.suit}
        case Reason.HIGHEST_UNDER:
            higher_ones = card.legal & BELOW[card.best] & ABOVE[card.bit]
            return {} if higher_ones else None
        case Reason.GUARD:
            count, most = card.spades_out
            lasts = most <= (card.hand & BELOW[QUEEN.bit]).bit_count() and count > 1
            return {"count": count, "most": most} if lasts else None
        case Reason.TRAP:
            return {"cards": spoken_order(cards_in(card.out))}
        case Reason.KEEP_COVER:
            low, high = card.cover
            return {"card": BY_BIT[low], "high": BY_BIT[high]}
        case Reason.KEEP_ENTRY:
            return {"card": BY_BIT[card.entry]}
        case Reason.KEEP_EXIT:
            exits = spoken_order(cards_in(card.kept_exits))
            return {"cards": exits} if len(exits) <= LISTED else None
    return {"player": players[card.taker]} if card.taker >= 0 else None


def _names_of_pass(cards: PassGrounds, reason: Reason) -> dict[str, object] | None:
    match reason:
        case Reason.KEEP_TOP_HEART:
            return {"card": BY_BIT[cards.top_heart]}
        case Reason.KEEP_COVER:
            low, high = cards.cover
            return {"card": BY_BIT[low], "high": BY_BIT[high]}
        case Reason.PASS_NEARLY:
            return {"cards": spoken_order(cards_in(cards.alone & cards.kept))}
        case Reason.PASS_VOID:
            suits = cards.emptied
        case Reason.PASS_TOPS:
            suits = cards.tops
        case Reason.PASS_CLEARED:
            suits = cards.clears
        case Reason.KEEP_SUIT:
            suits = cards.whole
        case _:
            return None
    return {"suits": [suit for suit in Suit if SUIT_MASKS[suit] & suits]}


LISTED: Final = 3
"""Most cards that are named one by one."""

AMONG: Final = 2
"""Cards that are named where there are more than `LISTED`."""


ROUGH: Final = 2.0
"""Error of a number of points up to which it is always said; see `Rival.vague`."""


HALF: Final = 0.5
"""Fewest points for which a number is said."""


SAID_CHANCE: Final = 0.05
"""Smallest loss of wins that is put into numbers, as a share of matches."""


class Rival(NamedTuple):
    """An alternative to the advice: one card or several that cost the same, or one pass."""

    others: tuple[Other, ...]
    wins: bool

    @property
    def cost(self) -> Other:
        return self.others[0]

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(each.action.card for each in self.others if isinstance(each.action, Play))

    def has(self, action: Play | Pass | None) -> bool:
        """Whether it is that action, or one that looks the same."""
        return action is not None and any(
            _name(each.action) == _name(action) for each in self.others
        )

    @property
    def worth(self) -> float:
        return self.cost.of_match(self.wins)

    @property
    def vague(self) -> bool:
        """Whether the search gave it up too early for a number to mean anything."""
        return self.cost.error > max(ROUGH, self.cost.points / 2)

    @property
    def as_good(self) -> bool:
        return self.cost.as_good(self.wins)


def costs(language: Language, hint: Hint, view: View | None = None) -> Iterator[str]:
    """Sentences about alternatives as good, and the cost of the next best and of a mistake.

    None where the reason says already that all are as good.
    """
    if hint.reason is Reason.ALIKE:
        return
    if view is not None:
        hint = replace(hint, others=said_of(hint.others, view))
    rivals = _rivals(hint)
    good = [rival for rival in rivals if rival.as_good]
    worse = [rival for rival in rivals if not rival.as_good]
    if good:
        yield _as_good(language, hint, good, all_others=not worse)
    named = _named(hint, worse)
    if named:
        first, *rest = [_amounts(language, rival) for rival in named]
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
    """Worse alternatives to name: the best; then the tempting one, or else the dearest."""
    if not worse:
        return []
    best, *rest = worse
    tempting = [each for each in rest if each.has(hint.tempting)]
    if isinstance(hint.action, Pass):
        return tempting or [best]
    dearest = max(rest, key=lambda rival: rival.cost.points, default=best)
    if not tempting and dearest.cost.points >= best.cost.points + 1:
        tempting = [dearest]
    return [best, *tempting]


def _as_good(language: Language, hint: Hint, good: Sequence[Rival], all_others: bool) -> str:
    if isinstance(hint.action, Pass):
        first, *_ = sorted(good, key=lambda rival: not rival.has(hint.tempting))
        what = _what(language, hint, first)
    else:
        cards = _tempting_first(hint, (card for rival in good for card in rival.cards))
        if all_others and len(cards) > 1:
            return language.t("Any other card you may play is just as good.")
        if len(cards) > LISTED:
            text = N_("{count} other cards are just as good, such as {cards:the}.")
            return language.t(text, count=len(cards), cards=cards[:AMONG])
        what = language.listed(cards, "or")
    return language.sentence(language.t("{what} would be just as good.", what=what))


def _what(language: Language, hint: Hint, rival: Rival) -> str:
    """An alternative in words: "the queen or the king of clubs"."""
    if isinstance(hint.action, Pass):
        [other] = rival.others
        assert isinstance(other.action, Pass)
        kept = spoken_order(set(hint.action.cards) - set(other.action.cards))
        cards = spoken_order(set(other.action.cards) - set(hint.action.cards))
        if len(kept) == len(hint.action.cards):
            return language.t("passing {cards:the}", cards=cards)
        return language.t("keeping {kept:the} and passing {cards:the}", kept=kept, cards=cards)
    cards = _tempting_first(hint, rival.cards)
    if len(cards) > LISTED:
        cards = spoken_order((cards[0], cards[-1]))
    return language.listed(cards, "or")


def _tempting_first(hint: Hint, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in the order in which they are named: a tempting one first, so that it always is."""
    usual = hint.tempting.card if isinstance(hint.tempting, Play) else None
    return tuple(sorted(spoken_order(cards), key=lambda card: card != usual))


class Amounts(NamedTuple):
    """The cost of an alternative: the kind of sentence, and its parameters."""

    kind: str  # a key of `_FULL`, or of `_SHORT` where another cost was named before
    params: dict[str, str]


def _amounts(language: Language, rival: Rival) -> Amounts:
    """The cost of a card or pass other than the advised one, ready for a sentence."""
    cost, worth = rival.cost, rival.worth
    if rival.vague:
        return Amounts("clearly" if cost.points > cost.error else "probably", {})
    params = {"points": _points(language, cost)}
    if worth:
        params["worth"] = _worth(language, worth, rival.wins)
    if rival.wins and worth < SAID_CHANCE:
        worth = 0.0
    if cost.points <= -HALF:
        return Amounts("saves" if worth else "risks", params)
    if cost.points < HALF:
        return Amounts("worth" if worth else "little", params)
    return Amounts("both" if worth else "points", params)


def _points(language: Language, cost: Other) -> str:
    points = abs(cost.points)
    if points < 2 * HALF - NEXT_TO_NOTHING:
        amount = language.t("half a point")
    else:
        amount = language.n("{count} point", "{count} points", round(points))
    sure = points > cost.error
    return language.t(N_("about {amount}") if sure else N_("perhaps {amount}"), amount=amount)


def _worth(language: Language, worth: float, wins: bool) -> str:
    if not wins:
        amount = language.n("{count} stake", "{count} stakes", max(1, round(worth)))
    else:
        amount = language.t("one win in {count}", count=max(2, round(1 / worth)))
    return language.t("about {amount}", amount=amount)


_FULL: Final = {
    "little": N_("{what} would cost a little more"),
    "probably": N_("{what} would probably cost more"),
    "clearly": N_("{what} would cost a lot more"),
    "points": N_("{what} would cost {points} more"),
    "both": N_("{what} would cost {points} more, that is {worth}"),
    "worth": N_("{what} would cost {worth}"),
    "saves": N_("{what} would save {points}, but cost {worth}"),
    "risks": N_("{what} would save {points}, but lose the match a little more often"),
}


_SHORT: Final = {
    "little": N_("{what}, a little"),
    "probably": N_("{what} would probably cost more"),
    "clearly": N_("{what} would cost a lot more"),
    "points": N_("{what}, {points}"),
    "both": N_("{what}, {points}, that is {worth}"),
    "worth": N_("{what}, {worth}"),
    "saves": N_("{what} would save {points}, but cost {worth}"),
    "risks": N_("{what} would save {points}, but lose the match a little more often"),
}
