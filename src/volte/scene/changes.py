"""Changes from one scene to the next, for a page that has the scene before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any


def change(before: Any, after: Any) -> Any:
    """The change that makes a value of plain data another one.

    - An object, of a scene and of what is in it: the changes of its fields.
    - A list that goes on with as many objects: an object, from place to change.
    - Any other list: [place, number of items that go, items that come].
    - Anything else: the new value.
    """
    if isinstance(after, dict):
        return _change_of_fields(before if isinstance(before, dict) else {}, after)
    if isinstance(after, list | tuple):
        return _change_of_list(before if isinstance(before, list | tuple) else (), after)
    return after


def _change_of_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: change(before.get(name), value)
        for name, value in after.items()
        if name not in before or before[name] != value
    }


def _change_of_list(before: Sequence[Any], after: Sequence[Any]) -> Any:
    objects = all(isinstance(item, dict) for item in (*before, *after))
    if before and len(before) == len(after) and objects:
        pairs = enumerate(zip(before, after, strict=True))
        return {str(place): change(*pair) for place, pair in pairs if pair[0] != pair[1]}
    start = _alike(zip(before, after, strict=False))
    end = _alike(zip(before[start:][::-1], after[start:][::-1], strict=False))
    return [start, len(before) - start - end, after[start : len(after) - end]]


def _alike(pairs: Iterable[tuple[Any, Any]]) -> int:
    """Number of pairs at the beginning whose items are equal."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
