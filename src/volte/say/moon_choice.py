"""The choice of somebody who has shot the moon: what either way of counting it does (W7)."""

from __future__ import annotations

from msgspec.structs import replace

from volte.game import score_of
from volte.rules import MoonBy, Ruleset, Score, SlamRule, match_over, totals, winners
from volte.say.language import N_, Language
from volte.say.telling import Telling
from volte.view import View


def moon_choices(language: Language, view: View) -> tuple[str, str]:
    """What each choice does, in figures: taken off one's own points, and put on the others."""
    telling = Telling(language, view)
    points = telling.points(moon_worth(view))
    rules = view.state.rules
    mine = N_("{points} off your own points.")
    others = N_("{points} for each of the others.")
    if rules.sides.partners > 1:
        mine = N_("{points} off the points of your side.")
        others = N_("{points} for each of the other sides.")
        if len(rules.all_sides) == 2:
            others = N_("{points} for the other side.")
    told = telling.t(mine, points=points), telling.t(others, points=points)
    return told[0] + _after(telling, minus=True), told[1] + _after(telling, minus=False)


def moon_asked(language: Language, view: View) -> tuple[str, ...]:
    """The question as its shooter is asked it."""
    minus, plus = moon_choices(language, view)
    return (
        language.t("You choose how it counts."),
        language.t("Minus: {choice}", choice=minus),
        language.t("Plus: {choice}", choice=plus),
    )


def moon_worth(view: View) -> int:
    """What the moon counts, or the slam that counts double (W7, W8)."""
    total = view.deal.rules.penalty_total
    return 2 * total if slammed(view) else total


def slammed(view: View) -> bool:
    """Whether the shooter, or the shooter's side, has taken every trick, where that counts (S4)."""
    deal, shooter = view.deal, view.state.shooter
    if shooter is None or deal.rules.moon.slam is SlamRule.OFF:
        return False
    won = sum(deal.won[seat] for seat in doers(deal.rules, shooter))
    return won == sum(deal.won)


def doers(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """Whoever has shot the moon or made the slam for which that seat stands (W10)."""
    return rules.side(seat) if rules.moon.by is MoonBy.SIDE else (seat,)


def _after(telling: Telling, *, minus: bool) -> str:
    """The totals then, and whether that is the end."""
    state, view = telling.state, telling.view
    # All that nobody has shown when the deal is over is a kitty that somebody else has taken.
    deal = replace(view.deal, kitty=view.deal.kitty or view.unseen)
    scored = score_of(state.rules, state.deals, deal, minus=minus)
    deals = (*state.deals, scored)
    told = telling.t("Totals then: {totals}.", totals=telling.scores(totals(state.rules, deals)))
    return " ".join(("", told, *_end(telling, deals)))


def _end(telling: Telling, deals: tuple[Score, ...]) -> tuple[str, ...]:
    rules, seat = telling.state.rules, telling.view.seat
    if seat is None or not match_over(rules, deals):
        return ()
    won = winners(rules, deals)
    if seat not in won:
        return (telling.t("That ends the match, and you do not win it."),)
    if len(won) > rules.sides.partners:
        return (telling.t("That ends the match, and you share the win."),)
    return (telling.t("That ends the match, and you win it."),)
