"""Fixtures of live tables."""

from kit.live import lobby as lobby
from kit.live import open_lobby as open_lobby
