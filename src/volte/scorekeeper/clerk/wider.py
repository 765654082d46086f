"""The rules clerk on the wider family: two packs, moons that count in two ways, unusual ends."""

from __future__ import annotations

from volte.cards import QUEENS, Card
from volte.rules import AtLimit, EndKind, Kitty, MoonRule, QueenPlay, Ruleset, SlamRule
from volte.say.words import Words
from volte.scorekeeper.clerk.parts import Answer, Case, is_open, is_turned_down, one_case, sum_due


def has_two_packs(rules: Ruleset) -> bool:
    return rules.deck.packs == 2


def moon_counts_two_ways(rules: Ruleset) -> bool:
    return rules.moon.moon in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST)


def limit_halves(rules: Ruleset) -> bool:
    limit = rules.ending.match_end.kind is EndKind.LIMIT
    return limit and rules.ending.at_limit is AtLimit.HALVES


def queen_waits(rules: Ruleset) -> bool:
    once_broken = rules.play.queen_play is QueenPlay.ONCE_BROKEN
    return once_broken and bool(rules.deck_mask & QUEENS)


def has_kitty(rules: Ruleset) -> bool:
    return bool(rules.kitty_size)


# Two packs


def equal_cards(rules: Ruleset, words: Words) -> Answer:
    """Two equal cards lie in one trick (W11)."""
    _ = words.t
    return Answer(
        short=_(
            "Two equal cards cancel each other: neither of them can win. The highest other card of"
            " the suit led takes the trick."
        ),
        cases=(
            Case(
                _("Another card of the suit led lies in the trick"),
                (
                    _("Leave both equal cards out of account, and take the highest that is left."),
                    _("Both still count for whoever takes the trick."),
                ),
            ),
            Case(
                _("No other card of the suit led lies there"),
                (_("Nobody takes the trick: it waits for whoever takes the next one."),),
            ),
        ),
        deadline=_("At once, before the trick is turned face down."),
        price=_("Nothing."),
        exempt=(
            _("Equal cards of a suit that was not led: they win nothing anyhow."),
            _("Two cards of the same rank in two suits: they are not equal."),
        ),
        example=_(
            "Anne leads the king of clubs, and Paul plays the other one. Louise has the 9 of clubs,"
            " and nobody a higher one: the trick is hers."
        ),
        clauses=("W11", "T2"),
    )


def all_cancel(rules: Ruleset, words: Words) -> Answer:
    """Every card that could win is cancelled (W11)."""
    _ = words.t
    return Answer(
        short=_(
            "Nobody takes the trick. It stays on the table, whoever led it leads again, and the"
            " winner of the next trick takes both."
        ),
        cases=(
            Case(
                _("Another trick follows"),
                (
                    _("Push the trick aside, face up, and let the same player lead again."),
                    _("Whoever takes the next trick takes what lies there, with all its points."),
                    _("If that one cancels too, it waits with the first."),
                ),
            ),
            Case(
                _("It was the last trick"),
                (_("Whoever led it takes it, and all that has been waiting."),),
            ),
        ),
        deadline=_("At once, before the trick is turned face down."),
        price=_("The points in it, for whoever takes it in the end."),
        exempt=(_("A trick in which one card of the suit led has no equal: that card takes it."),),
        example=_(
            "Anne leads the 7 of diamonds, Paul plays the other 7, and the others throw cards of"
            " other suits. Anne leads again, and Louise, who wins that trick, takes both."
        ),
        clauses=("W11",),
    )


# Moons


def moon_way(rules: Ruleset, words: Words) -> Answer:
    """Somebody has shot the moon, and it may count in two ways (W7)."""
    _ = words.t
    points = words.points(rules.penalty_total)
    chooses = rules.moon.moon is MoonRule.SHOOTER_CHOOSES
    if chooses:
        short = _(
            "The shooter chooses: {points} off the own total, or {points} more for each of the"
            " others.",
            points=points,
        )
        steps: tuple[str, ...] = (
            _("The shooter looks at the totals, and says which way it counts."),
            _("Write it down so; what has been said stands."),
        )
        deadline = _("Before the next deal.")
    else:
        short = _(
            "Each of the others scores {points}, unless that would end the match and the shooter"
            " would not win it: then the shooter takes {points} off instead.",
            points=points,
        )
        steps = (
            _("Add {points} to the totals of the others, on trial.", points=points),
            _("If the match is not over then, or the shooter wins it, leave it so."),
            _(
                "Otherwise put them back, and take {points} off the total of the shooter.",
                points=points,
            ),
        )
        deadline = _("As soon as the deal is counted: nobody has a choice.")
    exempt = [_("A heart or another penalty card with somebody else: then it is no moon at all.")]
    if rules.moon.slam is SlamRule.DOUBLE:
        exempt.append(_("Every trick taken: that counts twice what the moon does, the same way."))
    return Answer(
        short=short,
        cases=one_case(*steps),
        deadline=deadline,
        price=_("{points}, one way or the other.", points=points),
        exempt=tuple(exempt),
        example=_(
            "Anne shoots the moon with a total of 40, and the others have 60, 70 and 20. Minus"
            " brings her down to {less}; plus takes the others up to {more}.",
            less=40 - rules.penalty_total,
            more=[count + rules.penalty_total for count in (60, 70, 20)],
        ),
        clauses=("W7", "S3"),
    )


# Play


