"""`decide`: judge an action, and return the events that it causes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from volte.cards import Card, WrongType, cards_in, mask_of, union
from volte.fair import DIGEST_BYTES, LONGEST_CONTRIBUTION, SECRET_BYTES, verify_bytes
from volte.game import actions as act
from volte.game import events as ev
from volte.game.actions import Refusal
from volte.game.claims import claim_holds
from volte.game.dealing import hands_of
from volte.game.evolve import duties_now, evolve
from volte.game.legal import kitty_taker, legal_cards, trick_taker
from volte.game.state import DealState, MatchState, Phase
from volte.rules import (
    Direction,
    LotsNeeded,
    MoonRule,
    Opening,
    Payment,
    Ruleset,
    Score,
    Settlement,
    Wanted,
    breach,
    lawful_draw,
    loses_by_plus,
    minus_is_open,
    order_of,
    score,
    settle_match,
    settle_pot,
    totals,
    winners,
)

Outcome = tuple[ev.Event, ...] | Refusal


def decide(state: MatchState, action: act.Action) -> Outcome:
    """Return the events that the action causes, in order, or a refusal.

    The events belong together: fold all of them before the next action is judged.
    """
    if isinstance(action, act.Play):
        return _play(state, action)
    if isinstance(action, act.ActionOfSeat) and not 0 <= action.seat < len(state.players):
        return Refusal("no_such_seat", params={"seat": action.seat})
    judge = _JUDGES.get(type(action))
    if judge is None:
        raise WrongType.of("action", "Action", action)
    return judge(state, action)


# Play


def _play(state: MatchState, action: act.Play) -> Outcome:
    deal = state.deal
    if deal is None or state.phase is not Phase.PLAYING:
        return Refusal("not_playing_now")
    seat, card = action.seat, action.card
    if seat != deal.turn:
        return Refusal("not_your_turn", "T2", params={"turn": deal.turn})
    if not legal_cards(deal) & card.bit:
        return _illegal(deal, card)
    return play_events(state, seat, card)


def play_events(state: MatchState, seat: int, card: Card) -> tuple[ev.Event, ...]:
    """Return the events that a lawful play causes.

    They depend on what every seat sees, and on the kitty once the deal is over; so `state` may be
    a seat's own view.
    """
    deal = state.current_deal
    played = ev.Played(seat, card)
    if len(deal.trick) + 1 < len(deal.hands):
        return (played,)
    taker = trick_taker(deal, (*deal.trick, card))
    gathered: ev.Event = ev.TrickHeld() if taker is None else ev.TrickTaken(taker)
    kitty_waits = deal.rules.kitty_size and deal.kitty_taker is None
    if len(deal.tricks) + 1 == deal.rules.hand_size or kitty_waits:
        return (played, gathered, *following(_after(state, played, gathered)))
    return (played, gathered)


def _illegal(deal: DealState, card: Card) -> Refusal:
    hand = deal.hands[deal.turn]
    legal = cards_in(legal_cards(deal))
    if not hand & card.bit:
        return Refusal("not_in_hand", legal=legal, params={"card": card.text})
    clause = breach(hand, card, duties_now(deal)) or ""
    led = deal.led.letter if deal.led is not None else ""
    params: dict[str, int | str] = {"card": card.text, "led": led}
    if clause == "T7":
        params["trick"] = deal.rules.play.hearts_from_trick
    return Refusal("breach", clause, legal, params)


def _claim(state: MatchState, action: act.Claim) -> Outcome:
    if state.deal is None or state.phase is not Phase.PLAYING:
        return Refusal("not_playing_now", "C1")
    if not claim_holds(state.deal):
        return Refusal("claim_not_proved", "C1")
    happened: list[ev.Event] = [ev.Claimed(action.seat)]
    state = _after(state, happened[0])
    while state.phase is Phase.PLAYING:
        deal = state.current_deal
        forced = play_events(state, deal.turn, cards_in(legal_cards(deal))[0])
        happened += forced
        state = _after(state, *forced)
    return tuple(happened)


# What follows by itself


def _after(state: MatchState, *happened: ev.Event) -> MatchState:
    for event in happened:
        state = evolve(state, event)
    return state


def following(state: MatchState) -> tuple[ev.Event, ...]:
    """Return the events that the rules cause by themselves, up to the next action that is due."""
    happened: list[ev.Event] = []
    while (event := _consequence(state)) is not None:
        happened.append(event)
        state = evolve(state, event)
    return tuple(happened)


def _consequence(state: MatchState) -> ev.Event | None:
    deal = state.current_deal
    if state.phase is Phase.PLAYING:
        taker = kitty_taker(deal)
        if taker is not None:
            return ev.KittyTaken(taker, cards_in(deal.kitty))
        if len(deal.tricks) == deal.rules.hand_size:
            scored = score_of(state.rules, state.deals, deal)
            shooter = asked_shooter(state.rules, scored)
            return scored_event(scored) if shooter is None else ev.MoonShot(shooter)
    elif state.phase in (Phase.PAYING_POT, Phase.SETTLING):
        payment = _payment(state)
        if isinstance(payment, Payment):
            pot = payment.pot if state.phase is Phase.PAYING_POT else state.pot
            return ev.Settled(payment.paid, payment.drawn, pot)
    elif state.phase is Phase.CLOSING:
        sums = totals(state.rules, state.deals)
        return ev.MatchEnded(sums, winners(state.rules, state.deals))
    return None


def score_of(
    rules: Ruleset, before: Sequence[Score], deal: DealState, *, minus: bool = False
) -> Score:
    """The score of a deal whose tricks are gathered (S1–S6, W5–W8).

    Args:
        rules: of the match; the deal may have its own (I8).
        before: the deals before it.
        minus: whether the shooter has chosen to count the moon off its own points (W7).
    """
    captured = [deal.captured(seat) for seat in range(rules.players)]
    scored = score(deal.rules, captured, deal.won, minus=minus)
    saved = rules.moon.moon is MoonRule.PLUS_UNLESS_LOST and not minus
    if saved and minus_is_open(rules, scored) is not None and loses_by_plus(rules, before, scored):
        return score(deal.rules, captured, deal.won, minus=True)
    return scored


def asked_shooter(rules: Ruleset, scored: Score) -> int | None:
    """Return the seat that has to choose how its moon counts (W7); None without a choice."""
    chooses = rules.moon.moon is MoonRule.SHOOTER_CHOOSES
    return minus_is_open(rules, scored) if chooses else None


def scored_event(scored: Score) -> ev.DealScored:
    """Return the event that announces a score."""
    return ev.DealScored(scored.points, scored.moon, scored.slam, scored.minus, scored.trickless)


def _choose_moon(state: MatchState, action: act.ChooseMoon) -> Outcome:
    deal = state.deal
    if deal is None or state.phase is not Phase.CHOOSING or action.seat != state.shooter:
        return Refusal("no_moon_to_choose", "W7")
    scored = scored_event(score_of(state.rules, state.deals, deal, minus=action.minus))
    return (scored, *following(_after(state, scored)))


def _payment(state: MatchState) -> Payment | LotsNeeded:
    """Return the settlement that is due, or the lots that it needs first (M1–M6)."""
    deal = state.current_deal
    if state.phase is Phase.PAYING_POT:
        captured = [deal.captured(seat) for seat in range(deal.rules.players)]
        return settle_pot(deal.rules, state.deals[-1], captured, state.pot, state.lots)
    return settle_match(deal.rules, state.deals, state.lots)


# The pass


def _pass(state: MatchState, action: act.Pass) -> Outcome:
    deal = state.deal
    if deal is None or state.phase is not Phase.PASSING:
        return Refusal("not_passing_now", "P1")
    seat, cards = action.seat, action.cards
    if deal.passes[seat] is not None:
        return Refusal("already_passed", "P1")
    count, hand = deal.pass_size, deal.hands[seat]
    given = mask_of(cards)
    if given.bit_count() < len(cards):
        twice = next(card for place, card in enumerate(cards) if card in cards[:place])
        return Refusal("passed_twice", "P1", cards_in(hand), {"card": twice.text})
    if len(cards) != count:
        return Refusal("pass_count", "P1", cards_in(hand), {"count": count, "given": len(cards)})
    if given & ~hand:
        missing = cards_in(given & ~hand)[0]
        return Refusal("not_in_hand", "P1", cards_in(hand), {"card": missing.text})
    scattered = deal.direction is Direction.SCATTER
    passed = ev.Passed(seat, cards if scattered else cards_in(given))
    state = _after(state, passed)
    if None in state.current_deal.passes:
        return (passed,)
    exchanged = exchange(state.current_deal)
    return (passed, exchanged, start_play(_after(state, exchanged)))


def exchange(deal: DealState) -> ev.Exchanged:
    """Return the exchange of all passes, in the deal's direction (P1) or scattered (W1)."""
    players = deal.rules.players
    if deal.direction is Direction.SCATTER:
        return ev.Exchanged(
            tuple(
                ev.Transfer(seat, (seat + 1 + place) % players, cards and (cards[place],))
                for seat, cards in enumerate(deal.passes)
                for place in range(players - 1)
            )
        )
    return ev.Exchanged(
        tuple(
            ev.Transfer(seat, deal.direction.target(seat, players), deal.passes[seat])
            for seat in range(players)
        )
    )


