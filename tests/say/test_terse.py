"""The tersest sentences: few words for a trick, and nothing ambiguous in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import fmean

import pytest
from kit import TABLES, few
from kit.sentences import ENGLISH, FRENCH, Heard, match_log, story

from volte.cards import JOKERS, QUEENS, Card, Suit, cards_in, in_first_pack, twin
from volte.game import MatchStarted, Played, TrickHeld, TrickTaken
from volte.referee import Event
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.say.deal import on_table
from volte.say.telling import Telling
from volte.view import View
from volte.web.assets import client_sentences

LANGUAGES = {"en": ENGLISH, "fr": FRENCH}
MOST_WORDS = 12
FOURS = [preset for preset, players in TABLES if players == 4]


def counted(lines: Iterator[str] | tuple[str, ...]) -> int:
    """Number of words heard, without the signs between them."""
    return sum(any(map(str.isalnum, word)) for line in lines for word in line.split())


# How few words


def tricks(story: Iterator[Heard], words: Words) -> Iterator[tuple[bool, int]]:
    """Each trick: whether everybody followed suit, and its words, "Your turn" included."""
    your_turn = counted((client_sentences(words)["your_turn"],))
    ordinary, heard = True, 0
    for each in story:
        match each.event:
            case Played(seat=seat, card=card):
                assert each.before is not None
                led = each.before.deal.led
                if not each.before.deal.trick:
                    ordinary, heard = card.suit is not None, 0
                ordinary = ordinary and led in (None, card.suit)
                heard += counted(each.lines) + your_turn * (seat == each.after.seat)
            case TrickTaken():
                yield ordinary, heard + counted(each.lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_ordinary_trick_of_four_takes_twelve_words_at_most(lang: str) -> None:
    words = LANGUAGES[lang]
    counts = []
    for preset in FOURS:
        log = match_log(make_ruleset(preset, {"match_end": f"deals:{few(2, 12)}"}), seed=4)
        heard_of = story(log, 0, words, Verbosity.TERSE)
        counts += [heard for ordinary, heard in tricks(heard_of, words) if ordinary]
    assert len(counts) > 100
    assert fmean(counts) <= max(counts) <= MOST_WORDS


def test_no_event_takes_more_words_than_at_brief() -> None:
    for preset in ("coeurs", "cancellation"):
        log = match_log(make_ruleset(preset, {"match_end": "deals:2"}), seed=1, restless=True)
        for words in LANGUAGES.values():
            pairs = zip(
                story(log, 1, words, Verbosity.TERSE),
                story(log, 1, words, Verbosity.BRIEF),
                strict=True,
            )
            for terse, brief in pairs:
                # At the start TERSE tells the order of the seats, and BRIEF does not.
                if not isinstance(terse.event, MatchStarted):
                    assert counted(terse.lines) <= counted(brief.lines), terse.event
                    assert bool(terse.lines) == bool(brief.lines), terse.event


# Nothing ambiguous


def test_talk_has_a_shape_of_its_own_and_the_same_on_page_and_terminal() -> None:
    """ "Bob: the queen of spades" is a card, whoever says so."""
    for words, said in ((ENGLISH, "Bob says: Hi."), (FRENCH, "Bob dit\u00a0: Hi.")):
        shape = client_sentences(words)["talk_says"]
        assert shape.format(name="Bob", line="Hi.") == said
        assert words.t("{name} says: {line}", name="Bob", line="Hi.") == said
        own = client_sentences(words)["talk_own"]
        assert own.format(line="Hi.") == words.t("You say: {line}", line="Hi.")
        assert own.partition(":")[0].split() not in (["You"], ["Vous"])


class Ear:
    """Somebody who knows the order of the seats, and works out from the lines who plays what."""

    def __init__(self, words: Words, view: View) -> None:
        telling, vocabulary = Telling(words, view), words.grammar.vocabulary
        self._seats = {telling.who(seat).lower(): seat for seat in telling.seats}
        self._ranks = {name: rank for rank, name in vocabulary.ranks.items()}
        self._suits = {name: suit for suit, name in vocabulary.suits.items()}
        self._jokers = {words.card(card): card for card in cards_in(JOKERS) if not card.pack}
        self._cancels = words.t("{text}, cancels", text="")
        early = "{text}, out of turn", "{text}, before your turn"
        self._early = [words.t(message, text="") for message in early]

    def hear_play(self, line: str, led: Suit | None, turn: int | None) -> tuple[object, ...]:
        """The seat of a card, the card, and whether it cancels another.

        Args:
            turn: whose turn it is, as far as one can know by then.
        """
        text = line.lower()
        for mark in self._early:
            text = text.removesuffix(mark)
        cancels = text.endswith(self._cancels)
        *named, card = re.split(r"\s?:\s", text.removesuffix(self._cancels))
        seat = self._seats[named[0]] if named else turn
        if card in self._jokers:
            return seat, self._jokers[card], cancels
        *suited, rank = card.split(", ")
        suit = self._suits[suited[0]] if suited else led
        assert suit is not None, line
        return seat, Card.of(self._ranks[rank], suit), cancels

    def hear_taker(self, line: str) -> int:
        """The seat that takes a trick."""
        return self._seats[re.split("[,.]", line.lower())[0]]


def hear_it_all(log: list[Event], seat: int | None, words: Words) -> int:
    """Work out plays and takers from the lines that a seat hears; return the number of plays."""
    heard_of, ear, cards = story(log, seat, words, Verbosity.TERSE), None, 0
    for each in heard_of:
        ear = ear or Ear(words, each.after)
        match each.event:
            case TrickTaken(seat=taker):
                assert ear.hear_taker(each.lines[0]) == taker
            case TrickHeld():
                assert each.lines[0] == words.t("Nobody.")
            case Played(seat=player, card=card):
                assert each.before is not None
                deal, there = each.before.deal, on_table(Telling(words, each.after))
                known = deal.tricks or deal.trick or deal.turn == seat
                found = ear.hear_play(each.lines[0], deal.led, deal.turn if known else None)
                cancels = card.suit is deal.led and twin(card) in there
                assert found == (player, in_first_pack(card), cancels), each.lines
                if card.bit & QUEENS:
                    assert words.suit(Suit.SPADES) in each.lines[0].lower()
                cards += 1
    return cards


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_card_and_whose_it_is_can_be_told_from_the_terse_lines(
    preset: str, players: int
) -> None:
    rules = make_ruleset(preset, {"players": players, "match_end": f"deals:{few(1, 5)}"})
    log = match_log(rules, players, restless=True)
    fr, en = LANGUAGES["fr"], LANGUAGES["en"]
    hearers = [(1, fr), (None, en), (1, en), (None, fr)]
    for seat, words in hearers[players % 2 :][: few(1, 4)]:
        assert hear_it_all(log, seat, words) >= rules.hand_size * (players - 1)


@pytest.mark.parametrize("preset", ["coeurs", "dame-de-pique", "cancellation"])
def test_with_a_referee_cards_out_of_turn_have_their_names(preset: str) -> None:
    refereed = {"irregularities": "refereed", "match_end": "deals:1"}
    rules = make_ruleset(preset, refereed)
    for seed in range(few(3, 40)):
        log = match_log(rules, seed, restless=True)
        for lang, words in LANGUAGES.items():
            assert hear_it_all(log, 0 if lang == "en" else None, words) > 0