def queen_too_soon(rules: Ruleset, words: Words) -> Answer:
    """The queen was led or discarded before hearts were broken (W3)."""
    _ = words.t
    return Answer(
        short=_(
            "It is no revoke, and costs nothing. The queen goes back if somebody objects while the"
            " trick lies open, and stays after."
        ),
        cases=(
            Case(
                is_open(words),
                (
                    _("Somebody objects."),
                    _("The queen of spades goes back to the hand, and another card is played."),
                ),
            ),
            Case(
                is_turned_down(words),
                (_("The trick counts as it lies, with the queen, for whoever took it."),),
            ),
        ),
        deadline=_("Until the trick is turned face down."),
        price=_("Nothing."),
        exempt=(
            _("The queen played when spades were led: that is following suit."),
            _("A hand that holds nothing else: then the queen may be played."),
        ),
        example=_(
            "No heart has fallen yet. Clubs are led, and Anne, who has none, throws the queen of"
            " spades. Paul objects at once: she takes it back and throws a diamond."
        ),
        clauses=("I3", "W3"),
    )


def wrong_any_club(words: Words, club: Card, exempt: tuple[str, ...], silent: str) -> Answer:
    """Whoever holds the lowest club did not lead a club (W2)."""
    _ = words.t
    return Answer(
        short=_(
            "That is no revoke, and costs nothing: it is put right if somebody says so in time,"
            " and stands after."
        ),
        cases=(
            Case(
                _("Another player has led"),
                (
                    _("The card goes back if somebody asks before everybody has played."),
                    _("Whoever holds {club:the} leads any club.", club=club),
                ),
            ),
            Case(
                _("The holder has led another suit"),
                (
                    _("The card goes back if somebody objects while the trick lies open."),
                    _("The same player leads a club."),
                ),
            ),
            Case(is_turned_down(words), (_("The trick counts as it lies, and play goes on."),)),
        ),
        deadline=_(
            "A card out of turn: until everybody has played to the trick. Another card of the right"
            " player: until the trick is turned face down."
        ),
        price=_("Nothing."),
        exempt=(
            _("A higher club led by the right player: any club will do."),
            *exempt,
        ),
        example=_(
            "Anne has not noticed that {club:the} is hers, and Paul leads a club. Louise asks:"
            " Paul takes it back, and Anne leads a club that she likes.",
            club=club,
        ),
        clauses=("W2", "I2", "I3"),
        silent=(silent,),
    )


# The end


def played_on(words: Words) -> Answer:
    """A tie that keeps the match going (W9)."""
    _ = words.t
    return Answer(
        short=_("The match is not over: another deal is played, until one total is the lowest."),
        cases=one_case(
            _("Deal again, with everybody, and add the points as usual."),
            _("After each deal, look whether one player or one side has the lowest total alone."),
        ),
        deadline=_("After every deal, from the one that would have ended the match."),
        price=_("Nothing."),
        exempt=(_("A tie of others, while one total is the lowest: that ends the match."),),
        example=_(
            "Totals of 104, 40, 40 and 80: another deal. It leaves 106, 52, 47 and 85, and the"
            " player with 47 points wins."
        ),
        clauses=("W9",),
    )


def exact_limit(rules: Ruleset, words: Words) -> Answer:
    """A total has come to exactly the limit (W9)."""
    _ = words.t
    limit = rules.ending.match_end.number
    half = limit // 2
    return Answer(
        short=_(
            "A total of exactly {limit} falls to {half}, and the match goes on.",
            limit=limit,
            half=half,
        ),
        cases=(
            Case(
                _("Nobody else has reached {limit}", limit=limit),
                (_("Write {half} in its place, and deal again.", half=half),),
            ),
            Case(
                _("Somebody else has more than {limit}", limit=limit),
                (
                    _("Write {half} in its place all the same.", half=half),
                    _("Then the match is over: the lowest total wins."),
                ),
            ),
        ),
        deadline=_("As soon as the deal is counted."),
        price=_("Nothing: it is a gift of {points}.", points=words.points(limit - half)),
        exempt=(_("A total of one point more: that ends the match."),),
        example=_(
            "Anne had {before}, and scores 5: she comes to exactly {limit}, and goes on with"
            " {half}.",
            before=limit - 5,
            limit=limit,
            half=half,
        ),
        clauses=("W9", "E2"),
    )


# The kitty


def late_kitty(rules: Ruleset, words: Words) -> Answer:
    """The kitty, where it does not go to the first trick (W4)."""
    _ = words.t
    if rules.deck.kitty is Kitty.LAST_TRICK:
        owner = _("The kitty belongs to whoever won the last trick, with all its points.")
    else:
        owner = _(
            "The kitty belongs to whoever won the first trick with a heart in it, with all its"
            " points; to whoever won the last trick, if no trick had one."
        )
    due = sum_due(rules)
    return Answer(
        short=owner,
        cases=(
            Case(
                _("It was forgotten"),
                (
                    _("Look which trick it goes with, and give it to whoever won that one."),
                    _("It goes with the tricks won, and its points count for that player."),
                ),
            ),
            Case(
                _("Somebody has looked at it too soon"),
                (_("It still goes where the rules send it. Play goes on."),),
            ),
        ),
        deadline=_("The rules here name none: at the latest when the points are counted."),
        price=_("Nothing: the rules here name no penalty."),
        exempt=(_("A look by whoever has just taken it: that player may."),),
        example=_(
            "At the count the scores do not come to {total}. What is missing lies in the kitty,"
            " which nobody has taken: it goes to Anne, who won the trick it belongs to.",
            total=due,
        ),
        clauses=("W4", "S6"),
    )
