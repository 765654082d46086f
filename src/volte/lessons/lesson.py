"""The lesson of `volte learn`: its sentences, step by step, and the cards for them.

Sentences name cards and people through places filled in from the table (see `lesson_sentence`),
so that no sentence can be wrong about its deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from volte import game
from volte.bots import NAMES, Bot, BotOwner, Puppet
from volte.cards import QUEEN, Card, Rank, Suit, mask_of, read_cards
from volte.rules import DEFAULT, Ruleset, Value, make_ruleset
from volte.say.keys import Key
from volte.say.language import N_
from volte.say.words import Words
from volte.view import View

PUPIL: Final = 0  # the seat of the person who learns

TAUGHT: Final = make_ruleset(DEFAULT)
"""The game that the lesson teaches."""


@dataclass(frozen=True)
class Turn:
    """A question to the pupil, with its answers."""

    ask: str  # the question, repeated until it is answered
    right: str  # the cards that answer it
    clue: str = ""  # the reply to a lawful card that is not right
    # card, as text → the reply to it, instead of `clue`
    clues: Mapping[str, str] = field(default_factory=dict)
    also: str = ""  # other cards that are as good to play
    done: str = ""  # sentence after the trick is taken, or the cards are passed

    @property
    def right_cards(self) -> tuple[Card, ...]:
        return read_cards(self.right)

    @property
    def accepted(self) -> tuple[Card, ...]:
        """The cards that answer the question, and others that are as good."""
        return self.right_cards + read_cards(self.also)

    def clue_to(self, card: Card) -> str:
        return self.clues.get(card.text, self.clue)


@dataclass(frozen=True)
class LessonScene:
    """A prepared deal from a pack of just its cards, with the questions in it."""

    leader: int  # the seat that leads first; the pupil's is 0, and the others follow clockwise
    # By seat. The others play their cards in the order written, and pass the first ones.
    hands: tuple[str, str, str, str]
    turns: tuple[Turn, ...]  # one for each trick, or for the pass; the scene ends with the last
    tells: tuple[str, ...] = ()  # sentences before the first question
    # options that differ from `_BARE`
    settings: Mapping[str, Value] = field(default_factory=dict)

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The hands by seat, in the order written."""
        return tuple(read_cards(hand) for hand in self.hands)

    @property
    def rules(self) -> Ruleset:
        used = mask_of(card for hand in self.cards for card in hand)
        removed = [card.text for card in TAUGHT.cards if not card.bit & used]
        return make_ruleset(DEFAULT, {**_BARE, **self.settings, "removed": removed})


_BARE: Final[Mapping[str, Value]] = {
    "pass_count": 0,
    "opening": "eldest",
    "first_trick_points": "allowed",
    "hearts_lead": "free",
    "match_end": "deals:1",
}


@dataclass(frozen=True)
class Step:
    """One idea: its sentences and its scenes. The last step plays a whole small deal instead."""

    title: str
    tells: tuple[str, ...]
    scenes: tuple[LessonScene, ...] = ()


def _scene(
    leader: int,
    hands: tuple[str, str, str, str],
    *turns: Turn,
    tells: tuple[str, ...] = (),
    settings: Mapping[str, Value] = MappingProxyType({}),
) -> LessonScene:
    return LessonScene(leader, hands, turns, tells, settings)


def _step(title: str, *parts: str | LessonScene) -> Step:
    """Make a step from its sentences and scenes."""
    tells = tuple(part for part in parts if isinstance(part, str))
    return Step(title, tells, tuple(part for part in parts if isinstance(part, LessonScene)))


