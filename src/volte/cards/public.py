"""Wrong arguments: public functions name the argument and the wanted type in a sentence.

Arguments are checked once a call has failed, so that correct calls cost nothing; those of
`__init__` are also checked, on the surface, after a call that went well.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, wraps
from inspect import Signature, isclass, isfunction, isgeneratorfunction, signature
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from volte.cards.fault import VolteError, WrongType, shown

MADE: Final = ("__init__", "__new__", "__call__")
"""Special methods that are wrapped too, since programs call them indirectly."""

_KINDS: Final[Mapping[Any, Any]] = {int: Integral, float: Real, bool: bool}
"""Classes by which numbers are checked: NumPy's numbers count as instances of the first two."""

_WATCHED: Final[set[type[Any]]] = set()


def in_sentences(package: str, but: Iterable[str] = ()) -> None:
    """Make the public functions and classes of a package answer wrong arguments with `WrongType`.

    Args:
        package: its name; the call is the last statement of its `__init__`.
        but: functions and methods, `mask_of` or `View.see`, that are called too often to be
            wrapped: they raise `WrongType` themselves, or never need to.
    """
    module = sys.modules[package]
    for name in getattr(module, "__all__", [*vars(module)]):
        found = getattr(module, name)
        if not getattr(found, "__module__", "").startswith(package):
            continue  # of a room below, which wraps its own
        if isclass(found):
            for kind in found.__mro__:
                if kind.__module__.startswith("volte"):
                    _watch(kind, but)
        elif isfunction(found) and name not in but:
            watched = answering(found)
            watched.__module__ = package  # pickle finds the function by this name
            setattr(module, name, watched)


def _watch(kind: type[Any], but: Iterable[str]) -> None:
    """Wrap the public methods of a class; an enumeration names its values where one is unknown."""
    if kind in _WATCHED:
        return
    _WATCHED.add(kind)
    if issubclass(kind, Enum):
        kind._missing_ = classmethod(_no_member)  # type: ignore[assignment, method-assign]
    if issubclass(kind, Enum | BaseException) or getattr(kind, "_is_protocol", False):
        return
    for name, member in [*vars(kind).items()]:
        function = getattr(member, "__func__", member)  # of a class or static method
        if not isfunction(function) or (name[0] == "_" and name not in MADE):
            continue
        if f"{kind.__name__}.{name}" in but or len(hints_of(function)[0].parameters) < 2:
            continue
        watched: Any = answering(function, at_once=name == "__init__")
        setattr(kind, name, watched if function is member else type(member)(watched))


def _no_member(kind: type[Enum], value: object) -> object:
    values = tuple(str(each.value) for each in kind)
    raise VolteError("no_such_value", option=kind.__name__, value=shown(value), values=values)


def answering(function: Callable[..., Any], *, at_once: bool = False) -> Callable[..., Any]:
    """Wrap a function: it raises `WrongType` if it fails and an argument has the wrong type.

    Args:
        at_once: whether arguments are also checked after a success, but not their items and fields.
    """
    if isgeneratorfunction(function):

        @wraps(function)
        def answer(*args: Any, **named: Any) -> Any:
            try:
                return (yield from function(*args, **named))
            except Exception as error:
                explain(error, function, *args, **named)
                raise

    else:

        @wraps(function)
        def answer(*args: Any, **named: Any) -> Any:
            try:
                made = function(*args, **named)
            except Exception as error:
                explain(error, function, *args, **named)
                raise
            if at_once:
                _check(function, args, named, deep=False)
            return made

    return answer


def explain(error: Exception, function: Callable[..., Any], /, *args: Any, **named: Any) -> None:
    """Raise `WrongType` in place of `error` if an argument of the call has the wrong type."""
    if isinstance(error, WrongType) or not isinstance(error, VolteError):
        _check(function, args, named)


def _check(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    named: dict[str, Any],
    *,
    deep: bool = True,
) -> None:
    """Raise `WrongType` for the first argument that does not fit; calls that do not bind pass."""
    called, hints = hints_of(function)
    try:
        bound = called.bind(*args, **named)
    except TypeError:
        return
    for name, value in bound.arguments.items():
        parameter, hint = called.parameters[name], hints[name]
        each = (value,)
        if parameter.kind is parameter.VAR_POSITIONAL:
            each = value
        elif parameter.kind is parameter.VAR_KEYWORD:
            each = tuple(value.values())
        for one in each:
            for place, wanted, given in misfits(one, hint, deep):
                if not place and not _is_alias(parameter.annotation, hint):
                    wanted = parameter.annotation
                raise WrongType.of(place or name, wanted, given) from None


