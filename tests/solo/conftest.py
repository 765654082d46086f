"""Fixtures of rooms."""

from kit.solo import room_over as room_over
