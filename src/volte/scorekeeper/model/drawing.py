"""The house's acts: chance enters a sheet here, and nowhere else."""

from __future__ import annotations

from volte.fair import House
from volte.rules import LOTS, draws_left
from volte.rules import Draw as Round
from volte.scorekeeper.model.acts import Act, Draw, Reveal, Seal
from volte.scorekeeper.model.decide import decide
from volte.scorekeeper.model.evolve import evolve
from volte.scorekeeper.model.fault import SheetFault
from volte.scorekeeper.model.lots import digest_before, given_to, lots_due, open_seal
from volte.scorekeeper.model.sheet import Sheet


def seal(sheet: Sheet, house: House) -> Seal:
    """What the house publishes before lots are drawn."""
    number = len(sheet.seals) + 1
    return Seal(number, house.commitment(number, (), digest_before(sheet, number)).digest)


def draw(sheet: Sheet, house: House) -> Draw:
    """The lots that are due first, by the open seal; each round from a full pack."""
    sealed, due = open_seal(sheet), lots_due(sheet)[0]
    assert sealed is not None
    given = given_to(sealed)
    rounds: list[Round] = []
    while left := draws_left(due.seats, due.wanted, rounds):
        order = house.lot(sealed.number, len(rounds) + 1, given, len(LOTS))
        rounds.append(tuple((seat, LOTS[order[place]]) for place, seat in enumerate(left)))
    return Draw(tuple(rounds), sealed.number)


def reveal(sheet: Sheet, house: House) -> Reveal:
    """The secret of the last seal."""
    number = len(sheet.seals)
    return Reveal(number, house.secret(number))


def next_act(sheet: Sheet, house: House) -> Act | None:
    """What the house does now, so that the lots that are due come about; None for nothing."""
    if sheet.seals and sheet.seals[-1].purpose is not None and not sheet.seals[-1].secret:
        return reveal(sheet, house)
    if not lots_due(sheet):
        return None
    return draw(sheet, house) if open_seal(sheet) else seal(sheet, house)


def draw_all(sheet: Sheet, house: House) -> tuple[Act, ...]:
    """What the house has still to do for the lots that are due first, one act after the other."""
    acts: list[Act] = []
    while (act := next_act(sheet, house)) is not None:
        acts.append(act)
        if isinstance(act, Reveal):
            break
        entries = decide(sheet, act)
        assert not isinstance(entries, SheetFault)
        sheet = evolve(sheet, entries[0])
    return tuple(acts)
