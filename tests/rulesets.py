"""Random rulesets, random matches, and positions from short text, for all the tests.

A position is dealt, never faked: the deck is made of just the cards that are named, and goes
through `decide` as any other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from hypothesis import strategies as st

from volte.cards import (
    CARDS,
    CLUBS,
    HEARTS,
    JACK,
    JOKERS,
    QUEEN,
    Card,
    CardSet,
    cards_in,
    mask_of,
    read_cards,
)
from volte.game import (
    Action,
    AnswerUndo,
    AskUndo,
    Chance,
    Claim,
    DealCards,
    DealState,
    Event,
    MatchStarted,
    MatchState,
    NameDealer,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    Refusal,
    SeatAction,
    TakeBackPass,
    decide,
    evolve,
    last_play,
    legal_cards,
    replay,
    still_to_consent,
    to_act,
)
from volte.rules import (
    OPTIONS,
    PRESETS,
    Ending,
    EndKind,
    Irregularities,
    MatchEnd,
    Points,
    Ruleset,
    RulesetFault,
    Value,
    make_ruleset,
    ruleset_of,
)
from volte.rules.validity import MOST_POINTS

PACK: Final = tuple(card for card in CARDS[:54] if card.joker is None)
"""One pack without jokers."""

ALL_TABLES: Final = tuple(
    (name, seats) for name in PRESETS for seats in sorted(PRESETS[name].players)
)
"""Every preset with every number of players that it is made for."""

OF_SEEDS: Final = ("coeurs", "dame-de-pique", "salon", "microsoft")
"""How the names of the presets begin that the seeds tell, and the one that machines play."""

TABLES: Final = tuple(
    (name, seats)
    for name, seats in ALL_TABLES
    if name.startswith(OF_SEEDS) or seats == PRESETS[name].players[0]
)
"""Every table of the seeds, and each preset of the wider family as it is usually played."""


# Rulesets

seeds = st.integers(0, 2**64 - 1)


@st.composite
def all_settings(
    draw: st.DrawFn, players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> dict[str, Value]:
    """A value for every option of the seeds, such that the whole can be played; short matches.

    Args:
        players: 3 to 7.
        most_cards: in the deck; a small number makes tiny hands.
    """

    def one_of(name: str) -> str:
        return draw(st.sampled_from(SEEDS.get(name, OPTIONS[name].values)))

    seats = draw(st.integers(3, 7) if players is None else players)
    jokers = draw(st.sampled_from((0, 0, 2)))
    queen_points = draw(st.sampled_from((0, 5, 12, 13, 13, 25)))
    jack_points = draw(st.sampled_from((0, -10)))
    fewest_out = max(0, 52 + jokers - most_cards)
    most_out = max(fewest_out, 52 + jokers - 2 * seats)
    count = draw(st.integers(fewest_out, most_out) | st.just(fewest_out))
    deck = _random_deck(draw(seeds), count, queen_points)
    cards = len(deck) + jokers
    hand, left = divmod(cards, seats)
    penalties = (mask_of(deck) & HEARTS).bit_count() + queen_points * (QUEEN in deck)
    bonus = jack_points * (JACK in deck)
    clubs = (mask_of(deck) & CLUBS).bit_count()
    passed = draw(st.integers(0, min(4, hand)))
    directions = SEEDS["pass_cycle"]
    if passed and seats % 2:
        directions = tuple(way for way in directions if way != "across")
    ends = st.integers(1, 3).map("deals:{}".format)
    if penalties + bonus > 0:
        ends |= st.integers(1, penalties).map("limit:{}".format)
    return {
        **{name: option.get(Ruleset()) for name, option in OPTIONS.items()},
        "players": seats,
        "removed": [str(card) for card in PACK if card not in deck],
        "kitty": "first_trick" if left else one_of("kitty"),
        "jokers": jokers,
        "pass_count": passed,
        "pass_cycle": draw(st.lists(st.sampled_from(directions), min_size=1, max_size=6)),
        "opening": one_of("opening") if clubs > left else "eldest",
        "first_trick_points": one_of("first_trick_points"),
        "hearts_lead": one_of("hearts_lead"),
        "queen_breaks_hearts": draw(st.booleans()),
        "hearts_from_trick": draw(st.integers(1, min(4, hand))),
        "queen_discard": one_of("queen_discard"),
        "queen_points": queen_points,
        "jack_points": jack_points,
        "moon": one_of("moon"),
        "slam": one_of("slam"),
        "match_end": draw(ends),
        "settlement": one_of("settlement"),
        "irregularities": one_of("irregularities"),
    }


SEEDS: Final = {
    "kitty": ("none", "first_trick"),
    "pass_cycle": ("left", "right", "second_left", "second_right", "across", "hold"),
    "opening": ("eldest", "lowest_club"),
    "moon": ("off", "others_plus"),
    "slam": ("off", "reversal"),
}
"""The values that the three seeds know, of the options that have others in the wider family."""


@st.composite
def wider_settings(
    draw: st.DrawFn, players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> dict[str, Value]:
    """A value for every option of the wider family, such that the whole can be played.

    Args:
        players: 3 to 7; with two packs, which come now and then, 6 to 10.
        most_cards: in the deck; with two packs in each of them.
    """
    if draw(st.sampled_from((False, False, False, True))) and players is None:
        settings = _two_packs(draw, most_cards)
    else:
        settings = draw(all_settings(players, most_cards))
    rules = ruleset_of(settings)
    seats = rules.players
    cycle = list(settings["pass_cycle"]) if isinstance(settings["pass_cycle"], list) else []
    if seats - 1 <= rules.hand_size and draw(st.booleans()):
        cycle.insert(draw(st.integers(0, len(cycle))), "scatter")
    partners = draw(st.sampled_from([n for n in (1, 2, 3) if seats % n == 0 and seats > n]))
    hearts = {card: draw(st.sampled_from((0, 2, 10))) for card in (Card("AH"), Card("KS"))}
    bonus = {Card("TD"): draw(st.sampled_from((0, -5, -10)))}
    counted = {card: worth for card, worth in (hearts | bonus).items() if draw(st.booleans())}
    plain = {**settings, "card_points": [f"{card}={worth}" for card, worth in counted.items()]}
    plain["heart_points"] = draw(st.sampled_from(OPTIONS["heart_points"].values))

    def one_of(name: str) -> str:
        return draw(st.sampled_from(OPTIONS[name].values))

    opening = one_of("opening") if settings["opening"] != "eldest" else "eldest"
    kitty = one_of("kitty") if settings["kitty"] != "none" else "none"
    wider: dict[str, Value] = {
        **plain,
        "pass_cycle": cycle or ["left"],
        "opening": opening,
        "kitty": "first_trick" if rules.kitty_size and kitty == "none" else kitty,
        "partners": partners,
        "queen_play": one_of("queen_play"),
        "no_tricks": draw(st.sampled_from((0, 0, -5))),
        "moon": one_of("moon"),
        "moon_needs_jack": draw(st.booleans()),
        "moon_by": one_of("moon_by"),
        "slam": one_of("slam"),
        "at_limit": one_of("at_limit"),
        "ties": one_of("ties"),
    }
    try:
        ruleset_of(wider)
    except RulesetFault:  # nothing is left that counts, or a limit is never reached
        return {**wider, "card_points": [], "heart_points": settings["heart_points"]}
    return wider


def _two_packs(draw: st.DrawFn, most_cards: int) -> dict[str, Value]:
    """Two packs: the whole of them, or each with the same cards removed."""
    seats = draw(st.integers(6, 10))
    settings = draw(all_settings(st.just(7), most_cards))
    assert isinstance(settings["removed"], list)
    removed = [*settings["removed"], *(f"{card}'" for card in settings["removed"])]
    cards = 104 + int(str(settings["jokers"])) - len(removed)
    cycle = settings["pass_cycle"]
    assert isinstance(cycle, list)
    return {
        **settings,
        "players": seats,
        "packs": 2,
        "removed": removed,
        "kitty": "first_trick" if cards % seats else settings["kitty"],
        "pass_count": min(int(str(settings["pass_count"])), cards // seats),
        "pass_cycle": [way for way in cycle if way != "across"] or ["left"],
        "opening": "eldest" if cards % seats else settings["opening"],
        "hearts_from_trick": min(int(str(settings["hearts_from_trick"])), cards // seats),
    }


def wider_rulesets(
    players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> st.SearchStrategy[Ruleset]:
    """Any table of the wider family that can be played; see `wider_settings`."""
    return wider_settings(players, most_cards).map(ruleset_of)


def _random_deck(seed: int, count: int, queen_points: int) -> frozenset[Card]:
    """The pack without `count` cards; some card still counts."""
    rng = random.Random(seed)
    counts = QUEEN if queen_points else Card("2H")
    out = rng.sample([card for card in PACK if card is not counts], count)
    return frozenset(PACK) - frozenset(out)


def rulesets(
    players: st.SearchStrategy[int] | None = None, most_cards: int = 54
) -> st.SearchStrategy[Ruleset]:
    """Any table of the seeds that can be played; see `all_settings`."""
    return all_settings(players, most_cards).map(ruleset_of)


@st.composite
def recounted(draw: st.DrawFn, tables: st.SearchStrategy[Ruleset]) -> Ruleset:
    """Those tables, where any cards count anything; a match has one deal."""
    rules = draw(tables)
    few = st.sampled_from((-10, 1, 1, 2, 13))
    worth = draw(st.sampled_from((few, st.integers(-MOST_POINTS, MOST_POINTS))))
    first, *others = draw(st.lists(st.sampled_from(rules.cards), min_size=1, unique=True))
    counted = {first: draw(st.integers(1, 30))} | {card: draw(worth) for card in others}
    table = tuple((card, points) for card, points in sorted(counted.items()) if points)
    ending = Ending(MatchEnd(EndKind.DEALS, 1))
    return replace(rules, points=Points(table), ending=ending)


# Matches


class Step(NamedTuple):
    """An action that was accepted, the states around it and its events."""

    before: MatchState
    action: Action
    events: tuple[Event, ...]
    after: MatchState


def start(rules: Ruleset, pot: int = 0, people: Collection[int] = ()) -> MatchStarted:
    """The first event of a match among bots, and people at those seats, without a referee."""
    rules = replace(rules, irregularities=Irregularities.ENFORCED)
    players = (Player("NESWXYZABC"[seat], person=seat in people) for seat in range(rules.players))
    return MatchStarted(rules, tuple(players), pot)


def match(
    rules: Ruleset,
    seed: int,
    *,
    pot: int = 0,
    people: Collection[int] = (),
    chance: Chance | None = None,
    restless: bool = False,
) -> Iterator[Step]:
    """A whole match played at random, step by step.

    Args:
        chance: `PlainChance(seed)` where it is left out.
        restless: passes and plays are also taken back now and then, and ends of deals claimed.
    """
    rng, chance = random.Random(seed), chance or PlainChance(seed)
    state, style = replay([start(rules, pot, people)]), STYLES[0]
    while True:
        action: Action | None = restless_action(state, rng) if restless else None
        if action is None and to_act(state):
            action = random_action(state, rng, style)
        elif action is None:
            action, style = chance.act(state), rng.choice(STYLES)
        if action is None:
            return
        step = take(state, action)
        state = step.after
        yield step


def log_of(rules: Ruleset, seed: int, restless: bool = False) -> list[Event]:
    """All events of a match played at random."""
    steps = match(rules, seed, restless=restless)
    return [start(rules), *(event for step in steps for event in step.events)]


def random_action(state: MatchState, rng: random.Random, style: Style) -> SeatAction:
    """A pass or a play of one of the seats that are to act."""
    deal, seat = deal_of(state), rng.choice(to_act(state))
    if state.phase is Phase.PASSING:
        hand = cards_in(deal.hands[seat])
        return Pass(seat, tuple(rng.sample(hand, deal.rules.passing.count)))
    return Play(seat, rng.choice(cards_in(style(deal, legal_cards(deal)))))


def restless_action(state: MatchState, rng: random.Random) -> SeatAction | None:
    """Now and then, and where it is lawful, an act that carries nothing forward (C1, C2)."""
    asking = still_to_consent(state)
    if asking:
        return AnswerUndo(asking[0], rng.random() < 0.7)
    if rng.random() < 0.9:
        return None
    candidates: list[SeatAction] = []
    played = last_play(state)
    if played is not None and state.asked is None:
        candidates.append(AskUndo(played.seat))
    if state.phase is Phase.PASSING:
        passed = [seat for seat, cards in enumerate(deal_of(state).passes) if cards is not None]
        candidates += [TakeBackPass(seat) for seat in passed]
    few = state.phase is Phase.PLAYING and max(deal_of(state).hand_sizes()) <= 3
    if few and not isinstance(decide(state, Claim(0)), Refusal):
        candidates.append(Claim(rng.randrange(state.rules.players)))
    return rng.choice(candidates) if candidates else None


# How a deal is played, so that rare things happen often


def anything(deal: DealState, legal: int) -> int:
    return legal


def keeping_points(deal: DealState, legal: int) -> int:
    """No penalty card as long as another will do, so that hearts stay unbroken."""
    return legal & ~deal.rules.penalty_mask or legal


def helping_the_moon(deal: DealState, legal: int) -> int:
    """The dealer plays high, and gets all the points of the others, who play low."""
    if deal.turn == deal.dealer:
        return 1 << legal.bit_length() - 1
    return legal & deal.rules.penalty_mask or legal & -legal


Style = Callable[[DealState, int], int]
"""Which of the legal cards (a mask) are thought of."""

STYLES: Final[tuple[Style, ...]] = (anything, anything, keeping_points, helping_the_moon)


# Actions


def take(state: MatchState, action: Action) -> Step:
    """The step of a lawful action."""
    outcome = decide(state, action)
    assert not isinstance(outcome, Refusal), (outcome, action)
    following = state
    for event in outcome:
        following = evolve(following, event)
    return Step(state, action, outcome, following)


def after(state: MatchState, *actions: Action) -> MatchState:
    """The state after those lawful actions."""
    for action in actions:
        state = take(state, action).after
    return state


def refused(state: MatchState, action: Action) -> Refusal:
    """Why that action is refused."""
    outcome = decide(state, action)
    assert isinstance(outcome, Refusal), (outcome, action)
    return outcome


def deal_of(state: MatchState) -> DealState:
    """The present deal, where there is one."""
    assert state.deal is not None
    return state.deal


# Positions


def dealt(
    preset: str,
    *hands: str,
    kitty: str = "",
    people: Collection[int] = (),
    pot: int = 0,
    **options: Value,
) -> MatchState:
    """The first deal of a match with just those hands, as `S: AQ2 H: K`, seat by seat.

    The deck is made of the cards that are named. Seat 0 is the eldest hand, and there is no pass
    unless `pass_count` says so.

    >>> legal(play(dealt("coeurs", "S: A2", "S: K3", "C: 2 H: 2"), "AS KS"))
    CardSet('H: 2 C: 2')
    """
    return first_deal(preset, hands, kitty, options, people, pot)


def first_deal(
    preset: str,
    hands: Sequence[str],
    kitty: str = "",
    options: Mapping[str, Value] | None = None,
    people: Collection[int] = (),
    pot: int = 0,
) -> MatchState:
    """See `dealt`."""
    deck = {card for hand in (*hands, kitty) for card in read_cards(hand)}
    usual: dict[str, Value] = {
        "players": len(hands),
        "removed": [str(card) for card in PACK if card not in deck],
        "kitty": "first_trick" if kitty else "none",
        "jokers": 2 if mask_of(deck) & JOKERS else 0,
        "pass_count": 0,
        "pass_cycle": ["left"],
    }
    rules = make_ruleset(preset, {**usual, **(options or {})})
    state = after(replay([start(rules, pot, people)]), NameDealer(rules.players - 1))
    return deal_out(state, *hands, kitty=kitty)


def deal_out(state: MatchState, *hands: str, kitty: str = "") -> MatchState:
    """The next deal of a match, with those hands."""
    first = state.dealer + 1
    clockwise = [read_cards(hands[(first + place) % len(hands)]) for place in range(len(hands))]
    rows = zip(*clockwise, strict=True)
    deck = tuple(card for row in rows for card in row)
    return after(state, DealCards(deck + read_cards(kitty)))


def play(state: MatchState, cards: str) -> MatchState:
    """The state after those cards, `2C KC`, each played by the seat whose turn it is."""
    for card in read_cards(cards):
        state = after(state, Play(deal_of(state).turn, card))
    return state


def legal(state: MatchState) -> CardSet:
    """What the seat whose turn it is may play."""
    return CardSet(legal_cards(deal_of(state)))


def clause(state: MatchState, card: str) -> str:
    """The clause that forbids this card to the seat whose turn it is."""
    refusal = refused(state, Play(deal_of(state).turn, Card(card)))
    assert CardSet(refusal.legal) == legal(state)
    return refusal.clause
