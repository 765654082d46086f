"""The rules clerk: advice when something has gone wrong at a table with real cards.

Each situation has a text in `texts`. Answers cite the clauses by their id, and never repeat their
sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Final

from volte.cards import VolteError
from volte.names import plain
from volte.rules import Ruleset, described, make_ruleset, read_setting
from volte.say.catalogue import LANGUAGES
from volte.say.guarded import holds
from volte.say.keys import MOON_WORDS, SLAM_WORDS
from volte.say.language import N_
from volte.say.rulesheet.clauses import clause
from volte.say.rulesheet.options import game_title, typed_value
from volte.say.words import Words
from volte.scorekeeper.clerk.facts import value_of
from volte.scorekeeper.clerk.texts import HEADINGS, Ruling, answer, texts_in


@dataclass(frozen=True)
class Situation:
    """Something that goes wrong at a table. Its text and its names are in `texts`."""

    name: str  # in addresses
    near: str  # names of similar situations, and of situations that it leads to
    guard: str = ""  # condition under which it can happen, in the language of the texts
    example: str = "dame-de-pique"  # rules under which it can happen, if none are given

    def arises(self, rules: Ruleset) -> bool:
        """Whether it can happen under those rules."""
        return holds(self.guard, partial(value_of, rules))

    def rules(self, wanted: Ruleset | None = None) -> Ruleset:
        """The rules wanted, if it can happen under them; else some under which it can."""
        for rules in (wanted, make_ruleset()):
            if rules is not None and self.arises(rules):
                return rules
        preset, *settings = self.example.split()
        return make_ruleset(preset, dict(map(read_setting, settings)))

    def happened(self, words: Words) -> str:
        """Title of the situation: "Somebody did not follow suit"."""
        return texts_in(words.lang)[self.name][0].title

    def called(self, words: Words) -> str:
        """Name of the situation in one language, as a word to type: "main-courte"."""
        return "-".join(texts_in(words.lang)[self.name][0].also[0].split())

    @property
    def synonyms(self) -> frozenset[str]:
        """Search words for the situation in all languages, its names included."""
        also = (each for lang in LANGUAGES for each in texts_in(lang)[self.name][0].also)
        moon = (*MOON_WORDS, *SLAM_WORDS) if self.name == "moon" else ()
        return frozenset((self.name, *map(typed, (*also, *moon))))

    def answer(self, rules: Ruleset, words: Words) -> Ruling:
        """The ruling at a table with those rules, under which it must be able to happen."""
        return answer(self.name, rules, words)


def typed(text: str) -> str:
    """Spell typed text as names are spelt: "Hors tour :" as "hors-tour"."""
    return "-".join(plain(text).replace("-", " ").strip(' .,;:?!"«»“”').split())


GROUPS: Final = {
    N_("Dealing and passing"): (
        Situation("exposed", "wrong-deal seen-card"),
        Situation("wrong-deal", "exposed short-hand wrong-pass"),
        Situation("wrong-pack", "short-hand wrong-sum"),
        Situation("kitty", "wrong-sum", "kitty", "coeurs players=5"),
        Situation("wrong-pass", "wrong-deal short-hand", "passes"),
    ),
    N_("Playing"): (
        Situation("out-of-turn", "lead-out-of-turn revoke"),
        Situation("lead-out-of-turn", "out-of-turn heart-led wrong-opening"),
        Situation(
            "wrong-opening",
            "lead-out-of-turn first-trick",
            "not opening=eldest",
        ),
        Situation("revoke", "queen-kept two-revokes mixed-tricks wrong-claim"),
        Situation("queen-kept", "revoke mixed-tricks wrong-claim", "T5", "coeurs"),
        Situation("two-revokes", "revoke mixed-tricks"),
        Situation("heart-led", "lead-out-of-turn revoke", "T4"),
        Situation("first-trick", "revoke heart-led", "T3"),
        Situation("queen-thrown", "revoke", "T6", "coeurs queen_discard=barred"),
        Situation("early-heart", "revoke", "T7", "coeurs hearts_from_trick=3"),
        Situation("seen-card", "exposed out-of-turn"),
        Situation("short-hand", "wrong-deal wrong-pack"),
        Situation(
            "queen-too-soon",
            "revoke heart-led",
            "queen_waits",
            "dame-de-pique queen_play=once_broken",
        ),
        Situation("equal-cards", "all-cancel revoke", "packs=2", "cancellation"),
        Situation("all-cancel", "equal-cards", "packs=2", "cancellation"),
    ),
    N_("Proving a revoke"): (
        Situation("mixed-tricks", "revoke wrong-claim"),
        Situation("wrong-claim", "revoke mixed-tricks"),
    ),
    N_("Scoring and paying"): (
        Situation("wrong-sum", "wrong-pack kitty"),
        Situation("moon", "wrong-sum exact-limit", "moon"),
        Situation(
            "exact-limit",
            "tie wrong-sum",
            "at_limit=halves, not by_deals",
            "dame-de-pique at_limit=halves",
        ),
        Situation("tie", "average pot"),
        Situation("pot", "tie", "settlement=pot", "coeurs-cagnotte"),
        Situation("average", "tie", "settlement=average", "coeurs-moyenne"),
    ),
}
"""Every situation by the title of its group, in the order in which a deal runs."""

SITUATIONS: Final = {each.name: each for group in GROUPS.values() for each in group}
NUMBERS: Final = {name: number for number, name in enumerate(SITUATIONS, start=1)}
"""Numbers by which people can ask for situations: the same for all rules."""

ALL: Final = ("irregularity", "irregularities", "irregularite", "irregularites")
"""Words by which people ask for the list of all situations."""

_ARTICLE: Final = re.compile("^(?:(?:the|an?|les?|la|une?)-|l')")

CLOSE: Final = 0.6
"""Likeness, from 0 to 1, from which one word may be a slip for another."""

MOST_NEAREST: Final = 4


def question(words: Words, situation: Situation) -> str:
    """The situation as a question: "Somebody did not follow suit: what now?"."""
    return words.t("{happened}: what now?", happened=situation.happened(words))


def asks_for_all(text: str) -> bool:
    """Whether the text asks for the list of all situations, and not for one of them."""
    return typed(text) in ("", *ALL)


def known(text: str) -> Situation | None:
    """Find a situation by its number, or its name in any language; None if there is none."""
    name = typed(text)
    names = {name, _ARTICLE.sub("", name)}
    for situation in SITUATIONS.values():
        if names & situation.synonyms or text.strip() == str(NUMBERS[situation.name]):
            return situation
    return None


def find(text: str, words: Words) -> Situation:
    """Find a situation as `known` does. Raises `VolteError`, with the nearest names."""
    situation = known(text)
    if situation is None:
        close = tuple(SITUATIONS[each].called(words) for each in nearest(typed(text)))
        raise VolteError("no_such_situation", text=text, nearest=close)
    return situation


def nearest(text: str) -> tuple[str, ...]:
    """Names of the situations most like the text; the first ones of all if none is like it."""
    likeness = {
        name: max(SequenceMatcher(None, text, word).ratio() for word in each.synonyms)
        for name, each in SITUATIONS.items()
    }
    ranked = sorted(SITUATIONS, key=lambda name: -likeness[name])
    close = [name for name in ranked if likeness[name] >= CLOSE]
    return tuple((close or ranked)[:MOST_NEAREST])


def near(situation: Situation, rules: Ruleset) -> tuple[Situation, ...]:
    """The related situations that can happen under those rules."""
    found = (SITUATIONS[name] for name in situation.near.split())
    return tuple(each for each in found if each.arises(rules))


def arising(rules: Ruleset) -> Iterator[tuple[str, tuple[Situation, ...]]]:
    """Title of each group → its situations that can happen under those rules."""
    for title, group in GROUPS.items():
        yield title, tuple(each for each in group if each.arises(rules))


def not_arising(rules: Ruleset) -> tuple[Situation, ...]:
    return tuple(each for each in SITUATIONS.values() if not each.arises(rules))


def rules_played(words: Words, rules: Ruleset) -> str:
    """The rules in a line: name, players, options that differ, and the points in a deal."""
    _ = words.t
    differences = described(rules)[1]
    differences.pop("players", None)
    parts = [
        game_title(words, rules),
        _("{count} players", count=rules.players),
        *(f"{option}={typed_value(value)}" for option, value in differences.items()),
        _("{points} in a deal", points=words.points(rules.penalty_total)),
    ]
    return ", ".join(parts)


def elsewhere(words: Words) -> str:
    """The notice that an answer is not for the rules asked about."""
    return words.t(
        "This cannot happen under your rules. Here is what to do under rules where it can."
    )


def format_answer(situation: Situation, rules: Ruleset, words: Words) -> str:
    """The answer as plain lines that read well aloud: headings alone on a line, no drawing.

    Args:
        rules: rules under which the situation can happen.
    """
    ruling = situation.answer(rules, words)
    parts = {
        "do": _steps(ruling, words),
        "deadline": (ruling.deadline,),
        "price": (ruling.price,),
        "exempt": ruling.exempt,
        "example": (ruling.example,),
        "silent": ruling.silent,
        "clauses": (clause(words, name) for name in ruling.clauses),
    }
    opening = (question(words, situation), rules_played(words, rules), ruling.short)
    told = [(words.t(HEADINGS[name]), *lines) for name, lines in parts.items()]
    return "\n\n".join("\n".join(part) for part in (opening, *told) if len(part) > 1)


def _steps(ruling: Ruling, words: Words) -> Iterator[str]:
    for case in ruling.cases:
        if case.when:
            yield words.t("{when}:", when=case.when)
        if len(case.steps) == 1:
            yield case.steps[0]
        else:
            yield from (f"{number}. {step}" for number, step in enumerate(case.steps, start=1))
