"""What comes of an object when it is copied or pickled."""

from __future__ import annotations

from copy import deepcopy
from typing import NoReturn, Self

from volte.cards.fault import VolteError


class CopiedWhole:
    """An object that changes, and shares nothing with its copies: `copy` copies it whole."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return deepcopy(self)


class Unchanging:
    """An object that never changes, so that it need not be copied.

    It is pickled as what it was made of, without anything that it has worked out and kept.
    """

    __slots__ = ()
    # The names of what it is made of, in order, as every dataclass has them
    __match_args__: tuple[str, ...]

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class NeverCopied:
    """An object that holds what only one can hold, such as an open file or a connection.

    Raises `VolteError` `never_copied` where somebody copies or pickles it.
    """

    def __reduce__(self) -> NoReturn:
        raise VolteError("never_copied", kind=type(self).__name__)