def start_play(state: MatchState) -> ev.PlayStarted:
    """Return the first lead (L1, L2, W2); all hands must be known, unless the eldest hand leads."""
    deal = state.current_deal
    if deal.rules.play.opening is Opening.ELDEST:
        return ev.PlayStarted((deal.dealer + 1) % deal.rules.players, None)
    opening = deal.rules.lowest_club(union(deal.hands))
    leader = next(seat for seat, hand in enumerate(deal.hands) if hand & opening.bit)
    return ev.PlayStarted(leader, opening)


def _take_back_pass(state: MatchState, action: act.TakeBackPass) -> Outcome:
    deal = state.deal
    if deal is None or state.phase is not Phase.PASSING or deal.passes[action.seat] is None:
        return Refusal("no_pass_to_take_back", "C2")
    return (ev.PassTakenBack(action.seat),)


# Undo


def _ask_undo(state: MatchState, action: act.AskUndo) -> Outcome:
    played = last_play(state)
    if played is None or played.seat != action.seat or state.asked is not None:
        return Refusal("nothing_to_undo", "C2")
    request = ev.UndoAsked(action.seat)
    return (request, *_undo_if_allowed(_after(state, request)))


def _answer_undo(state: MatchState, action: act.AnswerUndo) -> Outcome:
    if state.asked is None:
        return Refusal("no_undo_asked", "C2")
    if action.seat not in still_to_consent(state):
        return Refusal("not_yours_to_allow", "C2")
    answered = ev.UndoAnswered(action.seat, action.allow)
    return (answered, *_undo_if_allowed(_after(state, answered)))


