"""A position on a page: the table as one seat sees it, and answers to all its questions.

All of it comes with the page, so the script asks nothing more of the server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from volte.cards import Card
from volte.game import Phase, Play, Refusal, decide
from volte.game.codec import card_text
from volte.rules import HeartsLead
from volte.say import N_, Words
from volte.say.answers import tricks
from volte.say.faults import rule_broken
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.telling import Lines
from volte.view import View
from volte.web.cards_shown import cancelled, card_in_hand, card_laid, wider
from volte.web.faces import face_of, face_of_bot
from volte.wire.messages import LaidCard, Scene, SceneCard, SceneSeat

LABELS: Final = {
    "known": N_("What you know"),
    "story": N_("The tricks so far"),
    "show": N_("Show me the best card"),
}
"""Labels of buttons that the script makes, and that no table has."""

QUESTIONS: Final = (
    *("table", "scores", "turn", "situation", "hand", "last", "points", "sheet", "rules"),
    "keys",
)
"""Questions that the page answers when their keys are pressed."""


def shown(words: Words, view: View, status: Lines) -> dict[str, Any]:
    """Context of the template `position.html`: for the page as it is, and for its script.

    Args:
        status: sentences that say what is going on, and what the seat is asked.
    """
    deal, players = view.deal, view.state.players
    known = words.newcomer(view)
    story = tricks(words, view) if deal.tricks else (words.t("This is the first trick."),)
    return {
        "situation": known,
        "story": story,
        "labels": {key: words.t(text) for key, text in LABELS.items()},
        "laid": [  # with the name of the player
            (card.text, players[(deal.leader + place) % len(players)].name)
            for place, card in enumerate(deal.trick)
        ],
        "hand": [(card.text, words.card(card)) for card in words.hand_order(view)],
        "answers": _answers(words, view) | {"known": known, "story": story},
        "scene": msgspec.to_builtins(scene_of(words, view, status), enc_hook=card_text),
        "sections": rule_sheet(view.state.rules, words),
        "sheet_fault": "",
        "kept": {},  # hidden fields that the form sends besides the card
    }


def _answers(words: Words, view: View) -> dict[str, Lines]:
    players = len(view.state.players)
    cards = range(1, players + 1)
    first = view.seat or 0
    return {
        "table": words.table(view),
        **{f"table {number}": words.table_card(view, number) for number in cards},
        "scores": words.scores(view),
        "turn": words.turn(view),
        "situation": (*words.turn(view), *words.situation(view)),
        **{f"seat {at + 1}": words.seat(view, (first + at) % players) for at in range(players)},
        "hand": words.hand(view, places=False),
        "last": words.last_trick(view),
        "points": words.points_taken(view),
        "sheet": words.score_sheet(view, width=0),
    }


def scene_of(words: Words, view: View, status: Lines) -> Scene:
    """The scene that a table would show at the view's seat."""
    state, deal = view.state, view.deal
    broken = deal.broken if deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN else None
    last = deal.tricks[-1] if deal.tricks else None

    return Scene(
        number=state.version,
        phase="passing" if state.phase is Phase.PASSING else "playing",
        status=" ".join(status),
        seat=view.seat,
        seats=tuple(_seats(view)),
        hand=tuple(_hand(words, view)),
        trick=_trick(words, deal.leader, deal.trick, deal.rules.players),
        last=_trick(words, last.leader, last.cards, deal.rules.players) if last else (),
        turn=view.seat,
        leader=deal.leader,
        dealer=state.dealer,
        deal=deal.number,
        broken=broken,
        may=("Play",),
        wider=wider(words, view, deal),
    )


def _seats(view: View) -> Iterator[SceneSeat]:
    state, deal = view.state, view.deal
    for seat, (player, held) in enumerate(zip(state.players, deal.hand_sizes(), strict=True)):
        face = face_of(player.name, {}) if player.person else face_of_bot(player.name)
        yield SceneSeat(
            name=player.name,
            level="",
            state="here" if player.person else "bot",
            cards=held,
            points=deal.rules.points_in(deal.captured(seat)),
            total=state.totals[seat],
            passed=False,
            host=False,
            face=face.picture,
            hue=face.hue,
        )


def _hand(words: Words, view: View) -> Iterator[SceneCard]:
    for card in words.hand_order(view):
        refused = decide(view.state, Play(view.seat, card))
        why = rule_broken(words, refused, view) if isinstance(refused, Refusal) else ""
        yield card_in_hand(words.lang, card, not why, why, False)


def _trick(words: Words, leader: int, cards: Sequence[Card], players: int) -> tuple[LaidCard, ...]:
    gone = cancelled(cards)
    return tuple(
        card_laid(words.lang, (leader + place) % players, card, False, card in gone)
        for place, card in enumerate(cards)
    )
