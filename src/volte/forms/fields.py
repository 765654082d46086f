"""Fields of forms, declared once: reading and writing their values.

A form stays as it was typed, so that it comes back whole where something is wrong in it, with a
sentence at the field. It carries the texts that it showed: only what was changed in it is applied
to what is stored by then, and what others have changed as well is asked about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

import msgspec

from volte.cards import VolteError
from volte.game import Refusal
from volte.say import N_, Words
from volte.say.texts import table

CHOICE: Final = N_("Please choose one of the answers offered.")
RANGE: Final = N_("Please enter a whole number from {least} to {most}.")
LETTER: Final = N_("Please type a single character, not a digit.")

WHOLE: Final = re.compile(r"[-−+]?[0-9]{1,9}")
"""A whole number, as it may be typed."""

SHOWN: Final = "shown"
"""The hidden field with the texts that a form showed, as JSON."""

_FAULTS: Final = table("forms")["faults"]
"""Sentences in place of those that name an option as it is typed on a command line."""


class Denied(Exception):
    """A refusal that does not come from the table, such as that of a server's limits."""

    status_code: int  # of the response
    reason: str  # a short name, the key of the sentence in `volte.say.faults`
    params: Mapping[str, object]  # values that the sentence names
    headers: Mapping[str, str] | None  # of the response


class NotTaken(Exception):
    """A form that cannot be accepted as it was sent, and is shown again."""

    status = 422
    headers: Mapping[str, str] = {}  # of the response

    def told_at(
        self, words: Words, meanings: Mapping[str, Mapping[str, str]] | None = None
    ) -> dict[str, str]:
        """The fault of each field, as a sentence.

        Args:
            meanings: by field, the names of a choice's values.
        """
        raise NotImplementedError


class Wrong(NotTaken):
    """Something wrong in one field.

    Args:
        why: a fault, a refusal of the table or of the server, or a sentence of the form itself.
    """

    def __init__(
        self, field: str, why: VolteError | Refusal | Denied | str, **params: object
    ) -> None:
        super().__init__(field)
        self.field = field
        self.why = why
        self.params = params
        self.others: tuple[Wrong, ...] = ()  # faults of other fields
        if isinstance(why, Denied):
            self.status, self.headers = why.status_code, why.headers or {}
        elif isinstance(why, Refusal):
            self.status = 409

    def told(self, words: Words) -> str:
        match self.why:
            case str():
                return words.t(self.why, **self.params)
            case Refusal():
                return words.refusal(self.why)
            case Denied():
                return words.why(self.why.reason, **self.why.params)
            case _ if self.why.reason in _FAULTS:
                return words.t(_FAULTS[self.why.reason], **self.why.params)
        return words.fault(self.why)

    def told_at(
        self, words: Words, meanings: Mapping[str, Mapping[str, str]] | None = None
    ) -> dict[str, str]:
        return {each.field: each.told(words) for each in (self, *self.others)}


class Overtaken(Wrong):
    """Something else that was done meanwhile, so that the form is not done."""

    status = 409


class Clash(NotTaken):
    """Fields that somebody else has meanwhile changed in another way than the form does.

    Args:
        theirs: by field, the text that stands there now.
        fields: the texts to show again: what was typed, over what is stored.
        stored: the texts that stand there now.
    """

    status = 409

    def __init__(
        self, theirs: Mapping[str, str], fields: Mapping[str, str], stored: Mapping[str, str]
    ) -> None:
        super().__init__(*theirs)
        self.theirs = theirs
        self.fields = fields
        self.stored = stored

    def told_at(
        self, words: Words, meanings: Mapping[str, Mapping[str, str]] | None = None
    ) -> dict[str, str]:

        switch = {"": words.t("no"), "on": words.t("yes")}
        empty = {"": words.t("(empty)")}

        def called(name: str, text: str) -> str:
            both = {self.theirs[name], self.fields[name]}
            plain = switch if both == switch.keys() else empty
            return (meanings or {}).get(name, plain).get(text, text)

        sentence = N_(
            "Meanwhile this was changed to “{theirs}”. Send the form once more to keep “{yours}”."
        )
        return {
            name: words.t(
                sentence, theirs=called(name, text), yours=called(name, self.fields[name])
            )
            for name, text in self.theirs.items()
        }


