"""Matches as text: records are read, written, checked, proved, and saved while a match is played.

The notation is explained in docs/records.md. It is the same with and without a referee.
"""

from volte.cards.public import in_sentences
from volte.notation.grammar import FORMS
from volte.notation.prove import CardsDiffer, DealProof, compare_cards, prove_record
from volte.notation.reader import load_record, parse_record
from volte.notation.record import Record, RecordFault
from volte.notation.writer import Recorder, RecordWriter, format_record

__all__ = [
    "FORMS",
    "CardsDiffer",
    "DealProof",
    "Record",
    "RecordFault",
    "RecordWriter",
    "Recorder",
    "compare_cards",
    "format_record",
    "load_record",
    "parse_record",
    "prove_record",
]

in_sentences(__name__)
