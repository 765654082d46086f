"""The rules clerk on play: cards out of turn, revokes, and breaches that are none."""

from __future__ import annotations

from collections.abc import Iterator

from volte.rules import Opening, Ruleset
from volte.say.rulesheet.parts import has_bonus_jack, one_deal
from volte.say.words import Words
from volte.scorekeeper.clerk.parts import (
    Answer,
    Case,
    after_a_stop,
    claim_deadline,
    clauses_of,
    in_stakes,
    is_open,
    is_turned_down,
    joined,
    one_case,
    total_of,
)
from volte.scorekeeper.clerk.wider import wrong_any_club


def out_of_turn(rules: Ruleset, words: Words) -> Answer:
    """A card was played out of turn (I2)."""
    _ = words.t
    return Answer(
        short=_(
            "If somebody asks before everybody has played to the trick, the card goes back to the"
            " hand. After that it stands. Neither costs anything."
        ),
        cases=(
            Case(
                _still_coming(words),
                (
                    _("Somebody asks for the card back, and it goes back to the hand."),
                    _("Whoever's turn it is plays, and the trick goes on."),
                    _("If nobody asks, the card stays: nobody may take one back unasked."),
                ),
            ),
            Case(
                _all_there(words),
                (_("The card stands, and the trick counts as it lies."),),
            ),
        ),
        deadline=_("Until the last card of the trick lies on the table."),
        price=_("Nothing."),
        exempt=(
            _("A card of the wrong suit, played in turn: that may be a revoke."),
            _("A card that has only been seen: it has not been played."),
        ),
        example=_(
            "Anne leads a club, and Louise plays before Paul. Paul asks: Louise takes her card"
            " back, Paul plays, and then Louise."
        ),
        clauses=("I2",),
        silent=(
            _(
                "The rules here do not say whether the same card must be played when the turn"
                " comes. Usually it need not be."
            ),
        ),
    )


def lead_out_of_turn(rules: Ruleset, words: Words) -> Answer:
    """Somebody led who had no right to (I2)."""
    _ = words.t
    return Answer(
        short=_(
            "The lead goes back if somebody asks before everybody has played to the trick. If"
            " nobody asks, it stands and sets the suit. Neither costs anything."
        ),
        cases=(
            Case(
                _still_coming(words),
                (
                    _("Somebody asks for the lead back, and the card goes back to the hand."),
                    _("Whoever won the last trick leads."),
                    _("If nobody asks, play on: the suit that was led must be followed."),
                ),
            ),
            Case(
                _all_there(words),
                (_("The trick counts. Whoever takes it leads to the next."),),
            ),
        ),
        deadline=_("Until the last card of the trick lies on the table."),
        price=_("Nothing."),
        exempt=(_("A lead by the right player, but of a card that may not be led yet."),),
        example=_(
            "Paul won the last trick, but Anne leads a club, and Louise plays one too before"
            " anybody notices. Paul asks: both cards go back, and Paul leads what he likes."
        ),
        clauses=("I2",),
        silent=(_followers_too(words),),
    )


def _still_coming(words: Words) -> str:
    return words.t("Not everybody has played to the trick yet")


def _all_there(words: Words) -> str:
    return words.t("The last card of the trick lies on the table")


def _followers_too(words: Words) -> str:
    return words.t(
        "The rules here do not say what becomes of cards that others have played to such a lead."
        " Usually, and at the refereed tables of Volte, they go back too, and cost nothing."
    )


# Revokes


def revoke(rules: Ruleset, words: Words) -> Answer:
    """Somebody did not follow suit (I3–I6)."""
    _ = words.t
    return Answer(
        short=_short_of_revoke(rules, words),
        cases=(
            Case(
                is_open(words),
                (
                    _("Whoever revoked takes the card back, and plays one of the suit led."),
                    _("The trick goes on, and nothing is written down."),
                ),
            ),
            _found_later(
                rules,
                words,
                _(
                    "Look at that trick: it is proved if another suit was played there, and a card"
                    " of the suit led came later or is still in the hand."
                ),
            ),
            _too_late(rules, words),
        ),
        deadline=_revoke_deadline(rules, words),
        price=_price_of_revoke(rules, words),
        exempt=(
            _("Playing another suit without a card of the one led: that is a discard."),
            *_no_revokes(rules, words),
        ),
        example=_(
            "Diamonds are led, and Anne throws a heart. Three tricks later she plays the 9 of"
            " diamonds. Paul says so at once: the deal is over, Anne scores {points}, and the"
            " others score nothing.",
            points=total_of(rules, words),
        ),
        clauses=("I3", "I4", "I5", "I6"),
        silent=(_later_cards_stay(words),),
    )


