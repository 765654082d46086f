"""Pictures of a match for programmers: plain text, and a table in HTML for notebooks.

Players read sentences instead, from `volte.say`. Seats have their numbers in programs here, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from volte.cards import Card, CardSet, Suit
from volte.game import MatchState, Phase
from volte.names import on_one_line
from volte.referee import RefereedDeal, to_act
from volte.rules import described

HEADINGS: Final = ("seat", "name", "total", "deal", "cards", "table", "state")
"""Headings of the columns: `deal` is points in this deal so far, `table` the card in the trick."""

NUMBERS: Final = ("total", "deal", "cards")
"""The columns that hold numbers."""


def headline(state: MatchState) -> str:
    """Return the name of the rules and the progress of the match.

    >>> from volte.game import MatchStarted, Player, evolve
    >>> from volte.rules import make_ruleset
    >>> headline(evolve(None, MatchStarted(make_ruleset("salon"), (Player("A"),) * 4)))
    'salon, 4 players: before the first deal'
    """
    name = on_one_line(state.rules.name) or described(state.rules)[0]
    return f"{name}, {len(state.players)} players: {_progress(state)}"


def _progress(state: MatchState) -> str:
    deal = state.deal
    if deal is None:
        return "before the first deal"
    match state.phase:
        case Phase.PASSING:
            return f"deal {deal.number}, pass {deal.direction}"
        case Phase.PLAYING if len(deal.tricks) < deal.rules.hand_size:
            return f"deal {deal.number}, trick {deal.trick_number} of {deal.rules.hand_size}"
        case Phase.ENDED:
            return f"over after {len(state.deals)} deals" if len(state.deals) > 1 else "over"
        case _:
            return f"deal {deal.number} is played"


def as_text(state: MatchState, hands: Iterable[int] = ()) -> str:
    """Return the match in lines: a headline, a row for each seat, and the hands to show.

    Args:
        state: the match, without secrets of hands that may not be shown.
        hands: seats whose hands are shown.
    """
    rows = [HEADINGS, *_rows(state)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = [headline(state)]
    for row in rows:
        cells = (
            f"{cell:>{width}}" if heading in NUMBERS else f"{cell:{width}}"
            for cell, width, heading in zip(row, widths, HEADINGS, strict=True)
        )
        lines.append("  ".join(cells).rstrip())
    lines += [f"hand of seat {seat}: {hand or 'no cards'}" for seat, hand in _hands(state, hands)]
    return "\n".join(lines)


def as_html(state: MatchState, hands: Iterable[int] = ()) -> str:
    """Return the match as a table in HTML: cards as symbols, with names for screen readers."""
    heads = "".join(f'<th scope="col">{heading}</th>' for heading in HEADINGS)
    on_table = _on_table(state)
    rows = []
    for number, (seat, name, total, points, cards, _, role) in enumerate(_rows(state)):
        table = _card(on_table[number]) if number in on_table else ""
        cells = (escape(name), total, points, cards, table, role)
        rows.append(
            f'<tr><th scope="row">{seat}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        )
    shown = (
        f"<p>hand of seat {seat}: {' '.join(map(_card, _by_suit(hand))) or 'no cards'}</p>"
        for seat, hand in _hands(state, hands)
    )
    return (
        f"<table><caption>{escape(headline(state))}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{''.join(shown)}"
    )


def _rows(state: MatchState) -> Iterator[tuple[str, ...]]:
    deal, on_table, waited = state.deal, _on_table(state), to_act(state)
    sizes = deal.hand_sizes() if deal is not None else ()
    for seat, (player, total) in enumerate(zip(state.players, state.totals, strict=True)):
        role = "to act" if seat in waited else "winner" if seat in state.winners else ""
        yield (
            str(seat),
            on_one_line(player.name),
            str(total),
            str(deal.rules.points_in(deal.captured(seat))) if deal is not None else "",
            str(sizes[seat]) if sizes else "",
            str(on_table.get(seat, "")),
            role,
        )


def _on_table(state: MatchState) -> dict[int, Card]:
    """Cards in the trick, by seat."""
    deal = state.deal
    if isinstance(deal, RefereedDeal):
        return {each.seat: each.card for each in deal.laid}
    if deal is None:
        return {}
    seats = len(state.players)
    return {(deal.leader + place) % seats: card for place, card in enumerate(deal.trick)}


def _hands(state: MatchState, seats: Iterable[int]) -> Iterator[tuple[int, CardSet]]:
    if state.deal is not None:
        yield from ((seat, CardSet(state.deal.hands[seat])) for seat in seats)


def _by_suit(cards: CardSet) -> list[Card]:
    """Sort as `CardSet` does: spades, hearts, diamonds, clubs, from high to low, then jokers."""
    order = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS, None)
    return sorted(cards, key=lambda card: (order.index(card.suit), -(card.rank or 0), card.pack))


RED: Final = "#b3001b"
BLACK: Final = "#1a1a1a"


def _card(card: Card) -> str:
    if card.suit is None or card.rank is None:
        colour, sign = BLACK, card.text
        name = f"{'red' if card.text.startswith('R') else 'black'} joker"
    else:
        colour = RED if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else BLACK
        sign = card.rank.letter.replace("T", "10") + card.suit.symbol + "'" * card.pack
        name = f"{card.rank.name.lower()} of {card.suit.name.lower()}"
    style = f"background:#fff;color:{colour};padding:0 .2em"
    return f'<span role="img" aria-label="{name}" style="{style}">{escape(sign)}</span>'