def _is_alias(annotation: object, hint: object) -> bool:
    """Whether an annotation is one name for a union of types."""
    several = get_origin(hint) in (Union, UnionType)
    return several and str(annotation).removesuffix(" | None").isidentifier()


@cache
def hints_of(function: Callable[..., Any]) -> tuple[Signature, dict[str, Any]]:
    """The signature of a function, and the type of each parameter by name."""
    called = signature(function)
    names = function.__globals__
    return called, {
        name: Any if each.annotation is each.empty else _meant(each.annotation, names)
        for name, each in called.parameters.items()
    }


def _meant(hint: Any, names: dict[str, Any]) -> Any:
    """The type that an annotation names; `Any` where only type checkers know it."""
    try:
        return eval(hint, names) if isinstance(hint, str) else hint
    except NameError:
        return Any


def misfits(value: Any, hint: Any, deep: bool = True) -> Iterator[tuple[str, Any, Any]]:
    """Yield the places where a value has a wrong type: place, wanted type, value given.

    A place is a field such as `Play.card`, or empty where it is the value itself.

    Args:
        deep: whether fields and items are looked at as well.
    """
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind is Annotated:
        yield from misfits(value, parts[0], deep)
    elif kind in (Union, UnionType):
        found = [[*misfits(value, part, deep)] for part in parts]
        if all(found):
            # A type that fits but for one of its fields: naming the field says more
            inner = [each for each in found if each[0][0]]
            yield inner[0][0] if inner else ("", hint, value)
    elif kind is Literal:
        if value not in parts:
            yield "", hint, value
    elif kind in (None, NoneType):
        if value is not None:
            yield "", hint, value
    elif kind in _KINDS:
        numpy = kind is bool and type(value).__name__ in ("bool", "bool_")
        if not isinstance(value, _KINDS[kind]) and not numpy:
            yield "", hint, value
    elif getattr(kind, "_is_protocol", False):
        if not all(hasattr(value, name) for name in vars(kind) if name[0] != "_"):
            yield "", hint, value
    elif isclass(kind) and kind is not Any and kind.__module__ != "typing":  # `BinaryIO` is a name
        if not isinstance(value, kind) or getattr(value, "ndim", 1) == 0:  # NumPy's are iterable
            yield "", hint, value
        elif deep:
            yield from _within(value, kind, parts, hint)


def check_fields(made: object) -> None:
    """Raise `WrongType` for the first field of an object that has another type than is declared."""
    for place, wanted, given in _within(made, type(made), (), None):
        raise WrongType.of(place, wanted, given)


def _within(value: Any, kind: type[Any], parts: tuple[Any, ...], hint: Any) -> Iterator[Any]:
    """Misfits among the items of a collection, or the fields of an object."""
    fields = getattr(kind, "__struct_fields__", ())
    if is_dataclass(kind):
        fields = getattr(kind, "__match_args__", ())
    if fields:
        hints = _fields(cast("Hashable", kind))
        for name in fields:
            if name in hints:
                for place, wanted, given in misfits(getattr(value, name), hints[name]):
                    yield place or f"{kind.__name__}.{name}", wanted, given
    elif isinstance(value, Mapping) and len(parts) == 2:
        for item in value.items():
            for one, part in zip(item, parts, strict=True):
                yield from _item(one, part, value, hint)
    elif isinstance(value, tuple) and parts and parts[-1] is not Ellipsis:
        if len(value) != len(parts):
            yield "", hint, value
        else:
            for one, part in zip(value, parts, strict=True):
                yield from _item(one, part, value, hint)
    elif parts and isinstance(value, str | bytes | bytearray):
        if parts[0] is not type(value[:1]):
            yield "", hint, value  # letters and bytes are no items
    elif parts and isinstance(value, Collection):
        for one in value:
            yield from _item(one, parts[0], value, hint)


def _item(one: Any, part: Any, value: Any, hint: Any) -> Iterator[Any]:
    for place, _, _ in misfits(one, part):
        yield place, hint, value


@cache
def _fields(kind: Any) -> Mapping[str, Any]:
    try:
        return get_type_hints(kind, include_extras=True)
    except NameError:
        return {}
