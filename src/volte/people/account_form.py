"""Forms about accounts: a few fields each, shown again with their faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from starlette.datastructures import FormData
from starlette.responses import Response

from volte.names import LONGEST_NAME
from volte.people.passwords import LEAST, LONGEST_LOGIN, SHORTEST_LOGIN, AccountFault
from volte.say import N_
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit

SECRET: Final = "password"
"""The kind of a field whose value is never sent back."""


class FormField(msgspec.Struct, frozen=True):
    name: str
    label: str
    help: str = ""
    kind: str = "text"  # the type of the input in HTML
    autocomplete: str = "off"  # the value that a browser or a password manager may fill in


class Form(msgspec.Struct, frozen=True):
    """A page with one form; its template extends `account_form.html`."""

    heading: str
    button: str
    fields: tuple[FormField, ...]
    about: tuple[str, ...] = ()
    template: str = "account_form.html"


CONFIRMED: Final = FormField(
    "present",
    N_("Your present password"),
    N_("So that nobody does this at a browser you have left open."),
    SECRET,
    "current-password",
)
"""The field for the present password, before a change that a borrowed browser must not make."""

NEW_PASSWORD: Final = FormField(
    "password",
    N_("New password"),
    N_("{least} characters or more, whatever you like: a few words are easy to keep in mind."),
    SECRET,
    "new-password",
)


def show(
    visit: Visit,
    form: Form,
    typed: Mapping[str, Any] | None = None,
    fault: AccountFault | Refused | None = None,
    field: str = CONFIRMED.name,
    **more: Any,
) -> Response:
    """The page of a form. With a fault, the typed values are filled in again, except secrets.

    Args:
        field: the field at which a refusal to go on (429) is shown.

    Raises the fault again where it belongs to no field.
    """
    words, status, wrong = visit.words, 200, {}
    if isinstance(fault, AccountFault):
        status, wrong = 422, {fault.field: words.fault(fault)}
    elif fault is not None:
        if fault.status_code != 429:
            raise fault
        status, wrong = 429, {field: words.why(fault.reason, **fault.params)}
    params = {"least": LEAST, "shortest": SHORTEST_LOGIN, "longest": LONGEST_LOGIN}
    params |= {"most": LONGEST_NAME}

    def shown(each: FormField) -> dict[str, Any]:
        attributes = {"autocomplete": each.autocomplete}
        if each.autocomplete == "username":
            attributes |= {"autocapitalize": "none", "spellcheck": "false"}
        return {
            "name": each.name,
            "label": words.t(each.label),
            "help": words.t(each.help, **params) if each.help else "",
            "kind": each.kind,
            "value": "" if each.kind == SECRET else str((typed or {}).get(each.name, "")),
            "attributes": attributes,
        }

    response = page(
        visit,
        form.template,
        status,
        heading=form.heading,
        button=form.button,
        about=form.about,
        asked=[shown(each) for each in form.fields],
        secret=any(each.kind == SECRET for each in form.fields),
        wrong=wrong,
        **more,
    )
    if isinstance(fault, Refused):
        response.headers.update(fault.headers or {})
    return response


def value(form: FormData, name: str) -> str:
    """The value of a field; empty where it was not sent."""
    return str(form.get(name, ""))
