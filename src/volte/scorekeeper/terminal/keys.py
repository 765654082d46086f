"""Keys and verbs of lines typed at a score sheet, and the help that lists them."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import JACK, QUEEN, Card
from volte.rules import Ruleset, Settlement
from volte.say import N_, Words
from volte.say.keys import MOON_WORDS, SLAM_WORDS, TypedWord
from volte.scorekeeper.model import DealNeeds, Sheet, lots_due, needs_of


class ScoreKey(TypedWord):
    """A key that is a whole line; S, T, G, F, R, U, ? and Q as at the table (K1)."""

    SCORES = ("s", "score", "scores")
    SHEET = ("f", "sheet", "feuille", "score sheet", "feuille de marque", "feuille de pointage")
    NEEDS = ("g", "n", "situation", "needs", "who leads", "besoins", "qui mene")
    TURN = ("t", "turn", "tour")
    CHART = ("chart", "graph", "courbe", "graphique")
    STAKES = ("e", "stakes", "settle", "mises", "reglement")
    RULES = ("r", "rules", "regles")
    UNDO = ("u", "undo", "annuler", "reprendre")
    ACCEPT = ("accept", "accepter", "accepte")
    REOPEN = ("reopen", "rouvrir")
    NEXT = ("next", "suivante", "encore")
    PROOF = ("proof", "preuve")
    KEYS = ("?", "help", "keys", "aide", "touches")
    QUIT = ("q", "quit", "exit", "bye", "quitter", "fin")


G_MOVED = N_(
    "G now tells you who is in the lead and what the others need. “chart” shows the chart."
)


class Verb(TypedWord):
    """The first word of a line that says more than a key does."""

    MOON = ("m", *MOON_WORDS)
    SLAM = SLAM_WORDS
    REVOKE = ("revoke", "revoked", "renonce", "renonces")
    MIXED = ("mixed", "melanges", "melangees", "meles", "melees", "mele", "melee", "plis", "levees")
    MISDEAL = ("misdeal", "maldonne")
    POINTS = ("=", "points", "pts")
    FIX = ("fix", "correct", "corriger", "corrige")
    STRIKE = ("strike", "rayer", "raye")
    DEALER = ("dealer", "donneur", "donneuse", "donne")
    LOTS = ("lots", "lot", "draw", "tirage", "tirer")
    CLERK = ("what now", "clerk", "referee", "arbitre", "et maintenant", "que faire")
    STAKE = ("stake", "mise")
    TITLE = ("title", "titre")
    NAME = ("name", "rename", "nom", "nommer", "renommer")


MOST_WORDS = max(len(word.split()) for verb in Verb for word in verb.value) + 1  # and a colon


def verb_of(line: str) -> tuple[Verb | None, str]:
    """The verb that begins a line, and the rest of it; or None, and the whole line.

    >>> verb_of("=10 12 3"), verb_of("Grand chelem 2")[1], verb_of("le contrôle : Anne")[1]
    ((<Verb.POINTS: ('=', 'points', 'pts')>, '10 12 3'), '2', 'Anne')
    >>> verb_of("4 6q")
    (None, '4 6q')
    """
    line = line.strip()
    if line.startswith("="):
        return Verb.POINTS, line[1:].strip()
    words = line.split()
    for length in range(min(len(words), MOST_WORDS), 0, -1):
        verb = Verb.of(" ".join(words[:length]).rstrip(",;:? "))
        if verb is not None:
            return verb, " ".join(words[length:])
    return None, line


# The help

POINTS_LINE = N_("Or the points, without the last player’s: {example}")
"""The only line of the help whose example is in points; the others have hearts."""


def key_lines(words: Words, sheet: Sheet) -> tuple[str, ...]:
    """The help of the key `?`: the lines that can be typed at this moment."""
    cards = _named_cards(needs_of(sheet.rules))
    params = {
        "names": ", ".join(sheet.names),
        "name": _short(sheet.names[0]),
        "example": example(words, sheet.rules),
        "named": _named(words, sheet),
        "card": "".join(words.short(card) for card in cards[:1]),
        "cards": cards,
    }
    in_points = params | {"example": points_example(sheet.rules)}
    return tuple(
        words.t(line, **(in_points if line == POINTS_LINE else params)) for line in _messages(sheet)
    )


def example(words: Words, rules: Ruleset) -> str:
    """A typed deal as an example: "4 6q 3", the last player left out."""
    needs = needs_of(rules)
    queens = next((each.copies for each in needs.cards if each.card is QUEEN), 0)
    counts = _hearts(needs, len(needs.sides))
    return " ".join(
        str(count) + words.p("letter of the queen", "q") * (place in (1, 2)[:queens])
        for place, count in enumerate(counts)
    )


def _hearts(needs: DealNeeds, groups: int) -> tuple[int, ...]:
    """Counts of hearts for an example, the last player, or side, left out."""
    if groups == 2:
        return needs.hearts // 3, needs.hearts - needs.hearts // 3
    if needs.ranked:
        return (*(needs.hearts // part for part in (3, 2, 10)), *[0] * groups)[: groups - 1]
    first, third = needs.hearts // 3, needs.hearts // 4
    return (first, needs.hearts - first - third, third, *[0] * groups)[: groups - 1]


def points_example(rules: Ruleset) -> str:
    """The typed points of a deal as an example: "= 4 18 3"."""
    needs = needs_of(rules)
    counts = list(_hearts(needs, len(needs.sides)))
    counts[1] += needs.total - needs.hearts
    return f"= {' '.join(map(str, counts))}"


def _named(words: Words, sheet: Sheet) -> str:
    needs = needs_of(sheet.rules)
    first, second = _short(sheet.names[0]), _short(sheet.names[1])
    few, queens = needs.hearts // 3, [each for each in needs.cards if each.card is QUEEN]
    queen = words.p("letter of the queen", "q") * bool(queens)
    return f"{first} {few} {second} {needs.hearts - few}{queen}"


def _short(name: str) -> str:
    """The first word of a name, usually enough to type."""
    return name.split()[0].lower()


def _messages(sheet: Sheet) -> Iterator[str]:
    needs = needs_of(sheet.rules)
    if sheet.accepted:
        yield from (
            N_("“next”: another match with the same players; the pot carries over."),
            N_("“reopen”: to change something after all."),
        )
    elif not sheet.table.over:
        kinds = [each.card for each in needs.cards]
        yield (
            N_(
                "Hearts in the order {names}, with q after the hearts of the player who took "
                "the queen; leave out the last player: {example}. Or by name, leaving out "
                "players without hearts: {named}."
            )
            if QUEEN in kinds
            else N_(
                "Hearts in the order {names}; leave out the last player: {example}. Or by name:"
                " {named}."
            )
        )
        yield from _wider_messages(needs)
        if JACK in kinds:
            yield N_("j after a player’s hearts: that player took the jack of diamonds.")
        yield POINTS_LINE
        yield (
            N_(
                "“moon {name}”, or m and the player’s number: all the penalty cards. “slam {name}”:"
                " every trick."
            )
            if needs.all_tricks
            else N_("“moon {name}”, or m and the player’s number: that player took everything.")
        )
        yield from (
            N_(
                "“revoke {name}” for a revoke, “mixed {name}” for mixed-up tricks: the deal is "
                "stopped."
            ),
            N_("“misdeal exposed”: a card was seen. “misdeal count”: too many or too few cards."),
            N_("“missing 2h” after a deal: cards missing from the pack."),
        )
    if not sheet.accepted:
        if sheet.table.over and not sheet.table.due:
            yield N_("“accept”: everybody agrees with the result. “next”: another match.")
        if sheet.table.rows:
            yield N_(
                "“fix 2” followed by the right entry: corrects deal 2. You can add why: “# "
                "{name}: counted again”. “fix m1”: corrects the first misdeal. “strike 2”: "
                "strikes deal 2 out."
            )
        yield N_("U: undoes the last entry.")
        if sheet.table.due:
            yield N_("“lots” draws lots; “lots anne ks, bruno 2h” if you drew cards from a pack.")
        elif lots_due(sheet):
            yield N_("“dealer {name}”: who deals first. “lots” draws lots for it.")
    yield from (
        N_(
            "S: the scores. F: the whole sheet. G: who leads, and what the others need to catch "
            "up. “chart”: the chart of the totals."
        ),
        N_("T: whose deal it is. E: stakes, and who pays whom. R: the rules."),
    )
    if sheet.seals:
        yield N_("“proof”: checks the draws.")
    if not sheet.accepted and sheet.rules.stakes.settlement is not Settlement.NONE:
        yield N_(
            "“stake 0.25 EUR”, “title …”, “name {name} …”: change the stake, the title, a name."
        )
    yield from (
        N_("“what now revoke”: what to do after a revoke, or after any other problem."),
        N_("Q: leave the sheet; everything is already saved."),
    )


def _wider_messages(needs: DealNeeds) -> Iterator[str]:
    """The lines of the help that only the rules of the wider family need."""
    if needs.ranked:
        yield N_(
            "Here each heart counts by rank (jack 11, queen 12, king 13, ace 14): type the sum"
            " of each player’s hearts."
        )
    if needs.partners:
        yield N_("One number for each side is enough, in the order of their first players.")
    if any(each.copies > 1 for each in needs.cards):
        yield N_(
            "Two packs: each q or j stands for one of the two cards; for both, type it twice (6qq)."
        )
    if _named_cards(needs):
        yield N_(
            "“{card} {name}” after the hearts, and so on for the other cards that count: {cards}."
        )
    if needs.trickless:
        yield N_(
            "“no trick {name}” after a deal: that player took no trick; “no trick nobody”: "
            "everybody took at least one."
        )
    if needs.way:
        yield N_("“minus” or “plus” after a moon: as the shooter chooses.")


def _named_cards(needs: DealNeeds) -> tuple[Card, ...]:
    """The cards typed by name, without queen and jack."""
    return tuple(each.card for each in needs.others if each.card not in (QUEEN, JACK))