def queen_kept(rules: Ruleset, words: Words) -> Answer:
    """The queen stayed in the hand, and had to go (I3, T5)."""
    _ = words.t
    return Answer(
        short=joined(
            _("Keeping the queen is a revoke, just like not following suit."),
            _short_of_revoke(rules, words),
        ),
        cases=(
            Case(
                is_open(words),
                (
                    _("Whoever kept it takes the card back, and discards the queen of spades."),
                    _("The trick goes on, and nothing is written down."),
                ),
            ),
            _found_later(
                rules,
                words,
                _(
                    "When the queen turns up, look back: the first trick in which its holder"
                    " played another suit than the one led proves it."
                ),
            ),
            _too_late(rules, words),
        ),
        deadline=_revoke_deadline(rules, words),
        price=_price_of_revoke(rules, words),
        exempt=(
            _("Following suit with another card, even in spades: only a discard is a chance."),
            _("Leading another card: whoever leads is free."),
            *_queen_barred_first(rules, words),
        ),
        example=_(
            "Hearts are led. Anne has none, and throws a club, because she fears that somebody is"
            " taking everything. It is a revoke all the same, and costs {points} once the trick is"
            " turned down.",
            points=total_of(rules, words),
        ),
        clauses=("T5", "I3", "I4", "I5", "I6"),
    )


def two_revokes(rules: Ruleset, words: Words) -> Answer:
    """Several players have revoked in one deal (I5)."""
    _ = words.t
    total = total_of(rules, words)
    settled = bool(in_stakes(rules, words))
    return Answer(
        short=_("Each of them scores {points}, and the others score nothing.", points=total),
        cases=one_case(
            _("The first revoke that is proved stops the deal."),
            _("Look at the trick of the other revoke too: it counts if it is proved as well."),
            _("Write down {points} for each of them, and 0 for everybody else.", points=total),
            after_a_stop(rules, words),
        ),
        deadline=claim_deadline(rules, words),
        price=joined(
            _("{points} for each of them.", points=total),
            _("The points count in the settlement like any others.") if settled else "",
        ),
        exempt=(_("One player who has revoked twice in the same deal: that is paid once."),),
        example=_(
            "Anne's revoke stops the deal. Before the cards are gathered, Anne shows that Paul has"
            " revoked as well: {points} for each of the two.",
            points=total,
        ),
        clauses=("I5", "I6"),
    )


def _short_of_revoke(rules: Ruleset, words: Words) -> str:
    return words.t(
        "While the trick lies open, it is put right and costs nothing. Found later, it stops the"
        " deal: {points} for whoever revoked, nothing for the others.",
        points=total_of(rules, words),
    )


def _found_later(rules: Ruleset, words: Words, proof: str) -> Case:
    _ = words.t
    steps = (
        _("Stop playing. Say who has revoked, and in which trick. It may be one's own revoke."),
        proof,
        _(
            "Write down {points} for whoever revoked, and 0 for everybody else.",
            points=total_of(rules, words),
        ),
        after_a_stop(rules, words),
    )
    return Case(is_turned_down(words), steps)


def _too_late(rules: Ruleset, words: Words) -> Case:
    _ = words.t
    if one_deal(rules):
        when = _("Everybody has accepted the settlement")
    else:
        when = _("The cards have been cut for the next deal")
    return Case(when, (_("It is too late: the scores stand as they were written down."),))


def _revoke_deadline(rules: Ruleset, words: Words) -> str:
    _ = words.t
    return joined(
        _("It can be put right until the trick is turned face down."),
        claim_deadline(rules, words),
    )


def _price_of_revoke(rules: Ruleset, words: Words) -> str:
    _ = words.t
    return joined(
        _(
            "{points} for whoever revoked, nothing for the others. Nobody pays twice in one deal.",
            points=total_of(rules, words),
        ),
        in_stakes(rules, words),
    )


def _no_revokes(rules: Ruleset, words: Words) -> Iterator[str]:
    """The breaches that are no revoke at this table (I3)."""
    _ = words.t
    told = {
        "T4": _("Leading hearts before they are broken: no revoke."),
        "T3": _("Throwing points on the first trick: no revoke."),
        "T6": _("Throwing the queen of spades when it is barred: no revoke."),
        "T7": _("Playing a heart before hearts may be played: no revoke."),
        "W3": _("Playing the queen of spades before hearts are broken: no revoke."),
    }
    yield from (text for name, text in told.items() if name in clauses_of(rules))
    if "T5" not in clauses_of(rules):
        yield _("Keeping the queen of spades: at this table it need not go.")


def _later_cards_stay(words: Words) -> str:
    return words.t(
        "The rules here do not say whether those who have played after it may change their cards."
        " At the refereed tables of Volte they may not."
    )


# Breaches that are no revoke (I3)


def heart_led(rules: Ruleset, words: Words) -> Answer:
    """Hearts were led before they were broken (T4)."""
    _ = words.t
    return _breach(
        words,
        "T4",
        right=_("The heart goes back to the hand, and the same player leads another suit."),
        stands=_("The trick counts as it lies, and hearts are broken from now on."),
        exempt=(
            _("A heart led from a hand that holds only hearts: that is allowed."),
            _("A heart led after one has been discarded in an earlier trick."),
        ),
        example=_(
            "No heart has been played yet, and Anne leads one. Paul objects while the trick lies"
            " open: she takes it back and leads a club."
        ),
        silent=(_followers_too(words),),
    )