def _undo_if_allowed(state: MatchState) -> tuple[ev.Event, ...]:
    played = last_play(state)
    if state.asked is None or played is None or still_to_consent(state):
        return ()
    return (ev.PlayTakenBack(played.seat, played.card),)


def still_to_consent(state: MatchState) -> tuple[int, ...]:
    """Seats of the people who have yet to allow the undo that is asked for; empty without one."""
    if state.asked is None:
        return ()
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if player.person and seat != state.asked and not state.consents >> seat & 1
    )


def last_play(state: MatchState) -> ev.Played | None:
    """The play that could still be taken back (C2); None where there is none."""
    deal = state.deal
    if state.phase is not Phase.PLAYING or state.before is None or deal is None:
        return None
    card = deal.trick[-1] if deal.trick else deal.tricks[-1].cards[-1]
    return ev.Played(state.before.turn, card)


# The house


def _draw_dealer(state: MatchState, action: act.DrawDealer) -> Outcome:
    if state.phase is not Phase.DRAWING or not _chance_is_set(state):
        return Refusal("no_lots_due", "D1")
    seats = tuple(range(state.rules.players))
    if not lawful_draw(seats, Wanted.LOWEST, action.rounds):
        return Refusal("lots_not_lawful", "D1")
    return (ev.DealerDrawn(action.rounds, order_of(seats, action.rounds)[-1]),)


def _name_dealer(state: MatchState, action: act.NameDealer) -> Outcome:
    if state.phase is not Phase.DRAWING or state.proof is not None:
        return Refusal("no_lots_due", "D1")
    if not 0 <= action.dealer < state.rules.players:
        return Refusal("no_such_seat", params={"seat": action.dealer})
    return (ev.DealerDrawn((), action.dealer),)


def lots_due(state: MatchState) -> tuple[tuple[int, ...], Wanted]:
    """Seats that must draw lots now, and the purpose; no seats when none are due (D1, M2, M5)."""
    if state.phase is Phase.DRAWING:
        return tuple(range(state.rules.players)), Wanted.LOWEST
    if state.phase in (Phase.PAYING_POT, Phase.SETTLING):
        needed = _payment(state)
        if isinstance(needed, LotsNeeded):
            average = state.rules.stakes.settlement is Settlement.AVERAGE
            return needed.seats, Wanted.ORDER if average else Wanted.HIGHEST
    return (), Wanted.HIGHEST


def _draw_lots(state: MatchState, action: act.DrawLots) -> Outcome:
    seats, wanted = lots_due(state)
    if not seats or state.phase is Phase.DRAWING:
        return Refusal("no_lots_due", "M2")
    if not lawful_draw(seats, wanted, action.rounds):
        return Refusal("lots_not_lawful", "M5" if wanted is Wanted.ORDER else "M2")
    drawn = ev.LotsDrawn(action.rounds, order_of(seats, action.rounds))
    return (drawn, *following(_after(state, drawn)))


