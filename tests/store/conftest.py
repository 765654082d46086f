"""Fixtures of stores."""

from kit.stores import other as other
from kit.stores import store as store