def first_trick(rules: Ruleset, words: Words) -> Answer:
    """Points were thrown on the first trick (T3)."""
    _ = words.t
    exempt = [_("A hand that holds nothing else: then points are allowed.")]
    if has_bonus_jack(rules):
        exempt.append(_("The jack of diamonds: it is no penalty card, and may be thrown."))
    if rules.play.opening is Opening.ELDEST:
        exempt.append(_("A penalty card that is led: only discards are barred."))
    return _breach(
        words,
        "T3",
        right=_("The card goes back to the hand, and another one is played that counts nothing."),
        stands=_("The trick counts as it lies, with its points, for whoever took it."),
        exempt=tuple(exempt),
        example=_(
            "On the first trick Anne has none of the suit led, and throws a heart. Paul objects"
            " before the trick is turned down: Anne takes it back, and throws a diamond."
        ),
    )


def queen_thrown(rules: Ruleset, words: Words) -> Answer:
    """The queen was discarded at the chance at which it is barred (T6)."""
    _ = words.t
    return _breach(
        words,
        "T6",
        right=_("The queen of spades goes back to the hand, and another card is thrown."),
        stands=_("The trick counts as it lies, with the queen, for whoever took it."),
        exempt=(
            _("A hand that holds nothing else: then the queen may go."),
            _("The queen led, or played when spades were led: only a discard is barred."),
            _("The second time its holder cannot follow suit: from then on the queen is free."),
        ),
        example=_(
            "Clubs are led, Anne has none for the first time, and throws the queen. Paul objects"
            " while the trick lies open: she takes the queen back and throws a diamond."
        ),
    )


def early_heart(rules: Ruleset, words: Words) -> Answer:
    """A heart was played before hearts may be (T7)."""
    _ = words.t
    return _breach(
        words,
        "T7",
        right=_("The heart goes back to the hand, and another suit is played."),
        stands=_("The trick counts as it lies, with its hearts, for whoever took it."),
        exempt=(
            _("A hand that holds only hearts: then they may be played."),
            _(
                "A heart from trick {number} on: then hearts may be played.",
                number=rules.play.hearts_from_trick,
            ),
        ),
        example=_(
            "Hearts may be played from trick {number} on, and Anne throws one before. Louise"
            " objects while the trick lies open: Anne takes it back and throws a club.",
            number=rules.play.hearts_from_trick,
        ),
    )


def _breach(
    words: Words,
    clause: str,
    *,
    right: str,
    stands: str,
    exempt: tuple[str, ...],
    example: str,
    silent: tuple[str, ...] = (),
) -> Answer:
    """What holds of every breach that is no revoke."""
    _ = words.t
    return Answer(
        short=_(
            "That is no revoke, and costs nothing. It is put right if somebody objects while the"
            " trick lies open, and stands after."
        ),
        cases=(
            Case(is_open(words), (_("Somebody objects."), right)),
            Case(is_turned_down(words), (stands,)),
        ),
        deadline=_("Until the trick is turned face down."),
        price=_("Nothing."),
        exempt=exempt,
        example=example,
        clauses=("I3", clause),
        silent=silent or (_later_cards_stay(words),),
    )


def wrong_opening(rules: Ruleset, words: Words) -> Answer:
    """The deal did not open with the lowest club (L2)."""
    _ = words.t
    club = rules.lowest_club(rules.deck_mask)
    if rules.play.opening is Opening.ANY_CLUB:
        exempt = _opening_exempt(rules, words)
        return wrong_any_club(words, club, exempt, _followers_too(words))
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
                    _("Whoever holds {club:the} leads it.", club=club),
                ),
            ),
            Case(
                _("The holder has led another card"),
                (
                    _("The card goes back if somebody objects while the trick lies open."),
                    _("The same player leads {club:the}.", club=club),
                ),
            ),
            Case(is_turned_down(words), (_("The trick counts as it lies, and play goes on."),)),
        ),
        deadline=_(
            "A card out of turn: until everybody has played to the trick. Another card of the right"
            " player: until the trick is turned face down."
        ),
        price=_("Nothing."),
        exempt=_opening_exempt(rules, words),
        example=_(
            "Anne has not noticed that {club:the} is hers, and Paul leads a club. Louise asks:"
            " Paul takes it back, and Anne leads {club:the}.",
            club=club,
        ),
        clauses=("L2", "I2", "I3"),
        silent=(_followers_too(words),),
    )


def _opening_exempt(rules: Ruleset, words: Words) -> tuple[str, ...]:
    if not rules.kitty_size:
        return ()
    text = words.t(
        "A higher club, where the lowest lies in the kitty: the lowest that a hand holds is led."
    )
    return (text,)


def _queen_barred_first(rules: Ruleset, words: Words) -> tuple[str, ...]:
    if "T3" not in clauses_of(rules):
        return ()
    return (words.t("The first trick, where points are barred: the queen goes the next time."),)
