"""Forms about accounts: a few fields, what they are for, and what is wrong with what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from starlette.responses import Response

from volte.names import LONGEST_NAME
from volte.people.account_passwords import LEAST, LONGEST_LOGIN, SHORTEST_LOGIN, AccountFault
from volte.say import N_, Words
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit

SECRET: Final = "password"
"""The kind of a field that is never sent back."""


class Asked(msgspec.Struct, frozen=True):
    """A field of a form.

    Attributes:
        help: may be empty.
        kind: as in HTML.
        autocomplete: what a browser or a keeper of passwords may fill in.
    """

    name: str
    label: str
    help: str = ""
    kind: str = "text"
    autocomplete: str = "off"


class Form(msgspec.Struct, frozen=True):
    """A page with one form.

    Attributes:
        template: extends `account_form.html`.
    """

    heading: str
    button: str
    fields: tuple[Asked, ...]
    about: tuple[str, ...] = ()
    template: str = "account_form.html"


CONFIRMED: Final = Asked(
    "present",
    N_("Your present password"),
    N_("So that nobody does this at a browser you have left open."),
    SECRET,
    "current-password",
)
"""What somebody is asked before something that a borrowed browser must not do."""


def show(
    visit: Visit,
    form: Form,
    typed: Mapping[str, Any] | None = None,
    fault: AccountFault | Refused | None = None,
    field: str = CONFIRMED.name,
    **more: Any,
) -> Response:
    """The page; with something wrong, what was typed is there again, but for secrets.

    Args:
        field: by which it stands that somebody has to wait.

    Raises the fault again where no field has to do with it.
    """
    words = visit.words
    params = {"least": LEAST, "shortest": SHORTEST_LOGIN, "longest": LONGEST_LOGIN}
    params |= {"most": LONGEST_NAME}

    def shown(asked: Asked) -> dict[str, Any]:
        value = "" if asked.kind == SECRET else str((typed or {}).get(asked.name, ""))
        helped = words.t(asked.help, **params) if asked.help else ""
        attributes = {"autocomplete": asked.autocomplete}
        if asked.autocomplete == "username":
            attributes |= {"autocapitalize": "none", "spellcheck": "false"}
        return {
            "name": asked.name,
            "label": words.t(asked.label),
            "help": helped,
            "kind": asked.kind,
            "value": value,
            "attributes": attributes,
        }

    response = page(
        visit,
        form.template,
        200 if fault is None else _status(fault),
        heading=form.heading,
        button=form.button,
        about=form.about,
        asked=[shown(each) for each in form.fields],
        secret=any(each.kind == SECRET for each in form.fields),
        wrong={} if fault is None else _wrong(words, fault, field),
        **more,
    )
    if isinstance(fault, Refused):
        response.headers.update(fault.headers or {})
    return response


def _status(fault: AccountFault | Refused) -> int:
    return fault.status_code if isinstance(fault, Refused) else 422


def _wrong(words: Words, fault: AccountFault | Refused, field: str) -> dict[str, str]:
    if isinstance(fault, AccountFault):
        return {fault.field: words.fault(fault)}
    if fault.status_code != 429:
        raise fault
    return {field: words.why(fault.reason, **fault.params)}
