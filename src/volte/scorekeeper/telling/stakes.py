"""The debts on a score sheet, in stakes and in money, and the lots drawn for it, in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from volte.fair import Verdict
from volte.rules import Settlement
from volte.say.formats import is_currency, money_text, number_text, smallest_coin
from volte.say.language import N_, Language
from volte.say.outcome import mean_of
from volte.say.telling import Lines
from volte.scorekeeper.model import Drawn, LotsProof, StakeTransfer, who_pays, worth
from volte.scorekeeper.telling.sheet import SheetTelling
from volte.sheet import LotsDue, Purpose


def stakes_lines(telling: SheetTelling) -> Lines:
    """Key E: the stakes won or lost by each player, the pot, and the payments."""
    table, settlement = telling.table, telling.sheet.rules.stakes.settlement
    if settlement is Settlement.NONE:
        return (telling.t("There are no stakes in this game."),)
    if table.net is None:
        return (lots_wanted(telling),)
    if settlement is not Settlement.POT and not table.over:
        return (telling.t("Stakes are settled at the end of the match."),)
    names = dict(enumerate(telling.players))
    lines = [*mean_of(telling.language, telling.sheet.rules, table.totals, names)]
    if any(table.net):
        lines.append(telling.t("Stakes: {stakes}.", stakes=_signed(telling, table.net)))
    if settlement is Settlement.POT:
        lines.append(telling.t("In the pot: {stakes}.", stakes=amount(telling, table.pot)))
    transfers = who_pays(telling.sheet)
    lines += [_transfer(telling, transfer) for transfer in transfers]
    if not transfers:
        lines.append(telling.t("Nobody owes anything."))
    return tuple(lines)


def pot_lines(telling: SheetTelling) -> Lines:
    """After a deal played for a pot (M6): the stakes paid and drawn, and the pot that stays."""
    by_pot = telling.sheet.rules.stakes.settlement is Settlement.POT
    row = next((row for row in reversed(telling.table.rows) if row.counts), None)
    if not by_pot or row is None or row.stakes is None:
        return ()
    stakes, pot = _signed(telling, row.stakes), amount(telling, row.pot)
    return (telling.t("Stakes: {stakes}. In the pot: {pot}.", stakes=stakes, pot=pot),)


def amount(telling: SheetTelling, stakes: int) -> str:
    """Stakes, with their worth where money is played for: "4 stakes (€1.00)"."""
    count, value = telling.language.stakes(stakes), in_money(telling, stakes)
    return telling.t("{stakes} ({money})", stakes=count, money=value) if value else count


def stake_sentence(telling: SheetTelling) -> str:
    """The sentence for the worth of one stake; empty where no money is played for."""
    value = in_money(telling, 1)
    return telling.t("A stake is {money}.", money=value) if value else ""


def in_money(telling: SheetTelling, stakes: int) -> str:
    """The worth of stakes in money; empty where no money is played for."""
    value = worth(telling.sheet, stakes)
    return "" if value is None else money(telling.language, value, telling.sheet.currency)


def _signed(telling: SheetTelling, stakes: Sequence[int]) -> str:
    """The stakes won or lost by each player: "Anne +75; Bruno −25"."""
    return telling.series(
        f"{telling.player(seat)} {'+' * (count > 0)}{telling.language.number(count)}"
        for seat, count in enumerate(stakes)
    )


def _transfer(telling: SheetTelling, transfer: StakeTransfer) -> str:
    names, stakes = telling.sheet.names, amount(telling, transfer.stakes)
    if transfer.giver is None and transfer.taker is not None:
        taker = names[transfer.taker]
        return telling.t("{taker} takes {amount} from the pot.", taker=taker, amount=stakes)
    assert transfer.giver is not None
    giver = names[transfer.giver]
    if transfer.taker is None:
        return telling.t("{giver} pays {amount} into the pot.", giver=giver, amount=stakes)
    message = N_("{giver} pays {amount} {taker:to}.")
    return telling.t(message, giver=giver, amount=stakes, taker=names[transfer.taker])


# Lots

_FOR: Final = {
    Purpose.DEALER: N_(
        "To choose the first dealer, {names} each draw a card; the lowest card deals."
    ),
    Purpose.POT: N_("The pot cannot be shared evenly: {names} draw lots for what is left over."),
    Purpose.MATCH: N_("The stakes do not come out even: {names} draw lots."),
}
_PROOFS: Final = {
    Verdict.PROVED: N_("Draw {number}: proved. It is the one that was sealed beforehand."),
    Verdict.NUMBER_SKIPPED: N_(
        "Draw {number}: not proved. The seal that should come before it is missing."
    ),
    Verdict.REVEAL_MISSING: N_("Draw {number}: not proved. Its secret was never revealed."),
    Verdict.COMMITMENT_BROKEN: N_(
        "Draw {number}: check failed! The secret is not the one that was sealed."
    ),
    Verdict.PROMISE_BROKEN: N_(
        "Draw {number}: check failed! A player’s word is not the one that was sealed."
    ),
    Verdict.ORDER_WRONG: N_(
        "Draw {number}: check failed! The cards written down are not the ones drawn."
    ),
    Verdict.LOT_WRONG: N_(
        "Draw {number}: check failed! The cards written down are not the ones drawn."
    ),
    None: N_("Draw {number}: sealed, but not drawn yet."),
}


def lots_for(telling: SheetTelling, due: LotsDue) -> str:
    """The purpose of the lots, and the players who draw."""
    return telling.t(_FOR[due.purpose], names=telling.names(due.seats))


def lots_wanted(telling: SheetTelling) -> str:
    """The notice that lots are due for stakes."""
    return lots_for(telling, telling.table.due[0])


def drawn_lines(telling: SheetTelling, drawn: Drawn) -> Lines:
    """The lots that were drawn, and the decision by them."""
    lines = []
    for place, lots in enumerate(drawn.rounds):
        draws = telling.series(
            telling.t("{name}, {card:the}", name=telling.player(seat), card=card)
            for seat, card in lots
        )
        message = N_("A tie, so they draw again: {draws}.") if place else N_("Drawn: {draws}.")
        lines.append(telling.t(message, draws=draws))
    if drawn.purpose is Purpose.DEALER:
        message = N_("{name} has the lowest card and deals first.")
        lines.append(telling.t(message, name=telling.player(drawn.order[-1])))
    elif telling.sheet.rules.stakes.settlement is Settlement.AVERAGE:
        message = N_("Order of the draw: {players}.")
        lines.append(telling.t(message, players=telling.names(drawn.order)))
    else:
        message = N_("{player} draws the highest card and receives the rest of the stakes.")
        lines.append(telling.t(message, player=telling.player(drawn.order[0])))
    return tuple(lines)


def proof_lines(language: Language, proofs: tuple[LotsProof, ...]) -> Lines:
    """The verdicts whether the lots were drawn as they were sealed, in sentences."""
    if not proofs:
        return (language.t("No draw has been sealed, so there is nothing to prove."),)
    return tuple(language.t(_PROOFS[proof.verdict], number=proof.number) for proof in proofs)


# Money as each language writes it, exact to the last digit: "0,25 €", "€0.25"

_SIGNS: Final = {
    "€": "EUR",
    "£": "GBP",
    "$": "USD",
    "US$": "USD",
    "$US": "USD",
    "CA$": "CAD",
    "$CA": "CAD",
    "C$": "CAD",
    "FR": "CHF",
    "FR.": "CHF",
    "SFR": "CHF",
}
_STAKE: Final = re.compile(r"(?P<before>[^\d.,\s]*)\s*(?P<amount>\d[\d.,]*)\s*(?P<after>.*)")


def currency_of(text: str) -> str:
    """The currency meant by a sign or a name: "EUR" for "€"; else the text as typed.

    >>> currency_of("€"), currency_of("chf"), currency_of("matchsticks")
    ('EUR', 'CHF', 'matchsticks')
    """
    shown = text.strip()
    name = _SIGNS.get(shown.upper(), shown.upper())
    return name if is_currency(name) else shown


def stake_and_currency(text: str) -> tuple[str, str]:
    """Split an amount, as typed, from its currency; a text without an amount stays whole.

    >>> stake_and_currency("0,25 €"), stake_and_currency("$0.10"), stake_and_currency("many")
    (('0,25', 'EUR'), ('0.10', 'USD'), ('many', ''))
    """
    read = _STAKE.fullmatch(text.strip())
    if read is None:
        return text.strip(), ""
    return read["amount"], currency_of(read["before"] or read["after"])


def money(language: Language, amount: Decimal, currency: str = "") -> str:
    """An amount with all its digits, at least as many as its currency has: "2,00 €".

    Args:
        currency: as `currency_of` returns it; an unknown one is written after the number.
    """
    known = is_currency(currency)
    digits = max(
        smallest_coin(currency) if known else 0, -int(amount.normalize().as_tuple().exponent)
    )
    exact = amount.quantize(Decimal(1).scaleb(-digits))
    if known:
        return money_text(language.lang, exact, currency)
    return f"{number_text(language.lang, exact)} {currency}".strip()