# Kinds of fields


@dataclass(frozen=True)
class Field:
    """A text, or the value that `meant` makes of it; `meant` may raise `VolteError` or `Wrong`."""

    name: str
    usual: Any = ""  # the default
    meant: Callable[[str], Any] = str.strip
    written: Callable[[Any], str] = str
    secret: bool = False  # never sent back
    compared: bool = True  # with the stored text, which somebody else may have changed

    def read(self, typed: str) -> Any:
        """The value that the text means. Raises `Wrong`."""
        try:
            return self.meant(typed)
        except VolteError as fault:
            raise Wrong(self.name, fault) from None

    def shown(self, value: Any) -> str:
        """The text that means the value."""
        return self.written(value)

    def sent(self, form: Any) -> str:
        """The text of the field in a form that a browser has sent."""
        return str(form[self.name])


@dataclass(frozen=True)
class Choice(Field):
    """One of a few values; of an enumeration, its member."""

    values: Sequence[str] = ()

    def read(self, typed: str) -> Any:
        value = self.meant(typed)
        if value not in self.values:
            raise Wrong(self.name, CHOICE)
        return self.values[self.values.index(value)]


@dataclass(frozen=True)
class Several(Choice):
    """Values of controls with the same name; the text has a space between two of them."""

    def read(self, typed: str) -> list[Any]:
        return [super(Several, self).read(value) for value in typed.split()]

    def shown(self, value: Iterable[Any]) -> str:
        return " ".join(map(str, value))

    def sent(self, form: Any) -> str:
        return self.shown(form.getlist(self.name))


@dataclass(frozen=True)
class Switch(Field):
    """A box to check: on or off."""

    usual: bool = False

    def read(self, typed: str) -> bool:
        return bool(typed)

    def shown(self, value: bool) -> str:
        return "on" if value else ""


