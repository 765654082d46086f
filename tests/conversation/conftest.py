"""Fixtures of conversations."""

from kit.live import open_lobby as open_lobby
from kit.neighbours import near as near
