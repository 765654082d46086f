"""The score-keeper for real cards: a sheet that knows the rules, and can be shown to be right."""

from volte.scorekeeper.model.acts import (
    Accept,
    Act,
    Amend,
    Correct,
    Draw,
    Enter,
    NameDealer,
    Open,
    Reopen,
    Reveal,
    Seal,
    Share,
    Undo,
)
from volte.scorekeeper.model.codec import (
    Header,
    decode_act,
    decode_entry,
    decode_header,
    encode_act,
    encode_entry,
    encode_header,
)
from volte.scorekeeper.model.counting import everything
from volte.scorekeeper.model.decide import decide, judged, trial
from volte.scorekeeper.model.drawing import draw, draw_all, next_act, reveal, seal
from volte.scorekeeper.model.entries import (
    Accepted,
    Amended,
    Corrected,
    DealerNamed,
    Drawn,
    Entered,
    Entry,
    Opened,
    Purpose,
    Reopened,
    Revealed,
    Sealed,
    Shared,
    Undone,
)
from volte.scorekeeper.model.evolve import evolve, fold
from volte.scorekeeper.model.export import to_csv, to_json
from volte.scorekeeper.model.fault import SheetFault
from volte.scorekeeper.model.file import Recovered, SheetFile, read_sheet
from volte.scorekeeper.model.head import names_typed
from volte.scorekeeper.model.lots import LotsProof, lots_due, open_seal, prove
from volte.scorekeeper.model.pack import Asked, CardDue, asked
from volte.scorekeeper.model.paying import Transfer, next_match, payments, who_pays, worth
from volte.scorekeeper.model.record_read import is_sheet, load_sheet, parse_sheet
from volte.scorekeeper.model.record_write import to_record
from volte.scorekeeper.model.sheet import (
    Coming,
    Correction,
    Line,
    SealState,
    Sheet,
    Standing,
    Summary,
    coming,
    standings,
    summary,
    too_late,
)
from volte.scorekeeper.model.shelf import Listed, SheetShelf
from volte.scorekeeper.model.table import LotsDue, Row, RowKind, Table, rows_of_match
from volte.scorekeeper.model.told import Counted, Misdealt, Stopped, Taken, Told, Took


def rows_of(sheet: Sheet) -> Table:
    """The score sheet as it is shown."""
    return sheet.table


__all__ = [
    "Accept",
    "Accepted",
    "Act",
    "Amend",
    "Amended",
    "Asked",
    "CardDue",
    "Coming",
    "Correct",
    "Corrected",
    "Correction",
    "Counted",
    "DealerNamed",
    "Draw",
    "Drawn",
    "Enter",
    "Entered",
    "Entry",
    "Header",
    "Line",
    "Listed",
    "LotsDue",
    "LotsProof",
    "Misdealt",
    "NameDealer",
    "Open",
    "Opened",
    "Purpose",
    "Recovered",
    "Reopen",
    "Reopened",
    "Reveal",
    "Revealed",
    "Row",
    "RowKind",
    "Seal",
    "SealState",
    "Sealed",
    "Share",
    "Shared",
    "Sheet",
    "SheetFault",
    "SheetFile",
    "SheetShelf",
    "Standing",
    "Stopped",
    "Summary",
    "Table",
    "Taken",
    "Told",
    "Took",
    "Transfer",
    "Undo",
    "Undone",
    "asked",
    "coming",
    "decide",
    "decode_act",
    "decode_entry",
    "decode_header",
    "draw",
    "draw_all",
    "encode_act",
    "encode_entry",
    "encode_header",
    "everything",
    "evolve",
    "fold",
    "is_sheet",
    "judged",
    "load_sheet",
    "lots_due",
    "names_typed",
    "next_act",
    "next_match",
    "open_seal",
    "parse_sheet",
    "payments",
    "prove",
    "read_sheet",
    "reveal",
    "rows_of",
    "rows_of_match",
    "seal",
    "standings",
    "summary",
    "to_csv",
    "to_json",
    "to_record",
    "too_late",
    "trial",
    "who_pays",
    "worth",
]