STEPS: Final = (
    _step(
        N_("Four cards make a trick"),
        N_(
            "Clockwise from your left sit {left}, {across} and {right}."
            " Each of you plays one card: that is a trick."
        ),
        N_(
            "The first card, the lead, sets the suit: clubs, diamonds, spades or hearts. If you"
            " have that suit, you must play it. If not, play what you like."
        ),
        _scene(
            1,
            ("7C QC KD", "TC 9S 2H", "4C 6S 3H", "JC 5S 4H"),
            Turn(
                N_("The suit is {suit}. Play one:"),
                "7C",
                also="QC",
                done=N_("Good. That is called following suit."),
            ),
        ),
    ),
    _step(
        N_("Who takes the trick"),
        N_(
            "The highest card of the suit led takes the trick, and its player leads the next."
            " The 2 is low; above the 10 come jack, queen, king and ace."
        ),
        N_("Each heart you take costs one point. Whoever has the fewest points wins."),
        _scene(
            0,
            ("2H AH 7D", "9H 8D 5C", "TH KD 6C", "JH 3D 7C"),
            Turn(
                N_("Lead a heart that somebody will beat:"),
                "2H",
                N_("{card:the} would take all the hearts in the trick. Lead a low heart."),
                {"7D": N_("Not yet: lead a heart, and see who takes it.")},
                done=N_("Well done: no hearts for you."),
            ),
        ),
    ),
    _step(
        N_("Staying low"),
        N_(
            "To avoid taking hearts, stay under the highest card on the table: that is ducking. "
            "But save your lowest cards for later."
        ),
        _scene(
            3,
            ("8C 3C KC", "TC 6C AD", "QH 4H 2D", "9C 5C 3D"),
            Turn(
                N_("How do you duck and still save your lowest card?"),
                "8C",
                N_("{card:the} is higher than {best:the}. Play a lower card."),
                {"3C": N_("That card ducks, but save it. A higher one ducks just as well.")},
                done=N_("Well ducked: just under."),
            ),
        ),
    ),
    _step(
        N_("Throwing cards away"),
        N_(
            "When you cannot follow suit, throw away a card that could hurt you."
            " So it is good to run out of a suit."
        ),
        _scene(
            1,
            ("AH 9C JC", "QD 2C 3H", "TD 4C 5H", "3D 6C 7H"),
            Turn(
                N_("Which is your most dangerous card? Throw it away:"),
                "AH",
                N_("{card:the} is less dangerous than a high heart. Throw the heart."),
                done=N_("Good discard."),
            ),
        ),
    ),
    _step(
        N_("{queen:the}"),
        N_(
            "The worst card is {queen:the}. She costs {queen_points}, as much as all the"
            " hearts together."
        ),
        _scene(
            1,
            ("QS 6S JH", "8C 2D 3H", "KC 4D 5H", "4C 6D 7H"),
            Turn(
                N_("Now you can get rid of the queen. Your card?"),
                "QS",
                N_("That saves you little. The queen costs {queen_points}: throw her away."),
                done=N_("{winner} pays, and you are safe."),
            ),
        ),
        _scene(
            0,
            ("5S KS 6D", "8S 9D 2C", "QS JD 3C", "7S TD 4C"),
            Turn(
                N_("How do you drive the queen out?"),
                "5S",
                N_("Only spades drive the queen out. Lead a low one."),
                {
                    "KS": N_(
                        "{card:the} is higher than the queen: you would take her. Lead a low spade."
                    )
                },
                done=N_("The queen was {winner:of} only spade. Out she came!"),
            ),
            tells=(
                N_(
                    "New cards: now {across} has the queen. Low spades drive her out, but a "
                    "higher spade would catch her."
                ),
            ),
        ),
    ),
    _step(
        N_("The pass"),
        N_(
            "Before play, everybody passes three cards: to the left in the first deal, then to "
            "the right, then across; in the fourth, nobody passes."
        ),
        N_("First you pass, then you see what you get. Pass high spades and hearts."),
        _scene(
            0,
            (
                "AS KS 3S AH 4H 9C 6D",
                "JC TD 9H JS 3C 4C 5C",
                "QC JD TH 9S 3D 4D 5D",
                "7C 5S 2H QS 7D 6H 7H",
            ),
            Turn(
                N_("Which three do you pass {left:to}?"),
                "AS KS AH",
                N_("Keep {spare:the}. Pass your highest heart and your highest spades."),
                done=N_("You got low cards: a good pass. Now play can begin."),
            ),
            settings={"pass_count": 3},
        ),
    ),
    _step(
        N_("The first trick"),
        N_(
            "The lowest club opens the first trick. In that trick, nobody may throw a heart or"
            " {queen:the}."
        ),
        N_(
            "After that, you may lead hearts only once somebody has thrown one: hearts are then"
            " broken."
        ),
        _scene(
            1,
            (
                "AC 5C 4S TD 7H AH",
                "2C 9S 3H TH 4H 6H",
                "JD 6S QS 8H 5S 9H",
                "TC JS 5H KH 2S 2H",
            ),
            Turn(
                N_("{across} could not throw a heart yet. Your card?"),
                "AC",
                N_("No points can fall here: play your high club, and save the low one."),
                done=N_("No points: a good trick for high cards."),
            ),
            Turn(
                N_("Hearts are not broken yet. Lead another card:"),
                "4S",
                also="5C TD",
                done=N_("Right: your hearts had to wait."),
            ),
            settings={
                "opening": "lowest_club",
                "first_trick_points": "barred",
                "hearts_lead": "once_broken",
            },
        ),
    ),
    _step(
        N_("Shooting the moon"),
        N_(
            "With a very strong hand, do the opposite: take every heart and {queen:the}."
            " You then score nothing, and each of the others {total}:"
            " that is shooting the moon."
        ),
        _scene(
            2,
            ("AH 2H", "QS 6C", "JH 8C", "9H 7C"),
            Turn(
                N_("Do not duck: take this trick. Your card?"),
                "AH",
                N_("Not this time. Beat {best:the}."),
                done=N_("You have {queen:the}, and nobody else has any hearts left."),
            ),
            Turn(
                N_("Nobody can beat your last card. Play it:"),
                "2H",
                done=N_(
                    "Miss one heart, and you pay for all the others: try it only with high cards."
                ),
            ),
            tells=(N_("Here it is {here}."),),
        ),
    ),
    _step(
        N_("A deal of your own"),
        N_("Now a real deal: {count} cards each, from the {low:rank} up, and no pass."),
    ),
)
"""The steps of the lesson. The last one has no scene: there a real deal is played."""