def _deal_cards(state: MatchState, action: act.DealCards) -> Outcome:
    rules = state.rules
    if state.phase is not Phase.DEALING or not _chance_is_set(state):
        return Refusal("not_dealing_now", "D4")
    if len(action.deck) != len(rules.cards) or mask_of(action.deck) != rules.deck_mask:
        return Refusal("not_the_deck", "D4")
    number = len(state.deals) + 1
    hands, kitty = hands_of(action.deck, rules.players, state.dealer)
    direction = rules.direction(number)
    dealing = ev.Dealt(number, state.dealer, direction, hands, kitty)
    if direction is not Direction.HOLD:
        return (dealing,)
    return (dealing, start_play(_after(state, dealing)))


def _chance_is_set(state: MatchState) -> bool:
    """Whether cards may be dealt: chance is not proved here, or a fresh commitment is complete.

    It is complete once every seat has added its bytes and the secret before it is revealed.
    """
    proof = state.proof
    if proof is None:
        return True
    revealed = state.revealed == proof.number - 1
    return revealed and not proof.used and not still_to_contribute(state)


def _commit(state: MatchState, action: act.Commit) -> Outcome:
    proof = state.proof
    if proof is None:
        next_ = 1 if state.version == 1 else 0  # before anything else has happened
    else:
        next_ = proof.number + 1 if state.phase is Phase.DEALING and proof.used else 0
    if not next_ or action.number != next_:
        return Refusal("no_commitment_due", "D3")
    if len(action.digest) != DIGEST_BYTES:
        return Refusal("not_a_digest", "D3")
    return (ev.Committed(action.number, action.digest, action.house),)


def still_to_promise(state: MatchState) -> tuple[int, ...]:
    """The seats outside the house that may still promise bytes: until any have been revealed."""
    proof = state.proof
    if proof is None or proof.used:
        return ()
    own = [seat for seat in range(len(proof.contributions)) if seat not in proof.house]
    revealed = any(proof.answered >> seat & 1 for seat in own)
    return () if revealed else tuple(seat for seat in own if not proof.promised >> seat & 1)


def still_to_contribute(state: MatchState) -> tuple[int, ...]:
    """The seats, of the house or not, that have yet to reveal their bytes or be left out."""
    proof = state.proof
    if proof is None or proof.used:
        return ()
    seats = range(len(proof.contributions))
    return tuple(seat for seat in seats if not proof.answered >> seat & 1)


def _promise(state: MatchState, action: act.Promise) -> Outcome:
    if action.seat not in still_to_promise(state):
        return Refusal("no_promise_due", "D3")
    if action.digest is not None and len(action.digest) != DIGEST_BYTES:
        return Refusal("not_a_digest", "D3")
    return (ev.Promised(action.seat, action.digest),)


def _contribute(state: MatchState, action: act.Contribute) -> Outcome:
    proof, seat, data = state.proof, action.seat, action.data
    if proof is None or seat not in still_to_contribute(state):
        return Refusal("no_contribution_due", "D3")
    if data is not None and len(data) > LONGEST_CONTRIBUTION:
        return Refusal("contribution_too_long", "D3", params={"most": LONGEST_CONTRIBUTION})
    if proof.promised and seat not in proof.house:
        if still_to_promise(state):
            return Refusal("promises_missing", "D3")
        promise = proof.promises[seat] or b""
        if data is not None and not verify_bytes(promise, proof.number, seat, data):
            return Refusal("promise_broken", "D3")
    return (ev.Contributed(seat, data),)


def _reveal(state: MatchState, action: act.Reveal) -> Outcome:
    proof = state.proof
    if proof is None or action.number != state.revealed + 1 or action.number > proof.number:
        return Refusal("nothing_to_reveal", "D3")
    cut = not proof.used and not still_to_contribute(state)  # the next deal's bytes are complete
    if not (cut and action.number < proof.number) and state.phase is not Phase.ENDED:
        return Refusal("too_soon_to_reveal", "D3")
    if len(action.secret) != SECRET_BYTES:
        return Refusal("not_a_secret", "D3")
    return (ev.Revealed(action.number, action.secret),)


_JUDGES: Final[dict[type, Callable[[Any, Any], Outcome]]] = {
    act.Claim: _claim,
    act.ChooseMoon: _choose_moon,
    act.Pass: _pass,
    act.TakeBackPass: _take_back_pass,
    act.AskUndo: _ask_undo,
    act.AnswerUndo: _answer_undo,
    act.DrawDealer: _draw_dealer,
    act.NameDealer: _name_dealer,
    act.DrawLots: _draw_lots,
    act.DealCards: _deal_cards,
    act.Commit: _commit,
    act.Promise: _promise,
    act.Contribute: _contribute,
    act.Reveal: _reveal,
}
