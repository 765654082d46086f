"""`decide`: judge an action, at a refereed table or at one that refuses unlawful actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from volte import game
from volte.cards import CLUBS, Card, cards_in, mask_of, union
from volte.game import MatchState, Phase, Refusal
from volte.game import actions as lawful_act
from volte.game import events as lawful
from volte.game.decide import decide as decide_lawfully
from volte.game.decide import start_play
from volte.referee import actions as act
from volte.referee import events as ev
from volte.referee.evolve import evolve
from volte.referee.rulings import stopped, without
from volte.referee.state import Breach, RefereedDeal, RefereedMatch
from volte.rules import Direction, Opening, Ruleset, RulesetFault, Score

FEWEST_TO_MIX: Final = 2
"""Tricks that a seat must have taken before they can be mixed (I7)."""

Outcome = tuple[ev.Event, ...] | Refusal
Cards = tuple[Card, ...]


def decide(state: MatchState, action: act.Action) -> Outcome:
    """Return the events that the action causes, in order, or a refusal.

    The events belong together: fold all of them before the next action is judged.
    """
    if not isinstance(state, RefereedMatch):
        if isinstance(action, act.RefereedSeatAction | act.RefereedHouseAction):
            return Refusal("no_referee")
        return decide_lawfully(state, action)
    for seat in (getattr(action, "seat", 0), getattr(action, "against", 0)):
        if not 0 <= seat < len(state.players):
            return Refusal("no_such_seat", params={"seat": seat})
    lies = state.phase is Phase.PLAYING and state.reckoned is None
    if isinstance(action, _OF_THE_TRICK) and not lies:
        return Refusal("not_playing_now")
    judge = _JUDGES.get(type(action))
    if judge is not None:
        return judge(state, action)
    return decide_lawfully(state, cast("lawful_act.Action", action))


_OF_THE_TRICK: Final = (lawful_act.Play, act.TakeBack, act.Object, act.TurnDown)


def _after(state: MatchState, *happened: ev.Event) -> RefereedMatch:
    for event in happened:
        state = evolve(state, event)
    assert isinstance(state, RefereedMatch)
    return state


# The trick


def _play(state: RefereedMatch, action: lawful_act.Play) -> Outcome:
    """Play any card of the hand, lawful or not, at any moment, but only one a trick (I2, I3)."""
    deal = state.lying
    seat, card = action.seat, action.card
    if deal.full:  # its winner may lead at once, which turns the trick down
        if seat != deal.turner:
            return Refusal("not_turned_down", "I4", params={"turn": deal.turner})
        turned = turn_down(state)
        after = _after(state, *turned)
        if after.reckoned is not None:
            return turned
        led = _play(after, action)
        return led if isinstance(led, Refusal) else (*turned, *led)
    if deal.lies(seat) is not None:
        return Refusal("already_played", "I2")
    if not deal.hands[seat] & card.bit:
        params: dict[str, int | str] = {"card": card.text}
        return Refusal("not_in_hand", legal=cards_in(deal.hands[seat]), params=params)
    if deal.bound >> seat & 1:  # a seat that has taken a card back has to play lawfully
        refusal = decide_lawfully(state, action)
        if isinstance(refusal, Refusal):
            return refusal
    return (lawful.Played(seat, card),)


def _turn_down(state: RefereedMatch, action: act.TurnDown) -> Outcome:
    deal = state.lying
    if not deal.full:
        return Refusal("trick_not_full", "I4")
    if action.seat != deal.turner:
        return Refusal("not_yours_to_turn_down", "I4", params={"turn": deal.turner})
    return turn_down(state)


def turn_down(state: RefereedMatch) -> tuple[ev.Event, ...]:
    """Return the events that gather the full trick, and their consequences."""
    taker = state.lying.taker
    happened: list[ev.Event] = []
    event: ev.Event | None = lawful.TrickHeld() if taker is None else lawful.TrickTaken(taker)
    while event is not None:
        happened.append(event)
        state = _after(state, event)
        event = _next_of_trick(state.lying)
    if not any(state.lying.hands):
        scored = game.score_of(state.rules, state.deals, state.lying)
        happened += _reckoned(state.rules, scored)
    return tuple(happened)


def _next_of_trick(deal: RefereedDeal) -> ev.Event | None:
    """The next event after a trick has been gathered: the kitty taken, or the rest; else None."""
    if deal.heir is not None:
        return lawful.KittyTaken(deal.heir, cards_in(deal.kitty))
    if any(deal.hands) and not all(deal.hands):
        return _rest_taken(deal)
    return None


def _reckoned(rules: Ruleset, scored: Score) -> tuple[ev.Event, ...]:
    """The score as it stands, and the question to a shooter how the moon counts (W7)."""
    shooter = game.asked_shooter(rules, scored)
    question = () if shooter is None else (lawful.MoonShot(shooter),)
    reckoned = ev.Reckoned(
        scored.points, scored.moon, scored.slam, minus=scored.minus, trickless=scored.trickless
    )
    return (reckoned, *question)


def _choose_moon(state: RefereedMatch, action: lawful_act.ChooseMoon) -> Outcome:
    if state.reckoned is None or action.seat != state.shooter:
        return Refusal("no_moon_to_choose", "W7")
    scored = game.score_of(state.rules, state.deals, state.lying, minus=action.minus)
    return _reckoned(state.rules, scored)[:1]


def _rest_taken(deal: RefereedDeal) -> ev.RestTaken:
    """All cards that are left go to the empty hand; of several, to the first from the leader on.

    The other seats can only lose their cards to it, so the order of their plays makes no
    difference (I8).
    """
    players = len(deal.hands)
    clockwise = ((deal.leader + place) % players for place in range(players))
    seat = next(seat for seat in clockwise if not deal.hands[seat])
    tricks = max(hand.bit_count() for hand in deal.hands)
    return ev.RestTaken(seat, cards_in(union(deal.hands)), tricks)


def _take_back(state: RefereedMatch, action: act.TakeBack) -> Outcome:
    deal = state.lying
    broken = _breach(deal, action.seat, deal.trick_number)
    if broken is None or not broken.revoke:
        return Refusal("nothing_to_put_right", "I4")
    return (_taken_back(deal, action.seat, "I4"),)


def _object(state: RefereedMatch, action: act.Object) -> Outcome:
    deal = state.lying
    if action.seat == action.against:
        return Refusal("own_card", "I2")
    laid = deal.lies(action.against)
    if laid is None:
        return Refusal("no_card_there", "I2")
    broken = _breach(deal, action.against, deal.trick_number)
    if laid.early:
        objected = ev.Objected(action.seat, action.against, "I2")
        return (objected, _taken_back(deal, action.against, "I2"))
    if broken is not None:
        objected = ev.Objected(action.seat, action.against, broken.clause)
        return (objected, _taken_back(deal, action.against, "I3"))
    return (ev.Objected(action.seat, action.against, ""),)


def _breach(deal: RefereedDeal, seat: int, trick: int) -> Breach | None:
    """The duty that the seat's card in that trick has broken, if any."""
    found = (each for each in deal.breaches if (each.seat, each.trick) == (seat, trick))
    return next(found, None)