SMALL_PACK: Final[Mapping[str, Value]] = {
    "removed": [Card.of(rank, suit).text for suit in Suit for rank in Rank if rank < Rank.TEN],
    "pass_count": 0,
    "match_end": "deals:1",
}
"""Options of the real deal in the last step."""

WELCOME: Final = (
    N_("Welcome! In ten minutes you will know how to play Hearts."),
    N_("Type a card by its name, like {example}, or by its place in your hand, like .1."),
    N_("? lists the keys. Q leaves."),
)
HEADING: Final = N_("Step {number} of {count}. {title}.")
HINTED: Final = N_("You get a hint before each card.")
ON_ONE_LINE: Final = N_("Type them on one line:")
PAUSE: Final = N_("Press Enter.")
NOT_A_PAUSE: Final = N_("Press Enter to go on, or type − to go back or Q to leave.")
ANSWER: Final = N_("The answer: {answer:the}.")
NOT_HERE: Final = N_("That does not work in the lesson. Type a card, or ? for the keys.")
RULES: Final = N_("The lesson explains the rules one by one. To read them all: {command}")
GOODBYE: Final = N_("See you soon! To come back to this step: {command}")
END: Final = N_("Now you know the game. To play a whole match: {command}")
KEYS: Final = (
    N_("−: back a step. +: forward a step."),
    N_("Q: leave the lesson."),
)


MOVED: Final = {
    Key.BEFORE: N_("B now goes back through the messages. Press − for the previous step."),
    Key.AFTER: N_("N now goes forward through the messages. Press + for the next step."),
}
"""Sentences for letters that meant something else in the lesson once, told once."""


def scene_table(words: Words, scene: LessonScene, pupil: game.Owner) -> game.Driver:
    """A match with the cards of a scene; the other players play theirs in the order written."""
    puppets = [Puppet(cards) for cards in scene.cards[1:]]
    prepared = game.Prepared(scene.leader, scene.cards)
    return lesson_table(words, scene.rules, pupil, puppets, prepared)


def lesson_table(
    words: Words, rules: Ruleset, pupil: game.Owner, others: Sequence[Bot], chance: game.Chance
) -> game.Driver:
    """A new match with the pupil at the first seat and bots at the others."""
    names = (words.t(N_("South")), *NAMES[: len(others)])
    players = tuple(game.Player(name, seat == PUPIL) for seat, name in enumerate(names))
    bots = [BotOwner(bot, seat) for seat, bot in enumerate(others, start=1)]
    return game.Driver([game.MatchStarted(rules, players)], [pupil, *bots], chance)


def lesson_sentence(words: Words, text: str, view: View, **params: object) -> str:
    """A sentence of the lesson, its places filled in from a view."""
    return words.sentence(words.t(text, **_shown(words, view), **params))


def _shown(words: Words, view: View) -> dict[str, object]:
    """Values for the places of the sentences, as far as the view has them."""
    left, across, right = view.state.players[1:]
    shown: dict[str, object] = {
        "left": left,
        "across": across,
        "right": right,
        "queen": QUEEN,
        "queen_points": words.points(TAUGHT.values[QUEEN]),
        "total": words.points(TAUGHT.penalty_total),
        "here": words.points(view.state.rules.penalty_total),
        "low": min(view.state.rules.cards),
        "count": view.state.rules.hand_size,
        # The name in full, even where cards are shown as symbols that nobody can type.
        "example": words.card(words.hand_order(view)[0]) if view.hand else "",
    }
    deal = view.deal
    if deal.led is not None:
        shown["suit"] = deal.led
        shown["best"] = max(card for card in deal.trick if card.suit is deal.led)
    winner = deal.tricks[-1].winner if deal.tricks else None
    if winner is not None:
        shown["winner"] = view.state.players[winner]
    return shown
