"""The rules clerk: what to do when something has gone wrong around a table of real cards.

Each situation is something that has happened, in plain words, and a function that says what to do
about it by the rules of one table. Answers cite the clauses by their id, and never write their
sentences a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Final

from volte.cards import Fault
from volte.rules import Opening, Ruleset, Settlement, Value, described, make_ruleset
from volte.say.grammar import plain
from volte.say.language import N_
from volte.say.rulesheet.clauses import clause
from volte.say.rulesheet.options import preset_title
from volte.say.rulesheet.parts import passes
from volte.say.words import Words
from volte.scorekeeper.clerk import count as clerk_count
from volte.scorekeeper.clerk import deal as clerk_deal
from volte.scorekeeper.clerk import play as clerk_play
from volte.scorekeeper.clerk import wider as clerk_wider
from volte.scorekeeper.clerk.parts import Answer, clauses_of


def always(_: Ruleset) -> bool:
    return True


def by_clause(name: str) -> Callable[[Ruleset], bool]:
    """Whether a table plays by that clause."""
    return lambda rules: name in clauses_of(rules)


def settled(kind: Settlement) -> Callable[[Ruleset], bool]:
    return lambda rules: rules.stakes.settlement is kind


@dataclass(frozen=True)
class Situation:
    """Something that goes wrong around a table.

    Attributes:
        name: as people type it, and as addresses have it.
        happened: what has happened, in plain words.
        answer: what is to be done at a table with those rules.
        called: words of both languages by which people look for it.
        arises: whether it can happen with those rules.
        preset, settings: rules with which it can, for whoever asks without any.
        near: the situations that it is mistaken for, or that come of it.
    """

    name: str
    happened: str
    answer: Callable[[Ruleset, Words], Answer]
    called: tuple[str, ...] = ()
    arises: Callable[[Ruleset], bool] = always
    preset: str = "dame-de-pique"
    settings: Mapping[str, Value] = field(default_factory=dict)
    near: tuple[str, ...] = ()

    def rules(self, wanted: Ruleset | None = None) -> Ruleset:
        """The rules wanted, where it can arise with them; else some with which it can."""
        for rules in (wanted, make_ruleset()):
            if rules is not None and self.arises(rules):
                return rules
        return make_ruleset(self.preset, self.settings)


GROUPS: Final = (
    (
        N_("Dealing and passing"),
        (
            Situation(
                "exposed",
                N_("The dealer has shown a card"),
                clerk_deal.exposed,
                ("misdeal", "maldonne", "exposee", "shown"),
                near=("wrong-deal", "seen-card"),
            ),
            Situation(
                "wrong-deal",
                N_("One has too many cards, another too few"),
                clerk_deal.wrong_deal,
                ("too-many", "trop-de-cartes", "mal-distribue"),
                near=("exposed", "short-hand", "wrong-pass"),
            ),
            Situation(
                "wrong-pack",
                N_("A card is missing from the pack, or a strange one is in it"),
                clerk_deal.wrong_pack,
                ("missing-card", "carte-perdue", "paquet", "jeu-incomplet"),
                near=("short-hand", "wrong-sum"),
            ),
            Situation(
                "kitty",
                N_("The kitty was forgotten, or somebody has looked at it"),
                clerk_deal.kitty,
                ("talon", "reste"),
                clerk_wider.has_kitty,
                "coeurs",
                {"players": 5},
                near=("wrong-sum",),
            ),
            Situation(
                "wrong-pass",
                N_("The pass went wrong"),
                clerk_deal.wrong_pass,
                ("pass", "echange", "passe"),
                passes,
                near=("wrong-deal", "short-hand"),
            ),
        ),
    ),
    (
        N_("Playing"),
        (
            Situation(
                "out-of-turn",
                N_("Somebody has played out of turn"),
                clerk_play.out_of_turn,
                ("premature", "hors-tour", "jeu-premature"),
                near=("lead-out-of-turn", "revoke"),
            ),
            Situation(
                "lead-out-of-turn",
                N_("The wrong player has led"),
                clerk_play.lead_out_of_turn,
                ("wrong-lead", "entame"),
                near=("out-of-turn", "heart-led", "wrong-opening"),
            ),
            Situation(
                "wrong-opening",
                N_("The lowest club did not open the deal"),
                clerk_play.wrong_opening,
                ("opening", "ouverture", "2-of-clubs", "deux-de-trefle"),
                lambda rules: rules.play.opening is not Opening.ELDEST,
                near=("lead-out-of-turn", "first-trick"),
            ),
            Situation(
                "revoke",
                N_("Somebody did not follow suit"),
                clerk_play.revoke,
                ("renonce", "renege", "follow-suit", "fournir", "too-late", "trop-tard"),
                near=("queen-kept", "two-revokes", "mixed-tricks", "wrong-claim"),
            ),
            Situation(
                "queen-kept",
                N_("Somebody kept the queen of spades although it had to go"),
                clerk_play.queen_kept,
                ("queen", "dame", "dame-gardee", "forced-queen", "dame-forcee"),
                by_clause("T5"),
                "coeurs",
                near=("revoke", "mixed-tricks", "wrong-claim"),
            ),
            Situation(
                "two-revokes",
                N_("Two players have revoked in the same deal"),
                clerk_play.two_revokes,
                ("deux-renonces",),
                near=("revoke", "mixed-tricks"),
            ),
            Situation(
                "heart-led",
                N_("Hearts were led before they were broken"),
                clerk_play.heart_led,
                ("coeur-entame", "broken-hearts", "hearts"),
                by_clause("T4"),
                near=("lead-out-of-turn", "revoke"),
            ),
            Situation(
                "first-trick",
                N_("Somebody has thrown points on the first trick"),
                clerk_play.first_trick,
                ("premiere-levee", "points"),
                by_clause("T3"),
                near=("revoke", "heart-led"),
            ),
            Situation(
                "queen-thrown",
                N_("Somebody discarded the queen of spades although it is barred"),
                clerk_play.queen_thrown,
                ("barred-queen", "dame-jetee", "dame-interdite"),
                by_clause("T6"),
                "coeurs",
                {"queen_discard": "barred"},
                near=("revoke",),
            ),
            Situation(
                "early-heart",
                N_("A heart was played while hearts still had to wait"),
                clerk_play.early_heart,
                ("coeur-trop-tot", "third-trick"),
                by_clause("T7"),
                "coeurs",
                {"hearts_from_trick": 3},
                near=("revoke",),
            ),
            Situation(
                "seen-card",
                N_("A player has let a card be seen"),
                clerk_count.seen_card,
                ("dropped", "carte-vue", "carte-tombee"),
                near=("exposed", "out-of-turn"),
            ),
            Situation(
                "short-hand",
                N_("Somebody has run out of cards too early"),
                clerk_count.short_hand,
                ("card-short", "main-courte", "il-manque-une-carte"),
                near=("wrong-deal", "wrong-pack"),
            ),
            Situation(
                "queen-too-soon",
                N_("Somebody led or threw the queen of spades before hearts were broken"),
                clerk_wider.queen_too_soon,
                ("dame-trop-tot", "early-queen"),
                clerk_wider.queen_waits,
                settings={"queen_play": "once_broken"},
                near=("revoke", "heart-led"),
            ),
            Situation(
                "equal-cards",
                N_("Two equal cards lie in the trick, and somebody asks who takes it"),
                clerk_wider.equal_cards,
                ("two-packs", "cartes-egales", "deux-jeux", "same-card"),
                clerk_wider.has_two_packs,
                "cancellation",
                near=("all-cancel", "revoke"),
            ),
            Situation(
                "all-cancel",
                N_("All the cards that could win cancel each other"),
                clerk_wider.all_cancel,
                ("cancel", "annulation", "toutes-annulees", "held-trick"),
                clerk_wider.has_two_packs,
                "cancellation",
                near=("equal-cards",),
            ),
        ),
    ),
    (
        N_("Proving"),
        (
            Situation(
                "mixed-tricks",
                N_("Somebody's tricks are mixed up"),
                clerk_count.mixed_tricks,
                ("mixed", "levees-melees"),
                near=("revoke", "wrong-claim"),
            ),
            Situation(
                "wrong-claim",
                N_("Somebody was accused of a revoke, and there was none"),
                clerk_count.wrong_claim,
                ("claim", "accusation", "fausse-accusation", "denonciation"),
                near=("revoke", "mixed-tricks"),
            ),
        ),
    ),
    (
        N_("Counting and paying"),
        (
            Situation(
                "wrong-sum",
                N_("The scores do not add up"),
                clerk_count.wrong_sum,
                ("sum", "score", "somme", "compte"),
                near=("wrong-pack", "kitty"),
            ),
            Situation(
                "moon-way",
                N_("Somebody has shot the moon, and it may count in two ways"),
                clerk_wider.moon_way,
                ("moon", "volte", "lune", "controle", "choice", "choix"),
                clerk_wider.moon_counts_two_ways,
                settings={"moon": "shooter_chooses"},
                near=("wrong-sum", "exact-limit"),
            ),
            Situation(
                "exact-limit",
                N_("A total has come to exactly the limit"),
                clerk_wider.exact_limit,
                ("exactly-100", "exactement-100", "limite", "half", "moitie"),
                clerk_wider.limit_halves,
                settings={"at_limit": "halves"},
                near=("tie", "wrong-sum"),
            ),
            Situation(
                "tie",
                N_("Several players tie for the lowest total"),
                clerk_count.tie,
                ("egalite", "ex-aequo", "share"),
                near=("average", "pot"),
            ),
            Situation(
                "pot",
                N_("Nobody takes the pot"),
                clerk_count.pot_left,
                ("cagnotte",),
                settled(Settlement.POT),
                "coeurs-cagnotte",
                near=("tie",),
            ),
            Situation(
                "average",
                N_("The average does not come out even"),
                clerk_count.average,
                ("moyenne", "mean"),
                settled(Settlement.AVERAGE),
                "coeurs-moyenne",
                near=("tie",),
            ),
        ),
    ),
)
"""Every situation, in the order in which a deal runs."""

SITUATIONS: Final = {each.name: each for _, group in GROUPS for each in group}
NUMBERS: Final = {name: number for number, name in enumerate(SITUATIONS, start=1)}
"""By which they can be asked for: always the same, whatever is played."""

HEADINGS: Final = {
    "do": N_("What to do"),
    "deadline": N_("Until when"),
    "price": N_("What it costs"),
    "exempt": N_("What does not count as this"),
    "example": N_("An example"),
    "silent": N_("What the rules leave open"),
    "clauses": N_("What the rules say"),
}
"""The parts of an answer, in order."""


CLOSE: Final = 0.6
"""How alike two words are when one may be a slip for the other."""

MOST_NEAREST: Final = 4


def question(words: Words, situation: Situation) -> str:
    """The situation as somebody asks about it: "Somebody did not follow suit: what now?"."""
    return words.t("{happened}: what now?", happened=words.t(situation.happened))


def find(text: str) -> Situation:
    """The situation of that name, number, or word for it in either language. Raises `Fault`."""
    asked = "-".join(plain(text).replace("-", " ").split())
    for situation in SITUATIONS.values():
        names = situation.name, *situation.called
        if asked in names or text.strip() == str(NUMBERS[situation.name]):
            return situation
    raise Fault("no_such_situation", text=text, nearest=nearest(asked))


def nearest(asked: str) -> tuple[str, ...]:
    """The names most like that text; where none is like it, the first ones there are."""
    likeness = {
        name: max(SequenceMatcher(None, asked, word).ratio() for word in (name, *each.called))
        for name, each in SITUATIONS.items()
    }
    ranked = sorted(SITUATIONS, key=lambda name: -likeness[name])
    close = [name for name in ranked if likeness[name] >= CLOSE]
    return tuple((close or ranked)[:MOST_NEAREST])


def near(situation: Situation, rules: Ruleset) -> tuple[Situation, ...]:
    """Those near it that can arise with those rules."""
    found = (SITUATIONS[name] for name in situation.near)
    return tuple(each for each in found if each.arises(rules))


def arising(rules: Ruleset) -> Iterator[tuple[str, tuple[Situation, ...]]]:
    """The situations that can arise with those rules, under the titles of their groups."""
    for title, group in GROUPS:
        yield title, tuple(each for each in group if each.arises(rules))


def not_arising(rules: Ruleset) -> tuple[Situation, ...]:
    return tuple(each for each in SITUATIONS.values() if not each.arises(rules))


def rules_told(words: Words, rules: Ruleset) -> str:
    """What is played, in a line: the name, the players, what differs, and what a revoke costs."""
    _ = words.t
    name, differences = described(rules)
    differences.pop("players", None)
    parts = [
        preset_title(words, name),
        _("{count} players", count=rules.players),
        *(f"{option}={typed_value(value)}" for option, value in differences.items()),
        _("{points} in a deal", points=words.points(rules.penalty_total)),
    ]
    return ", ".join(parts)


def typed_value(value: Value) -> str:
    """A value as people type it after `--set`."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def elsewhere(words: Words) -> str:
    """Why an answer is for other rules than those asked about."""
    return words.t("With your rules this cannot happen; here is how it goes where it can.")


def format_answer(situation: Situation, rules: Ruleset, words: Words) -> str:
    """The answer as plain lines that read well aloud: headings alone on a line, no drawing.

    Args:
        rules: with which the situation can arise.
    """
    answer = situation.answer(rules, words)
    parts = [[question(words, situation), rules_told(words, rules), answer.short]]
    for name, lines in _parts(answer, words):
        if lines:
            parts.append([words.t(HEADINGS[name]), *lines])
    return "\n\n".join("\n".join(part) for part in parts)


def _parts(answer: Answer, words: Words) -> Iterator[tuple[str, list[str]]]:
    _ = words.t
    yield "do", list(_steps(answer, words))
    yield "deadline", [answer.deadline]
    yield "price", [answer.price]
    yield "exempt", list(answer.exempt)
    yield "example", [answer.example]
    yield "silent", list(answer.silent)
    yield "clauses", [f"{name}. {clause(words, name)}" for name in answer.clauses]


def _steps(answer: Answer, words: Words) -> Iterator[str]:
    for case in answer.cases:
        if case.when:
            yield words.t("{when}:", when=case.when)
        if len(case.steps) == 1:
            yield case.steps[0]
        else:
            yield from (f"{number}. {step}" for number, step in enumerate(case.steps, start=1))
