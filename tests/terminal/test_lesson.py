"""`volte learn`: taken from end to end, by the quick, the stubborn and those who leave."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import permutations

import pytest

from terminal.people import Answer, Keyboard, Script
from volte.cards import QUEEN, Card, Suit
from volte.cli import volte
from volte.terminal.command import run
from volte.terminal.console import Console, Left
from volte.terminal.lesson import Lesson
from volte.terminal.symbols import words_for
from volte.words import Words, lesson
from volte.words.lesson import STEPS, TAUGHT, Scene, Turn

LANGUAGES = pytest.mark.parametrize("lang", ["fr", "en"])

ALOUD = 150
"""Words a minute, read aloud."""

ANSWERS = 15
"""Answers a minute."""
