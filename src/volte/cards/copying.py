"""Base classes that decide how objects are copied and pickled."""

from __future__ import annotations

from copy import deepcopy
from typing import NoReturn, Self

from volte.cards.fault import VolteError


class CopiedWhole:
    """A mutable object that shares nothing with its copies: `copy` makes a deep copy."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return deepcopy(self)


class Unchanging:
    """An immutable object: its copy is the object itself.

    A pickle holds the fields that it was made of, without values that it has worked out and cached.
    """

    __slots__ = ()
    # Names of the fields that it is made of, in order; every dataclass has them
    __match_args__: tuple[str, ...]

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class NeverCopied:
    """An object with a resource that cannot be shared, such as an open file or a connection.

    Copying or pickling it raises `VolteError` `never_copied`.
    """

    def __reduce__(self) -> NoReturn:
        raise VolteError("never_copied", kind=type(self).__name__)
