"""What people, tables and clubs may be called, and which names look alike."""

from volte.names.cleaning import LONGEST_NAME, NameFault, clean_name, clean_text, on_one_line
from volte.names.likeness import looks, told_apart

__all__ = [
    "LONGEST_NAME",
    "NameFault",
    "clean_name",
    "clean_text",
    "looks",
    "on_one_line",
    "told_apart",
]
