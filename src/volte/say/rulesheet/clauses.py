"""Every clause of the rules in words for players: refusals quote them, docs/rules.md lists them."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_, Language

_DEAL: Final = {
    "D1": N_(
        "The first dealer is drawn by lot. Everybody draws a card and the lowest deals; only the"
        " rank counts, the ace being the highest. Those who tie for lowest draw again."
    ),
    "D2": N_(
        "After each deal, the player to the dealer's left deals next, also from one match to the"
        " next while the same players go on together."
    ),
    "D3": N_(
        "Anyone may shuffle, the dealer last, and the dealer's right-hand neighbour cuts. In Volte"
        " every seat adds to the shuffle, the right-hand neighbour's part being the cut, and"
        " anybody can check afterwards that nobody chose the cards."
    ),
    "D4": N_(
        "The cards are dealt one by one, clockwise, beginning with the player to the dealer's left."
    ),
    "D5": N_(
        "Everybody gets the same number of cards. Those left over, which with the whole pack are 1"
        " for three players, 2 for five, 4 for six and 3 for seven, lie face down on the table:"
        " they are the kitty."
    ),
    "D6": N_(
        "Whoever wins the first trick takes the kitty, without being asked, and nobody else looks"
        " at it. It goes with the cards won, not into the hand, and its points count for its taker."
    ),
    "R-DECK": N_(
        "Where no cards may be left over, some are left out of the pack: the 2 of diamonds for"
        " three players (17 cards each); the 2 of diamonds and the 2 of spades for five (10 each);"
        " the four 3s for six (8 each). Six players may leave out the four 2s instead, and then the"
        " 3 of clubs opens, or leave nothing out and add two jokers (9 each)."
    ),
    "D7": N_(
        "A joker has no suit, no rank and no points. Whoever cannot follow suit may discard it like"
        " any card, and it never takes a trick. When a joker is led, the next card that is not a"
        " joker sets the suit: whoever plays that card is bound as a leader is, may play penalty"
        " cards even where points are barred from the first trick, and it does not count as a"
        " chance to discard the queen of spades."
    ),
}

_PASS: Final = {
    "P1": N_(
        "Each player picks cards for another one, and looks at those that arrive only after having"
        " given. Nobody sees what the others pass: all the cards change hands together, once"
        " everybody has chosen."
    ),
    "P2": N_("Three cards go to the left on every deal; two with six or seven players."),
    "P3": N_(
        "Three cards are passed: to the left on the first deal, to the right on the second, to the"
        " player opposite on the third; on the fourth nothing is passed. Then it starts over."
    ),
    "R-PASS": N_(
        "The pass changes from deal to deal and then starts over. Three players: left, right, no"
        " pass. Four: left, right, opposite, no pass. Five: left, right, second on the left, second"
        " on the right, no pass. Six: left, right, second on the left, second on the right,"
        " opposite, no pass."
    ),
}

_PLAY: Final = {
    "L1": N_(
        "The eldest hand, who sits to the dealer's left, leads to the first trick, with any card."
    ),
    "L2": N_(
        "Whoever holds the 2 of clubs after the pass leads it to the first trick. Where the 2 is"
        " left out of the pack, the lowest club there is opens; where that card lies in the kitty,"
        " the lowest club that a hand holds."
    ),
    "T1": N_(
        "Whoever has a card of the suit led must play one; whoever has none may play any card."
    ),
    "T2": N_(
        "The highest card of the suit led takes the trick, and its winner leads to the next one."
        " Players take their turns clockwise."
    ),
    "T3": N_(
        "Where points are barred from the first trick, no heart may be discarded on it, nor the"
        " queen of spades, unless the hand holds nothing else. A jack of diamonds worth ten points"
        " off is no penalty card and may be discarded. Only discards are barred: where the first"
        " leader is free to choose, a penalty card may be led."
    ),
    "T4": N_(
        "Hearts may not be led until a heart has been played in an earlier trick, unless the hand"
        " holds only hearts. The queen of spades does not break hearts, unless the table has agreed"
        " that it does."
    ),
    "T5": N_(
        "Where the queen of spades is forced, a holder who cannot follow suit must discard it at"
        " the first such chance. Only a discard is a chance: leading the queen, or following suit"
        " with it, is always free."
    ),
    "T6": N_(
        "Where the queen of spades is barred, it may not be discarded in the first trick in which"
        " its holder cannot follow suit: another card goes, unless the hand holds nothing else."
        " From the next chance on it is free. Being void on the first trick counts as that first"
        " chance also where points are barred from it."
    ),
    "T7": N_(
        "Where hearts are kept for later, no heart may be led or discarded before the trick agreed"
        " on, usually the third, unless the hand holds nothing else."
    ),
    "T8": N_(
        "Duties count in this order: to follow suit; to keep points from the first trick; to"
        " discard or keep the queen of spades; to keep hearts for later or until they are broken. A"
        " duty that would leave no card to play is waived, and those after it still hold for what"
        " is left."
    ),
}

_COUNTING: Final = {
    "S1": N_("Each heart counts 1 point."),
    "S2": N_(
        "The queen of spades counts 12 points in les Cœurs, and 13 in les Cœurs by the average and"
        " in la Dame de pique."
    ),
    "S3": N_(
        "A player who alone has taken every heart and the queen of spades shoots the moon: that"
        " player scores nothing, and each of the others the whole worth of the penalty cards, 25 or"
        " 26 points. Where hearts are left out of the pack, every heart means every one that is in"
        " it, and the worth is that of the cards in it."
    ),
    "S4": N_(
        "A player who has taken every trick makes a slam: that player's score goes down by the"
        " whole worth of the penalty cards, and everybody else's goes up by it."
    ),
    "S5": N_(
        "Where the jack of diamonds is worth ten points off, they go to whoever takes it. The moon"
        " can be shot without it, and it is counted after the moon and the slam."
    ),
    "S6": N_(
        "The scores of a deal add up to the worth of the penalty cards; after a moon, to as many"
        " times that worth as there are other players; after a slam, to one time fewer. A jack"
        " worth ten points off lowers the sum by ten. Without slam or jack, the scores of every"
        " deal, and the totals at the end, add up to a multiple of that worth. Volte checks it"
        " after every deal, except one that a revoke or mixed tricks have stopped."
    ),
    "S7": N_("The score sheet shows the points of every deal and the running totals."),
}

_END: Final = {
    "E1": N_(
        "The match is over after one deal, or after five, and the lowest total wins. In a match of"
        " one deal, whoever shoots the moon wins."
    ),
    "E2": N_(
        "The match is over when, after a deal, a total has reached the limit: 100 points, unless"
        " the table has chosen another. The lowest total wins, and those who tie for lowest share"
        " the win."
    ),
}

_STAKES: Final = {
    "M1": N_(
        "Each loser pays the winner one stake for every point between their totals. With 1, 5, 17"
        " and 2 points, the player with 1 point receives 4, 16 and 1, which makes 21 stakes. All"
        " payments are in whole stakes. In a draw of lots the highest card wins, and those with"
        " equal cards draw again."
    ),
    "M2": N_(
        "Winners who tie share equally what is paid. What cannot be shared equally goes to one of"
        " them, by lot."
    ),
    "M3": N_(
        "After a moon in a match of one deal, each of the others pays the shooter the whole worth"
        " of the penalty cards, 25 stakes with the queen at 12, and the jack of diamonds changes"
        " nothing in that. After a slam, and under the other settlements, the scores are settled as"
        " they stand."
    ),
    "M4": N_("In a match of several deals, the differences are those between the sums."),
    "M5": N_(
        "The mean of all totals is worked out. Whoever is above it pays the difference into the"
        " pot, whoever is below draws it, each rounded down to whole stakes: with 66, 59, 23 and 34"
        " the mean is 45.5, and the players pay 20 and 13 and draw 22 and 11. Lots are one card"
        " each, the highest first. Stakes left in the pot go one each to those below the mean, in"
        " the order of the lots, and round again; if the pot falls short, they go one short each,"
        " the lowest lot first, and round again, but never below nothing."
    ),
    "M6": N_(
        "After each deal every player puts into the pot one stake for each heart taken, and for the"
        " queen of spades as many as it counts. A player with no points takes the pot; several"
        " share it as winners who tie do. If everybody has points, it stays, and the next deal adds"
        " to it: 25 stakes, then 50, then 75. After a moon or a slam the scores are what is paid, a"
        " score below nothing neither pays nor draws, and the jack of diamonds is left out. A pot"
        " that nobody has taken when the match ends opens the next match at the same table or"
        " on the same score sheet."
    ),
}

_IRREGULARITIES: Final = {
    "I1": N_(
        "Misdeal: a dealer who shows a card while dealing, or gives one player too many cards and"
        " another too few, loses the deal, and the player to the left deals."
    ),
    "I2": N_(
        "A card played out of turn is taken back if somebody asks for it before everybody has"
        " played to the trick. Once the last card of the trick lies on the table it stands, without"
        " penalty, and nobody may take a card back unasked. The first card on the table sets the"
        " suit, even one led out of turn that stands."
    ),
    "I3": N_(
        "To revoke is not to follow suit when one could, or not to discard the queen of spades at"
        " the first chance where one must. Any other breach is no revoke: it is put right when"
        " somebody objects before the trick is turned down, and stands without penalty after."
    ),
    "I4": N_(
        "Whoever has revoked may put it right until the trick is turned down. At a refereed table"
        " the winner turns the trick down, the dealer's right-hand neighbour cuts, and everybody"
        " accepts the settlement; bots leave some time before they do."
    ),
    "I5": N_(
        "A revoke found later stops the deal at once: whoever revoked scores the whole worth of the"
        " penalty cards, and the others nothing. If several have revoked, each of them scores it."
        " Only that deal is concerned, which in a match of one deal is the match."
    ),
    "I6": N_(
        "A revoke may be claimed until the cards are cut for the next deal, or, after the last"
        " deal, until the settlement is accepted. Nobody pays twice in the same deal."
    ),
    "I7": N_(
        "With real cards, tricks are kept apart so that a revoke can be proved. A player whose"
        " tricks are so mixed that it no longer can be scores the whole worth of the penalty cards,"
        " whoever revoked, and even if the claim was mistaken; the deal stops, and the others score"
        " nothing, except a player whose revoke other tricks prove, who scores it as well. Fewer"
        " than two tricks cannot be mixed."
    ),
    "I8": N_(
        "With real cards, a hand that is one card short takes the last trick; a hand that is"
        " several short takes every trick it cannot play to. The player to its left then leads."
        " Penalty cards missing from the pack are left out when the scores are checked."
    ),
    "I9": N_(
        "A claim names the player and the trick, and Volte checks it against the cards. A mistaken"
        " claim costs nothing, but it is written down. A player may also announce a revoke of"
        " their own, as long as a revoke can be claimed; keeping silent about it is no offence."
    ),
}

_CLAIM_UNDO: Final = {
    "C1": N_(
        "A player may claim that the rest of the deal changes nothing. The claim is granted when no"
        " lawful way of playing on changes anybody's score, with slam, jack and tricks taken"
        " included; the rest is then played by itself."
    ),
    "C2": N_(
        "One's own pass may be taken back until the cards are exchanged; one's own last card until"
        " anybody acts, if all the people at the table agree. Nothing may be taken back once a card"
        " has become known through what followed."
    ),
}

_WIDER: Final = {
    "W1": N_(
        "In a scatter everybody gives one card to each of the others: the first card picked goes to"
        " the neighbour on the left, the next one to the player after that, and so on clockwise. So"
        " as many cards are given as there are other players, whatever the other passes take."
    ),
    "W2": N_(
        "Where any club may open, whoever holds the lowest club after the pass leads to the first"
        " trick, with whichever of their clubs they like."
    ),
    "W3": N_(
        "Where the queen of spades has to wait, it may be neither led nor discarded before hearts"
        " are broken, unless the hand holds nothing else. Following suit with it is always free."
    ),
    "W4": N_(
        "The kitty may also go to whoever wins the last trick, or the first trick that has a heart"
        " in it; where no heart has been won before, it goes with the last trick then too."
    ),
    "W5": N_(
        "A table may count otherwise: hearts by their rank, the jack being 11, the queen 12, the"
        " king 13 and the ace 14; more or less for the queen of spades; 5 or 10 points off for the"
        " jack of diamonds; and any points for any other card. Whatever counts above zero is a"
        " penalty card; whatever counts below zero lowers the score of its taker."
    ),
    "W6": N_(
        "Where taking no trick at all lowers the score, that is counted last, after a moon or a"
        " slam as well, and it is left out of the pot."
    ),
    "W7": N_(
        "A moon may also lower the score of whoever shot it by the whole worth of the penalty"
        " cards, the others scoring nothing; or the shooter chooses between the two; or it lowers"
        " that score only where the match would otherwise end without a win for the shooter. A"
        " table may ask besides that the moon take the cards that lower a score, too."
    ),
    "W8": N_(
        "A slam may also count twice what a moon does, and in the same way as a moon at that table;"
        " where there is no moon, each of the others scores twice the worth of the penalty cards."
    ),
    "W9": N_(
        "A total of exactly the limit may fall back to half of it, rounded down, and the match goes"
        " on. And where the lowest totals are equal at the end, another deal may be played in place"
        " of a shared win."
    ),
    "W10": N_(
        "Partners sit as far from each other as can be: two of them opposite, three at equal"
        " distances. Each scores what the side scores, so that a side wins and pays together. A"
        " moon and a slam are made by one player, or by partners between them where the table has"
        " agreed on that."
    ),
    "W11": N_(
        "With two packs, two equal cards in a trick cancel each other, and neither takes it, though"
        " both count for whoever does. If no other card of the suit led is left, the trick waits:"
        " whoever led it leads again, and whoever takes the next one takes it as well. On the last"
        " trick, it goes to whoever led it."
    ),
}

_KEYS: Final = {
    "K1": N_(
        "C tells the cards on the table, 1 to 9 one of them and 0 the tenth, S the scores and T"
        " whose turn it is, in the web page as in the terminal. A digit alone always means that: a"
        " card is chosen by its place in the hand with a dot before the number, as in .3."
    ),
}

PARTS: Final = (
    (N_("The deal"), _DEAL),
    (N_("The pass"), _PASS),
    (N_("The play"), _PLAY),
    (N_("The counting"), _COUNTING),
    (N_("The end of the match"), _END),
    (N_("The stakes"), _STAKES),
    (N_("Irregularities"), _IRREGULARITIES),
    (N_("Claim and undo"), _CLAIM_UNDO),
    (N_("The wider family"), _WIDER),
    (N_("The keys"), _KEYS),
)
"""The clauses by part, in the order in which a deal runs: title, then sentences by id."""

CLAUSES: Final = {name: message for _, clauses in PARTS for name, message in clauses.items()}
"""The sentence of every clause, by its id."""


def clause(words: Language, name: str) -> str:
    """The clause of that id, such as `T5`, without the id. Raises `KeyError` for no clause."""
    return words.t(CLAUSES[name])
