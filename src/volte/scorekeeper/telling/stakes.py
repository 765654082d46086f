"""What is owed by a score sheet, in stakes and in money; and the lots that were drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.fair import Verdict
from volte.referee.scores import LotsDue, Purpose
from volte.rules import Settlement
from volte.say.language import N_, Language
from volte.say.telling import Lines
from volte.scorekeeper.model import Drawn, LotsProof, Sheet, StakeTransfer, who_pays, worth
from volte.scorekeeper.telling.money import money
from volte.scorekeeper.telling.sheet import SheetTelling


def stakes_lines(language: Language, sheet: Sheet) -> Lines:
    """E: what everybody has won or lost, the pot, and who pays whom."""
    telling = SheetTelling(language, sheet)
    table, settlement = sheet.table, sheet.rules.stakes.settlement
    if settlement is Settlement.NONE:
        return (telling.t("Nothing is played for by these rules."),)
    if table.net is None:
        return (lots_wanted(language, sheet),)
    if settlement is not Settlement.POT and not table.over:
        return (telling.t("The stakes are settled when the match is over."),)
    lines = []
    if any(table.net):
        lines.append(telling.t("Stakes: {stakes}.", stakes=_signed(telling, table.net)))
    if settlement is Settlement.POT:
        lines.append(telling.t("In the pot: {stakes}.", stakes=amount(language, sheet, table.pot)))
    transfers = who_pays(sheet)
    lines += [_transfer(telling, transfer) for transfer in transfers]
    if not transfers:
        lines.append(telling.t("Nobody owes anything."))
    return tuple(lines)


def pot_lines(language: Language, sheet: Sheet) -> Lines:
    """After a deal that was paid for (M6): who paid and drew what, and what stays in the pot."""
    telling = SheetTelling(language, sheet)
    row = next((row for row in reversed(sheet.table.rows) if row.counts), None)
    if sheet.rules.stakes.settlement is not Settlement.POT or row is None or row.stakes is None:
        return ()
    stakes, pot = _signed(telling, row.stakes), amount(language, sheet, row.pot)
    return (telling.t("Stakes: {stakes}. In the pot: {pot}.", stakes=stakes, pot=pot),)


def amount(language: Language, sheet: Sheet, stakes: int) -> str:
    """Stakes, and what they are worth: "4 stakes (€1.00)"."""
    count = language.stakes(stakes)
    value = worth(sheet, stakes)
    if value is None:
        return count
    return language.t(
        "{stakes} ({money})", stakes=count, money=money(language, value, sheet.currency)
    )


def stake_sentence(language: Language, sheet: Sheet) -> str:
    """What one stake is worth; nothing where no money is played for."""
    value = worth(sheet, 1)
    if value is None:
        return ""
    return language.t("A stake is {money}.", money=money(language, value, sheet.currency))


def _signed(telling: SheetTelling, stakes: Sequence[int]) -> str:
    """What everybody has won or lost: "Anne +75; Bruno −25"."""
    return telling.series(
        f"{telling.who(seat)} {'+' * (count > 0)}{telling.language.number(count)}"
        for seat, count in enumerate(stakes)
    )


def _transfer(telling: SheetTelling, transfer: StakeTransfer) -> str:
    names = telling.sheet.names
    stakes = amount(telling.language, telling.sheet, transfer.stakes)
    if transfer.giver is None and transfer.taker is not None:
        taker = names[transfer.taker]
        return telling.t("{taker} takes {amount} out of the pot.", taker=taker, amount=stakes)
    assert transfer.giver is not None
    giver = names[transfer.giver]
    if transfer.taker is None:
        return telling.t("{giver} pays {amount} into the pot.", giver=giver, amount=stakes)
    message = N_("{giver} pays {amount} {taker:to}.")
    return telling.t(message, giver=giver, amount=stakes, taker=names[transfer.taker])


# Lots

_FOR: Final = {
    Purpose.DEALER: N_("Lots for the first dealer (D1), the lowest card deals: {names}."),
    Purpose.POT: N_("Lots are due for what cannot be shared of the pot (M6): {names}."),
    Purpose.MATCH: N_("Lots are due for what cannot be shared (M2, M5): {names}."),
}
_PROOFS: Final = {
    Verdict.PROVED: N_("Lots {number}: proved, drawn as sealed before."),
    Verdict.NUMBER_SKIPPED: N_("Lots {number}: not proved, the seal before them is missing."),
    Verdict.REVEAL_MISSING: N_("Lots {number}: not proved, their secret was never told."),
    Verdict.COMMITMENT_BROKEN: N_("Lots {number}: false! The secret is not the one sealed."),
    Verdict.PROMISE_BROKEN: N_("Lots {number}: false! A player's bytes are not those promised."),
    Verdict.ORDER_WRONG: N_("Lots {number}: false! These are not the lots that were drawn."),
    Verdict.LOT_WRONG: N_("Lots {number}: false! These are not the lots that were drawn."),
    None: N_("Lots {number}: sealed, and not drawn yet."),
}


def lots_for(language: Language, sheet: Sheet, due: LotsDue) -> str:
    """What lots are for, and who draws."""
    names = SheetTelling(language, sheet).names(due.seats)
    return language.t(_FOR[due.purpose], names=names)


def lots_wanted(language: Language, sheet: Sheet) -> str:
    """That lots are due for stakes, and what to type."""
    lots = lots_for(language, sheet, sheet.table.due[0])
    return " ".join((lots, language.t("Type “lots” to draw them.")))


def drawn_lines(language: Language, sheet: Sheet, drawn: Drawn) -> Lines:
    """The lots that were drawn, and what they decide."""
    telling = SheetTelling(language, sheet)
    lines = []
    for place, lots in enumerate(drawn.rounds):
        draws = telling.series(
            telling.t("{name}, {card:the}", name=telling.who(seat), card=card)
            for seat, card in lots
        )
        message = N_("A tie; they draw again: {draws}.") if place else N_("Lots: {draws}.")
        lines.append(telling.t(message, draws=draws))
    if drawn.purpose is Purpose.DEALER:
        message = N_("{name} has the lowest card, and deals first.")
        lines.append(telling.t(message, name=telling.who(drawn.order[-1])))
    elif sheet.rules.stakes.settlement is Settlement.AVERAGE:
        message = N_("The lots stand in this order: {players}.")
        lines.append(telling.t(message, players=telling.names(drawn.order)))
    else:
        message = N_("{player} draws the highest card, and receives what is left over.")
        lines.append(telling.t(message, player=telling.who(drawn.order[0])))
    return tuple(lines)


def proof_lines(language: Language, proofs: tuple[LotsProof, ...]) -> Lines:
    """Whether the lots were drawn as they were sealed."""
    if not proofs:
        return (language.t("No lots have been drawn by a seal: nothing can be proved."),)
    return tuple(language.t(_PROOFS[proof.verdict], number=proof.number) for proof in proofs)