def _taken_back(deal: RefereedDeal, seat: int, clause: str) -> ev.TakenBack:
    """Return the seat's card to its hand; after a lead, all cards that followed it go back too."""
    leads = deal.laid[0].seat == seat
    cards = deal.laid if leads else tuple(each for each in deal.laid if each.seat == seat)
    return ev.TakenBack(seat, clause, cards)


# Revokes


def _claim_revoke(state: RefereedMatch, action: act.ClaimRevoke) -> Outcome:
    if state.phase is not Phase.PLAYING:
        return Refusal("too_late_to_claim", "I6")
    deal = state.lying
    if not 1 <= action.trick <= len(deal.tricks):
        lies = action.trick == deal.trick_number and deal.laid
        reason = "not_yet_turned_down" if lies else "no_such_trick"
        return Refusal(reason, "I9", params={"trick": action.trick})
    broken = _breach(deal, action.against, action.trick)
    clause = broken.clause if broken is not None and broken.revoke else ""
    claimed = ev.RevokeClaimed(action.seat, action.against, action.trick, clause)
    if not clause or action.against in deal.offenders:  # it is paid for once a deal (I6)
        return (claimed,)
    return (claimed, _stopped(state, action.against))


def _mix_tricks(state: RefereedMatch, action: act.MixTricks) -> Outcome:
    if state.phase is not Phase.PLAYING:
        return Refusal("too_late_to_claim", "I6")
    if state.lying.won[action.seat] < FEWEST_TO_MIX:
        return Refusal("too_few_tricks", "I7", params={"count": FEWEST_TO_MIX})
    return tricks_mixed(state, action.seat)


def tricks_mixed(state: RefereedMatch, seat: int) -> tuple[ev.Event, ...]:
    """Return the ruling against a seat that has mixed its tricks, however many it has."""
    if seat in state.lying.offenders:
        return (ev.TricksMixed(seat),)
    return (ev.TricksMixed(seat), _stopped(state, seat))


def _stopped(state: RefereedMatch, offender: int) -> ev.Reckoned:
    """Stop the deal; cards missing from the pack (I8) do not lower the penalty."""
    offenders = tuple(sorted((*state.lying.offenders, offender)))
    return ev.Reckoned(stopped(state.rules, offenders).points, offenders=offenders)


