"""Fixtures of live tables, and of stores."""

from kit.live import lobby as lobby
from kit.live import open_lobby as open_lobby
from kit.stores import other as other
from kit.stores import store as store
