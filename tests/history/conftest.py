"""Fixtures of live tables and stores."""

from kit.live import lobby as lobby
from kit.live import open_lobby as open_lobby
from kit.stores import other as other
from kit.stores import store as store
from kit.stores import template as template