# The end of the deal


def _cut(state: RefereedMatch, action: act.Cut) -> Outcome:
    if state.reckoned is None or state.last:
        return Refusal("nothing_to_cut", "I6")
    if state.shooter is not None:
        return Refusal("moon_not_chosen", "W7", params={"turn": state.shooter})
    if action.seat != state.cutter:
        return Refusal("not_yours_to_cut", "I6", params={"turn": state.cutter})
    return _closed(state, ev.DealCut(action.seat))


def _accept(state: RefereedMatch, action: act.Accept) -> Outcome:
    if state.reckoned is None or not state.last:
        return Refusal("nothing_to_accept", "I6")
    if state.shooter is not None:
        return Refusal("moon_not_chosen", "W7", params={"turn": state.shooter})
    if state.accepted >> action.seat & 1:
        return Refusal("already_accepted", "I6")
    accepted = ev.Accepted(action.seat)
    if _after(state, accepted).accepted < (1 << len(state.players)) - 1:
        return (accepted,)
    return _closed(state, accepted)


def _closed(state: RefereedMatch, by: ev.Event) -> tuple[ev.Event, ...]:
    """Score the deal as it was reckoned, for good, and return all events that follow."""
    reckoned = state.reckoned
    assert reckoned is not None
    scored = game.scored_event(reckoned)
    return (by, scored, *game.following(_after(state, by, scored)))


def _declare_misdeal(state: RefereedMatch, action: act.DeclareMisdeal) -> Outcome:
    played = state.phase is Phase.PLAYING and (state.lying.laid or state.lying.tricks)
    if state.phase not in (Phase.DEALING, Phase.PASSING, Phase.PLAYING) or played:
        return Refusal("too_late_for_a_misdeal", "I1")
    return (ev.Misdealt(state.dealer, action.why),)


def _deal_by_hand(state: RefereedMatch, action: act.DealByHand) -> Outcome:
    """Deal real cards: no hand may be too long, and cards in no hand or kitty are missing (I8)."""
    rules, (hands, kitty) = state.rules, (action.hands, action.kitty)
    if state.phase is not Phase.DEALING or state.proof is not None:
        return Refusal("not_dealing_now", "D4")
    dealt = [card for pile in (*hands, kitty) for card in pile]
    missing = cards_in(rules.deck_mask & ~mask_of(dealt))
    if len(dealt) + len(missing) != len(rules.cards) or not _can_be_played(rules, hands, kitty):
        return Refusal("not_the_deck", "D4")
    number = len(state.deals) + 1
    direction = rules.direction(number)
    sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
    happened: list[ev.Event] = [
        lawful.Dealt(number, state.dealer, direction, sorted_hands, tuple(sorted(kitty)))
    ]
    if missing:
        lacking = tuple(rules.hand_size - len(hand) for hand in hands)
        happened.append(ev.HandsShort(lacking, missing))
    if direction is Direction.HOLD:
        happened.append(start_play(_after(state, *happened)))
    return tuple(happened)


def _can_be_played(rules: Ruleset, hands: Sequence[Cards], kitty: Cards) -> bool:
    """Whether every hand can pass and play, some seat can lead, and cards that count are left."""
    cycle = rules.passing.cycle if rules.passing.count else ()
    fewest = max(1, *map(rules.pass_size, cycle)) if cycle else 1
    sizes = [len(hand) for hand in hands]
    if len(sizes) != rules.players or min(sizes) < fewest or max(sizes) > rules.hand_size:
        return False
    held = mask_of(card for hand in hands for card in hand)
    opens = rules.play.opening is Opening.ELDEST or held & CLUBS
    try:
        without(rules, cards_in(rules.deck_mask & ~held & ~mask_of(kitty)))
    except RulesetFault:
        return False
    return bool(opens) and len(kitty) <= rules.kitty_size


_JUDGES: Final[dict[type, Callable[[RefereedMatch, Any], Outcome]]] = {
    lawful_act.Play: _play,
    # Every card is played, since a revoke is proved by the cards that a hand has shown.
    lawful_act.Claim: lambda _, __: Refusal("no_claims_here", "I7"),
    lawful_act.ChooseMoon: _choose_moon,
    lawful_act.AskUndo: lambda _, __: Refusal("no_undo_here", "I2"),
    lawful_act.AnswerUndo: lambda _, __: Refusal("no_undo_here", "I2"),
    act.TakeBack: _take_back,
    act.Object: _object,
    act.TurnDown: _turn_down,
    act.ClaimRevoke: _claim_revoke,
    act.Cut: _cut,
    act.Accept: _accept,
    act.DeclareMisdeal: _declare_misdeal,
    act.DealByHand: _deal_by_hand,
    act.MixTricks: _mix_tricks,
}