@dataclass(frozen=True)
class Amount(Field):
    """A whole number within bounds; the value is that number times `unit`."""

    usual: int | None = 0
    least: int = 0
    most: int = 0
    unit: int = 1
    optional: bool = False  # whether it may be left empty, for None

    def read(self, typed: str) -> int | None:
        text = typed.strip().replace("−", "-")
        if self.optional and not text:
            return None
        if not WHOLE.fullmatch(text) or not self.least <= int(text) <= self.most:
            raise Wrong(self.name, RANGE, least=signed(self.least), most=signed(self.most))
        return self.unit * int(text)

    def shown(self, value: int | None) -> str:
        return "" if value is None else str(value // self.unit)


@dataclass(frozen=True)
class Letter(Field):
    """A key of the keyboard."""

    def read(self, typed: str) -> str:
        text = typed.strip().lower()
        if len(text) != 1 or not text.isprintable() or text.isdecimal():
            raise Wrong(self.name, LETTER)
        return text

    def shown(self, value: str) -> str:
        return value.upper()


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return str(number).replace("-", "−")


def listed(text: str) -> list[str]:
    """The parts of a list with commas between them; without commas, its words."""
    parts = re.split(r"[,;]", text) if re.search(r"[,;]", text) else text.split()
    return [part.strip() for part in parts if part.strip()]


def declared(*fields: Field) -> dict[str, Field]:
    return {each.name: each for each in fields}


# Forms


@dataclass(frozen=True)
class FilledForm:
    """A form as a browser shows it: its fields, their texts, and the texts shown at first."""

    kinds: Mapping[str, Field]
    fields: Mapping[str, str]  # the texts by field
    shown: Mapping[str, str] = field(default_factory=dict)
    """The texts that the form showed at first; empty where it does not say."""

    @classmethod
    def of(cls, kinds: Mapping[str, Field], values: Mapping[str, Any]) -> Self:
        """The form that shows those values."""
        texts = {name: each.shown(values.get(name, each.usual)) for name, each in kinds.items()}
        shown = {name: texts[name] for name, each in kinds.items() if each.compared}
        return cls(kinds, texts, shown)

    @classmethod
    def typed(cls, kinds: Mapping[str, Field], sent: Any) -> Self:
        """The form that somebody has sent. Browsers do not send a box that is not checked; any
        other field can only be missing because the form is older than the field."""
        shown = {name: text for name, text in read_shown(sent).items() if name in kinds}
        unchecked = {
            name: ""
            for name, each in kinds.items()
            if isinstance(each, Switch) and (name in shown or not shown)
        }
        there = {name: each.sent(sent) for name, each in kinds.items() if name in sent}
        return cls(kinds, unchecked | there, shown)

    def __getitem__(self, name: str) -> str:
        """The text of a field; empty where it was not sent."""
        return self.fields.get(name, "")

    @property
    def texts(self) -> dict[str, str]:
        """The texts to show in the form, by field."""
        return {name: "" if each.secret else self[name] for name, each in self.kinds.items()}

    def read(
        self,
        check: Callable[[Mapping[str, Any]], Iterable[Wrong]] = lambda values: (),
        names: Iterable[str] | None = None,
    ) -> dict[str, Any]:
        """The value of each field. Raises `Wrong`.

        Args:
            check: finds faults that lie in several values together; gets those that could be read.
            names: the fields to read; None for all.
        """
        values, wrong = dict[str, Any](), list[Wrong]()
        for name in self.kinds if names is None else names:
            try:
                values[name] = self.kinds[name].read(self[name])
            except Wrong as found:
                wrong.append(found)
        wrong += check(values)
        if wrong:
            wrong[0].others = tuple(wrong[1:])
            raise wrong[0]
        return values

    def upon(self, values: Mapping[str, Any]) -> Self:
        """Form with the stored values, and over them what was changed in it. Raises `Clash`."""
        stored = self.of(self.kinds, values).shown
        return replace(self, fields=applied(self.fields, self.shown, stored), shown=stored)

    @property
    def carried(self) -> str:
        """The value of the hidden field `SHOWN`."""
        return json.dumps(dict(self.shown), ensure_ascii=False, separators=(",", ":"))

    def again(self, problem: NotTaken | None) -> Self:
        """Form to show again; after a clash, with the texts that are stored by now."""
        if isinstance(problem, Clash):
            return replace(self, fields=problem.fields, shown=problem.stored)
        return self


def applied(
    typed: Mapping[str, str], shown: Mapping[str, str], stored: Mapping[str, str]
) -> dict[str, str]:
    """Put the texts that were changed in a form, against what it showed, over the stored ones.

    >>> applied({"a": "1", "b": "2"}, {"a": "1", "b": "1"}, {"a": "9", "b": "1"})
    {'a': '9', 'b': '2'}

    Raises `Clash` where both are changed, and differ.
    """
    changed = {
        name: text
        for name, text in typed.items()
        if name not in shown or _plain(text) != _plain(shown[name])
    }
    theirs = {
        name: stored[name]
        for name, text in changed.items()
        if name in shown and _plain(shown[name]) != _plain(stored[name]) != _plain(text)
    }
    after = {**stored, **changed}
    if theirs:
        raise Clash(theirs, after, stored)
    return after


def _plain(text: str) -> str:
    """Text for comparison: browsers end lines in their own way."""
    return text.replace("\r\n", "\n").strip()


def read_shown(sent: Any) -> dict[str, str]:
    """The texts that a form showed, from its hidden field; none if that cannot be read."""
    try:
        return msgspec.json.decode(str(sent.get(SHOWN, "{}")), type=dict[str, str])
    except (msgspec.DecodeError, UnicodeError):
        return {}
