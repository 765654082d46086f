"""Keys and verbs of lines typed at a score sheet, and the help that lists them."""

from __future__ import annotations

from collections.abc import Iterator

from volte.cards import JACK, QUEEN, Card
from volte.rules import Ruleset, Settlement
from volte.say import N_, Words
from volte.say.keys import TypedWord
from volte.scorekeeper.model import DealNeeds, Sheet, lots_due, needs_of


class ScoreKey(TypedWord):
    """A key that is a whole line; S, T, G, F, R, U, ? and Q as at the table (K1)."""

    SCORES = ("s", "score", "scores")
    SHEET = ("f", "sheet", "feuille")
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


G_MOVED = N_("G tells who leads now, and what the others need. “chart” draws the chart.")


class Verb(TypedWord):
    """The first word of a line that says more than a key does."""

    MOON = ("m", "moon", "volte", "controle", "chelem", "lune")
    SLAM = ("slam", "grand slam", "grand chelem", "gc")
    REVOKE = ("revoke", "revoked", "renonce", "renonces")
    MIXED = ("mixed", "melees", "melee", "mele", "meles", "levees")
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


def verb_of(line: str) -> tuple[Verb | None, str]:
    """The verb that begins a line, and the rest of it; or None, and the whole line.

    >>> verb_of("moon Anne"), verb_of("=10 12 3"), verb_of("Grand chelem 2")[1], verb_of("4 6q")
    ((<Verb.MOON: ('m', 'moon', 'volte', 'controle', 'chelem', 'lune')>, 'Anne'), \
(<Verb.POINTS: ('=', 'points', 'pts')>, '10 12 3'), '2', (None, '4 6q'))
    """
    line = line.strip()
    if line.startswith("="):
        return Verb.POINTS, line[1:].strip()
    words = line.split()
    for length in (2, 1):
        verb = Verb.of(" ".join(words[:length]).rstrip(",;:?"))
        if verb is not None and len(words) >= length:
            return verb, " ".join(words[length:])
    return None, line


# The help

POINTS_LINE = N_("Points instead, the last one left out: {example}")
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
            N_("“next”: another match, with the same players and the pot."),
            N_("“reopen”: something must be changed after all."),
        )
    elif not sheet.table.over:
        kinds = [each.card for each in needs.cards]
        yield (
            N_(
                "Hearts in the order {names}, q behind those of whoever took the queen, the last"
                " one left out: {example}. Or by name, those with none left out: {named}."
            )
            if QUEEN in kinds
            else N_(
                "Hearts in the order {names}, the last one left out: {example}. Or by name:"
                " {named}."
            )
        )
        yield from _wider_messages(needs)
        if JACK in kinds:
            yield N_("j behind the hearts of whoever took the jack of diamonds.")
        yield POINTS_LINE
        yield (
            N_("“moon {name}”, or m and the place: everything. “slam {name}” likewise.")
            if needs.all_tricks
            else N_("“moon {name}”, or m and the place: that player took everything.")
        )
        yield from (
            N_("“revoke {name}”, “mixed {name}”: the deal is stopped (I5, I7)."),
            N_(
                "“misdeal exposed” for a card that was seen, “misdeal count” for too many or too"
                " few (I1)."
            ),
            N_("“missing 2h” behind a deal: cards that the pack lacks (I8)."),
        )
    if not sheet.accepted:
        if sheet.table.over and not sheet.table.due:
            yield N_("“accept”: everybody accepts the settlement. “next”: another match.")
        if sheet.table.rows:
            yield N_(
                "“fix 2” and a deal: what deal 2 should be; why may follow, “# {name}: counted"
                " again”. “fix m1” for the first misdeal. “strike 2” takes it out."
            )
        yield N_("U: takes the last entry back.")
        if sheet.table.due:
            yield N_(
                "“lots” draws the lots that are due; “lots anne ks, bruno 2h” if you drew them with"
                " cards."
            )
        elif lots_due(sheet):
            yield N_("“dealer {name}”: who dealt first. “lots” draws lots for it.")
    yield from (
        N_(
            "S: the scores. F: the whole sheet. G: who leads, and what the others need. “chart”"
            " draws it."
        ),
        N_("T: whose deal it is. E: stakes, and who pays whom. R: the rules."),
    )
    if sheet.seals:
        yield N_("“proof”: checks the lots that were drawn.")
    if not sheet.accepted and sheet.rules.stakes.settlement is not Settlement.NONE:
        yield N_("“stake 0.25 EUR”, “title …”, “name {name} …”: changes the head of the sheet.")
    yield from (
        N_("“what now revoke”: what to do when somebody has revoked, and so on."),
        N_("Q: leaves the sheet; every entry is saved already."),
    )


def _wider_messages(needs: DealNeeds) -> Iterator[str]:
    """The lines of the help that only the rules of the wider family need."""
    if needs.ranked:
        yield N_(
            "Hearts count their rank here, jack 11 to ace 14: type the sum of each player’s hearts."
        )
    if needs.partners:
        yield N_("A number for each side will do, in the order of its first players.")
    if any(each.copies > 1 for each in needs.cards):
        yield N_(
            "Two packs: each q or j stands for one of the two; behind one number both may stand."
        )
    if _named_cards(needs):
        yield N_(
            "“{card} {name}” behind the hearts, and so on for the other cards that count: {cards}."
        )
    if needs.trickless:
        yield N_("“no trick {name}” behind a deal: whoever took none; or “nobody”.")
    if needs.way:
        yield N_("“minus” or “plus” behind a moon: as its shooter chooses.")


def _named_cards(needs: DealNeeds) -> tuple[Card, ...]:
    """The cards typed by name, without queen and jack."""
    return tuple(each.card for each in needs.others if each.card not in (QUEEN, JACK))
