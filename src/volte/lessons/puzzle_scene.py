"""A puzzle as a table, for the script that draws tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volte.cards import Card
from volte.game import Play, Refusal, decide
from volte.rules import HeartsLead
from volte.say import Words
from volte.say.faults.refusals import rule_broken
from volte.view import View
from volte.web.cards_shown import cancelled, card_in_hand, card_laid, wider
from volte.web.faces import face_of, face_of_bot
from volte.wire.messages import LaidCard, Scene, SceneCard, SceneSeat


def scene_of(words: Words, view: View) -> Scene:
    """What whoever sits there would be shown at a table."""
    state, deal = view.state, view.deal
    broken = deal.broken if deal.rules.play.hearts_lead is HeartsLead.ONCE_BROKEN else None
    last = deal.tricks[-1] if deal.tricks else None

    return Scene(
        number=state.version,
        phase="playing",
        status=" ".join((*words.turn(view), words.t("Which card is best?"))),
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
    assert view.seat is not None
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
