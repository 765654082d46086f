"""Answers to keys: those of K1, and those that Volte adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from volte.cards import HEARTS, Card, Suit, cards_in, mask_of
from volte.game import DealState, Phase, Player, still_to_consent
from volte.referee import RefereedDeal
from volte.rules import Direction, Settlement
from volte.say import refereeing
from volte.say.deal import PASSED_NEXT, scatter_asked, waited
from volte.say.language import N_, Language, paired
from volte.say.levels import level_called
from volte.say.outcome import mean
from volte.say.rulesheet.options import game_title
from volte.say.telling import Lines, Telling, spoken_order
from volte.view import View


def _capitalized(language: Language, lines: Iterable[str]) -> Lines:
    """Each line with a capital letter, whatever it begins with."""
    return tuple(map(language.sentence, lines))


def table(language: Language, view: View) -> Lines:
    """C: the cards on the table, in the order in which they were played."""
    telling = Telling(language, view)
    return _capitalized(language, _trick(telling)) or (telling.t("There is no card on the table."),)


def table_card(language: Language, view: View, number: int) -> Lines:
    """1 to 9, and 0 for the tenth: that card of the trick, from 1 (K1)."""
    telling = Telling(language, view)
    lines = _capitalized(language, _trick(telling))
    if 1 <= number <= len(lines):
        return (lines[number - 1],)
    if not lines:
        return (telling.t("There is no card on the table."),)
    text = telling.n(
        "There is only {count} card on the table.",
        "There are only {count} cards on the table.",
        len(lines),
    )
    return (text,)


def _trick(telling: Telling) -> Iterator[str]:
    deal = telling.state.deal
    if isinstance(deal, RefereedDeal):
        yield from refereeing.lying(telling, deal)
    elif deal is not None:
        for place, card in enumerate(deal.trick):
            yield telling.played((deal.leader + place) % deal.rules.players, card)


def scores(language: Language, view: View) -> Lines:
    """S: the totals, the stakes where the table plays for any, and the points of this deal."""
    telling = Telling(language, view)
    state = view.state
    match = refereeing.refereed(telling)
    told = match is not None and match.reckoned is not None
    lines = [*_totals(telling)]
    if state.phase is Phase.PLAYING and state.deal is not None and not told:
        deal = state.deal
        points = [deal.rules.points_in(deal.captured(seat)) for seat in range(state.rules.players)]
        if any(points):
            lines.append(telling.t("In this deal so far: {points}.", points=telling.counts(points)))
    return tuple(lines)


def _totals(telling: Telling) -> Iterator[str]:
    state = telling.state
    if state.deals:
        yield telling.t("Totals: {totals}.", totals=telling.scores(state.totals))
    else:
        yield telling.t("No deal has been scored yet.")
    match = refereeing.refereed(telling)
    if match is not None and match.reckoned is not None:
        yield refereeing.provisional(telling, match)
    if any(state.net):
        yield from mean(telling)
        yield telling.t("Stakes: {stakes}.", stakes=telling.counts(state.net))
    if state.rules.stakes.settlement is Settlement.POT:
        yield telling.t("In the pot: {stakes}.", stakes=telling.stakes(state.pot))


def turn(language: Language, view: View) -> Lines:
    """T: whose turn it is, or what else is waited for (K1)."""
    return _capitalized(language, _turn(Telling(language, view)))


def _turn(telling: Telling) -> Iterator[str]:
    state = telling.state
    if state.asked is not None:
        own = N_("You have asked to take a card back.")
        yield telling.by(state.asked, own, N_("{player} has asked to take a card back."))
        waiting = still_to_consent(state)
        if waiting:
            yield telling.t("Still to answer: {players}.", players=telling.names(waiting))
    if state.phase is Phase.PASSING:
        yield from _passing(telling)
    elif state.phase is Phase.PLAYING:
        yield from _playing(telling)
    elif state.phase is Phase.CHOOSING and state.shooter is not None:
        yield telling.by(state.shooter, refereeing.OWN_MOON, refereeing.OTHERS_MOON)
    elif state.phase is Phase.ENDED:
        yield telling.t("The match is over.")
    else:
        yield telling.t("It is nobody’s turn: the cards are about to be dealt or counted.")


def _playing(telling: Telling) -> Iterator[str]:
    match = refereeing.refereed(telling)
    if match is not None and refereeing.held_up(match):
        yield from refereeing.turn(telling, match)
        return
    deal = telling.view.deal
    number, tricks = deal.trick_number, deal.rules.hand_size
    own = N_("It is your turn, trick {number} of {tricks}.")
    other = N_("It is {player:of} turn, trick {number} of {tricks}.")
    yield telling.by(deal.turn, own, other, number=number, tricks=tricks)
    if deal.held:
        count = deal.held.bit_count()
        yield telling.t("The {count} cards carried over go with this trick.", count=count)
    yield from refereeing.bound(telling)


def _passing(telling: Telling) -> Iterator[str]:
    deal = telling.view.deal
    passing = [seat for seat in telling.seats if deal.passes[seat] is None]
    if telling.view.seat in passing and deal.direction is Direction.SCATTER:
        yield scatter_asked(telling)
    elif telling.view.seat in passing:
        yield telling.n(
            "You have {count} card to pass.",
            "You have {count} cards to pass.",
            deal.pass_size,
        )
    others = [telling.player(seat) for seat in passing if not telling.mine(seat)]
    if others:
        yield telling.t("Still choosing cards to pass: {players}.", players=others)


def hand_order(view: View) -> tuple[Card, ...]:
    """The hand in the order in which it is read out and numbered, from `.1`."""
    return spoken_order(view.hand) if view.state.deal is not None else ()


def hand(language: Language, view: View, playable: bool = False, places: bool = True) -> Lines:
    """H: the hand by suit, from high to low.

    Args:
        playable: only the suits of cards that may be played now.
        places: whether each card is followed by its place, by which it can be typed.
    """
    telling = Telling(language, view)
    cards = hand_order(view)
    suits = {card.suit for card in (view.legal if playable else cards)}
    texts = []
    place = 1
    for card, two in paired(cards):
        rank = _rank(language, card, two)
        numbers = f".{place}, .{place + 1}" if two else f".{place}"
        text = f"{rank}\u00a0({numbers})" if places else rank
        place += 2 if two else 1
        if card.suit in suits:
            texts.append((card.suit, text))
    if not texts:
        return (telling.t("You hold no cards."),)
    return _capitalized(language, _suit_lines(telling, texts))


def _rank(language: Language, card: Card, two: bool) -> str:
    return language.pair(card, "rank") if two else language.format_field(card, "rank")


def _suit_lines(telling: Telling, texts: Iterable[tuple[Suit | None, str]]) -> Iterator[str]:
    """Cards suit by suit, each suit named once: "spades: queen", "hearts: 4, 3"."""
    suits: dict[Suit | None, list[str]] = {}
    for suit, text in texts:
        suits.setdefault(suit, []).append(text)
    for suit, held in suits.items():
        cards = ", ".join(held)
        if suit is None:
            yield telling.t("Jokers: {cards}", cards=cards)
        else:
            yield telling.t("{suit}: {cards}", suit=suit, cards=cards)


def last_trick(language: Language, view: View) -> Lines:
    """L: the last trick, its cards in the order played."""
    telling = Telling(language, view)
    deal = view.state.deal
    if deal is None or not deal.tricks:
        return (telling.t("No trick has been taken yet."),)
    trick = deal.tricks[-1]
    cards = mask_of((*trick.cards, *waited(deal)))
    points = telling.points(deal.rules.points_in(cards))
    own = N_("The last trick went to you: {points}.")
    other = N_("The last trick went {player:to}: {points}.")
    if waited(deal):
        own = N_("The last trick went to you, with {count} cards carried over: {points}.")
        other = N_("The last trick went {player:to}, with {count} cards carried over: {points}.")
    players = deal.rules.players
    plays = [
        telling.played((trick.leader + place) % players, card)
        for place, card in enumerate(trick.cards)
    ]
    if trick.winner is None:
        whose = telling.t(
            "The cards of the previous trick go to whoever takes the next one: {points}.",
            points=points,
        )
    else:
        whose = telling.by(trick.winner, own, other, points=points, count=len(waited(deal)))
    return _capitalized(language, [whose, *plays])


def points_taken(language: Language, view: View) -> Lines:
    """P: which cards that count each seat has taken, and which are still out."""
    telling = Telling(language, view)
    if view.state.deal is None:
        return (telling.t("No cards have been dealt yet."),)
    return _capitalized(language, _points_taken(telling))


def _points_taken(telling: Telling) -> Iterator[str]:
    deal = telling.view.deal
    rules = deal.rules
    known = 0
    for seat in telling.seats:
        taken = deal.captured(seat) & rules.counting_mask
        known |= taken
        if taken:
            points = telling.points(rules.points_in(taken))
            own, other = N_("You: {points}; {cards}."), N_("{player}: {points}; {cards}.")
            yield telling.by(seat, own, other, points=points, cards=_by_suit(telling, taken))
    if not known:
        yield telling.t("Nobody has taken a card that counts.")
    yield from _of_sides(telling, deal)
    waiting = deal.held & rules.counting_mask
    if waiting:
        cards = _by_suit(telling, waiting)
        yield telling.t("These cards go to whoever takes the next trick: {cards}.", cards=cards)
    out = rules.counting_mask & ~(known | waiting)
    if not out:
        yield telling.t("No card that counts is still out.")
        return
    parts = telling.language.together(spoken_order(cards_in(out & ~HEARTS)))
    if out & HEARTS:
        parts.append(_hearts(telling, out & HEARTS))
    yield telling.t("Still out: {cards}.", cards=parts)
    if rules.kitty_size and not deal.kitty:
        yield telling.t("Some of these cards may be in the kitty.")


def _by_suit(telling: Telling, mask: int) -> str:
    """Cards on one line: "spades: queen; hearts: 4, 3"."""
    language = telling.language
    cards = paired(spoken_order(cards_in(mask)))
    texts = ((card.suit, _rank(language, card, two)) for card, two in cards)
    return language.series(_suit_lines(telling, texts))


def _of_sides(telling: Telling, deal: DealState) -> Iterator[str]:
    """Points of partners together, where more than one of them took cards that count (W10)."""
    rules = deal.rules
    for side in telling.sides():
        taken = [deal.captured(seat) & rules.counting_mask for seat in side]
        if sum(map(bool, taken)) > 1:
            points = telling.points(sum(map(rules.points_in, taken)))
            players = telling.names(side)
            yield telling.t("{players} together: {points}.", players=players, points=points)


def _hearts(telling: Telling, hearts: int) -> str:
    """Number of hearts, and their points unless they are one each (W5)."""
    count, points = hearts.bit_count(), telling.view.deal.rules.points_in(hearts)
    number = telling.n("{count} heart", "{count} hearts", count)
    if points == count:
        return number
    return telling.t("{hearts} ({points})", hearts=number, points=telling.points(points))


def tricks(language: Language, view: View) -> Lines:
    """The tricks of the deal in their order, a line each."""
    telling = Telling(language, view)
    deal = view.state.deal
    lines = []
    for number, trick in enumerate(deal.tricks if deal is not None else (), start=1):
        seats = [(trick.leader + place) % len(trick.cards) for place in range(len(trick.cards))]
        cards = telling.series(
            telling.t("{name}, {card:the}", name=telling.who(seat), card=card)
            for seat, card in zip(seats, trick.cards, strict=True)
        )
        own = N_("Trick {number}, to you: {cards}.")
        other = N_("Trick {number}, {player:to}: {cards}.")
        if trick.winner is None:
            lines.append(
                telling.t(
                    "Trick {number} goes with the next one: {cards}.", number=number, cards=cards
                )
            )
        else:
            lines.append(telling.by(trick.winner, own, other, number=number, cards=cards))
    return tuple(lines) or (telling.t("No trick has been taken yet."),)


_LIES = (Phase.PASSING, Phase.PLAYING, Phase.CHOOSING)
"""Phases in which people hold cards, or cards lie on the table."""


def situation(language: Language, view: View) -> Lines:
    """G: the trick, who would take it, its points, and the own hand by suit; () between deals."""
    deal = view.state.deal
    if deal is None or view.state.phase not in _LIES:
        return ()
    held = hand(language, view, places=False) if view.seat is not None else ()
    if view.state.phase is Phase.PASSING:
        return held
    return (*table(language, view), *_worth(Telling(language, view), deal), *held)


def _worth(telling: Telling, deal: DealState) -> Lines:
    """Taker of the trick as it lies, and its points; () where no card lies there."""
    laid = [each.card for each in deal.laid] if isinstance(deal, RefereedDeal) else deal.trick
    if not laid:
        return ()
    points = telling.points(deal.rules.points_in(mask_of(laid) | deal.held))
    winner = telling.view.winning
    if winner is None:
        return (telling.t("Nobody would take the trick: {points}.", points=points),)
    own, other = (
        N_("You would take the trick: {points}."),
        N_("{player} would take the trick: {points}."),
    )
    return (telling.by(winner, own, other, points=points),)


def seat(language: Language, view: View, number: int) -> Lines:
    """Shift and a digit: cards left, points, total, and suits that are known to be missing."""
    telling = Telling(language, view)
    players = view.state.rules.players
    if not 0 <= number < players:
        return (telling.t("This table has {count} seats.", count=players),)
    total = view.state.totals[number]
    deal = view.state.deal
    if deal is None or view.state.phase not in _LIES:
        own, other = N_("You: {total} in all."), N_("{player}: {total} in all.")
        return (telling.by(number, own, other, total=total),)
    lines = [
        telling.by(
            number,
            N_("You: {cards}, {points} in this deal, {total} in all."),
            N_("{player}: {cards}, {points} in this deal, {total} in all."),
            cards=telling.n("{count} card", "{count} cards", deal.hand_sizes()[number]),
            points=telling.points(deal.rules.points_in(deal.captured(number))),
            total=total,
        )
    ]
    voids = [telling.t("no {suit}", suit=suit) for suit in view.voids(number)]
    if voids:
        lines.append(telling.t("Known: {voids}.", voids=", ".join(voids)))
    return tuple(lines)


def who(language: Language, view: View) -> Lines:
    """WW: the players, a line for each seat; `sitter` says it of a seat at a table of people."""
    players = enumerate(view.state.players)
    return tuple(sitter(language, place, each, place == view.seat) for place, each in players)


def sitter(
    language: Language, place: int, player: Player | None, me: bool = False, away: bool = False
) -> str:
    """The sentence about a seat: free, or its player.

    Args:
        player: None for a free seat.
        away: whether a bot plays for a person.
    """
    if player is None:
        message = N_("Seat {seat}: free.")
    elif player.level:
        message = N_("Seat {seat}: {name}, a bot ({level}).")
    elif away:
        message = N_("Seat {seat}: {name}; a bot is playing for now.")
    else:
        message = N_("Seat {seat}: you.") if me else N_("Seat {seat}: {name}.")
    name, level = (player.name, player.level) if player is not None else ("", "")
    return language.t(message, seat=place + 1, name=name, level=level_called(language, level))


def newcomer(language: Language, view: View) -> Lines:
    """Summary of a deal for somebody who comes to it now, without the trick and the hand."""
    return _capitalized(language, _newcomer(Telling(language, view)))


def _newcomer(telling: Telling) -> Iterator[str]:
    language, view = telling.language, telling.view
    rules, deal = view.state.rules, view.deal
    title = game_title(language, rules)
    players = telling.n("{count} player", "{count} players", rules.players)
    yield telling.t("{title}, {players}.", title=title, players=players)
    if view.state.phase is Phase.PASSING:
        yield telling.t("Deal {deal}, the pass.", deal=deal.number)
        yield telling.t(PASSED_NEXT[deal.direction])
    else:
        yield telling.t(
            "Deal {deal}, trick {trick} of {tricks}.",
            deal=deal.number,
            trick=deal.trick_number,
            tricks=rules.hand_size,
        )
    if view.state.deals:
        yield from _totals(telling)
    yield from _passed(telling)
    yield from _voids(telling)
    if view.state.phase is not Phase.PASSING:
        yield from points_taken(language, view)


def _passed(telling: Telling) -> Iterator[str]:
    """The pass: cards given, to whom, and cards received."""
    transfers = [
        (each.giver, each.taker, spoken_order(each.cards or ()))
        for each in telling.view.deal.transfers
    ]
    for giver, taker, cards in transfers:
        if telling.mine(giver):
            player = telling.player(taker)
            yield telling.t("You have passed {cards:the} {player:to}.", player=player, cards=cards)
    for giver, taker, cards in transfers:
        if telling.mine(taker):
            player = telling.player(giver)
            yield telling.t("{player} has passed you {cards:the}.", player=player, cards=cards)


def _voids(telling: Telling) -> Iterator[str]:
    """Voids that other seats have shown, as anybody knows who watched the tricks."""
    view = telling.view
    sizes = view.deal.hand_sizes()
    without: dict[tuple[Suit, ...], list[Player]] = {}
    for seat in telling.seats:
        suits = view.voids(seat)
        if suits and not telling.mine(seat) and sizes[seat]:
            without.setdefault(suits, []).append(telling.player(seat))
    for suits, players in without.items():
        one, many = (
            N_("{players} has no {suits:nor} left."),
            N_("{players} have no {suits:nor} left."),
        )
        yield telling.t(one if len(players) == 1 else many, players=players, suits=suits)
