"""Filling in a form on a page of ours with the texts that were sent from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from itertools import accumulate
from typing import Final

from volte.forms.fields import SHOWN
from volte.say import N_

TOKEN: Final = "csrf"
"""The hidden field of every form that says for whom it was made."""

SECRETS: Final = {
    "password": N_("Password"),
    "present": N_("Your current password"),
    "code": N_("Recovery code"),
}
"""Fields that are never sent back, with their names for people."""

STAYING: Final = frozenset(("version", "nonce", "filled", SHOWN))
"""Hidden fields that record what the form had shown, and so stay as they were sent."""

Sent = Mapping[str, Sequence[str]]  # the texts sent, by field


def refilled(page: str, action: str, sent: Sent | None) -> str | None:
    """Fill in the form of a page that is sent to `action`; None if the page has no such form.

    Args:
        action: the address, as the form has it.
        sent: None to leave the form as it is.
    """
    reader = _Forms(page)
    reader.feed(page)
    reader.close()
    found = [form for form in reader.forms if form.action == action]
    if len(found) > 1 and sent is not None:  # as in a list, with a form for each line
        found = [form for form in found if form.says(sent)]
    if not found:
        return None
    if sent is None:
        return page
    edits = found[0].edits(sent)
    for start, end, text in sorted(edits, reverse=True):
        page = page[:start] + text + page[end:]
    return page


@dataclass
class _Control:
    """A control or an option, and the place of its tag in the page."""

    tag: str
    name: str
    attributes: dict[str, str | None]
    start: int
    end: int
    until: int = 0  # of a text area, the end of its text
    place: int = 0  # number among the controls with its tag and name

    @property
    def kind(self) -> str:
        return self.attributes.get("type") or "text" if self.tag == "input" else self.tag

    def written(self, **changes: str | None) -> str:
        """The tag with changed attributes; None removes one."""
        kept = {name: value for name, value in self.attributes.items() if name not in changes}
        given = {name: value for name, value in changes.items() if value is not None}
        text = "".join(
            f" {name}" if value is None else f' {name}="{escape(value)}"'
            for name, value in (kept | given).items()
        )
        return f"<{self.tag}{text}>"

    def filled(self, sent: Sent) -> Iterable[tuple[int, int, str]]:
        """Edits of the page that give the control the text sent: start, end, new text."""
        texts = sent.get(self.name, ())
        text = texts[self.place] if self.place < len(texts) else None
        value = self.attributes.get("value") or ""
        match self.kind:
            case "checkbox":
                yield self.start, self.end, self._marked("checked", value in texts)
            case "radio" if texts:
                yield self.start, self.end, self._marked("checked", value in texts)
            case "option" if text is not None:
                yield self.start, self.end, self._marked("selected", value == text)
            case "textarea" if text is not None:
                yield self.end, self.until, "\n" + escape(text)
            case (
                "checkbox"
                | "radio"
                | "option"
                | "textarea"
                | "select"
                | "button"
                | "submit"
                | "file"
            ):
                pass
            case _ if text is not None:
                yield self.start, self.end, self.written(value=text)

    def _marked(self, name: str, marked: bool) -> str:
        return self.written(**{name: "" if marked else None})


@dataclass
class _Form:
    action: str
    start: int  # where its first control may stand
    controls: list[_Control] = field(default_factory=list)

    def says(self, sent: Sent) -> bool:
        """Whether this is the form that was sent, of several with the same address."""
        fixed = [each for each in self.controls if each.kind == "hidden"]
        return all(
            [each.attributes.get("value")] == list(sent.get(each.name, ()))
            for each in fixed
            if each.name not in STAYING and each.name != TOKEN
        )

    def edits(self, sent: Sent) -> Iterable[tuple[int, int, str]]:
        for each in self.controls:
            if each.name != TOKEN and each.name not in SECRETS and each.kind != "password":
                yield from each.filled(sent)
        known = {each.name for each in self.controls} | SECRETS.keys() | {TOKEN}
        others = ((name, text) for name in sent if name not in known for text in sent[name])
        yield self.start, self.start, "".join(map(hidden, others))


def hidden(pair: tuple[str, str]) -> str:
    """A hidden field of that name, with that text."""
    name, text = map(escape, pair)
    return f'<input type="hidden" name="{name}" value="{text}">'


class _Forms(HTMLParser):
    """Finds the forms of a page, and their controls."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.forms: list[_Form] = []
        self._lines = [0, *accumulate(len(line) + 1 for line in page.split("\n"))]
        self._inside: _Form | None = None
        self._select = ""
        self._area: _Control | None = None
        self._counts: dict[tuple[str, str], int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start, attributes = self._at(), dict(attrs)
        end = start + len(self.get_starttag_text() or "")
        if tag == "form":
            self._inside = _Form(attributes.get("action") or "", end)
            self._counts = {}
            if attributes.get("method") == "post":
                self.forms.append(self._inside)
        if self._inside is None or tag not in ("input", "select", "option", "textarea", "button"):
            return
        name = self._select if tag == "option" else attributes.get("name") or ""
        if not name:
            return
        control = _Control(tag, name, attributes, start, end)
        count = self._counts.get((tag, name), -1)
        if tag == "option":
            control.place = self._counts.get(("select", name), 0)
        else:
            control.place = self._counts[tag, name] = count + 1
        self._inside.controls.append(control)
        if tag == "select":
            self._select = name
        if tag == "textarea":
            self._area = control

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = None
        if tag == "textarea" and self._area is not None:
            self._area.until, self._area = self._at(), None

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column
