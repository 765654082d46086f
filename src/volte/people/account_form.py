"""Forms about accounts: a few fields each, shown again with their faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from volte.forms.fields import Field, FilledForm, NotTaken, Wrong, declared
from volte.names import LONGEST_NAME
from volte.people.passwords import LEAST, LONGEST_LOGIN, SHORTEST_LOGIN, AccountFault
from volte.say import N_
from volte.web.page import form_page
from volte.web.refused import Refused
from volte.web.visit import Visit


@dataclass(frozen=True)
class LabelledField(Field):
    """A field with its label; a secret one is a password."""

    label: str = ""
    help: str = ""
    autocomplete: str = "off"  # the value that a browser or a password manager may fill in


@dataclass(frozen=True)
class Form:
    """A page with one form; its template extends `account_form.html`."""

    heading: str
    button: str
    fields: tuple[LabelledField, ...]
    about: tuple[str, ...] = ()
    template: str = "account_form.html"

    def of(self, **values: str) -> FilledForm:
        """The form that shows those values."""
        return FilledForm.of(declared(*self.fields), values)

    def typed(self, sent: Any) -> FilledForm:
        """The form that somebody has sent."""
        return FilledForm.typed(declared(*self.fields), sent)


CONFIRMED: Final = LabelledField(
    "present",
    label=N_("Your current password"),
    help=N_("So that nobody else can do this in a browser you left open."),
    secret=True,
    autocomplete="current-password",
)
"""The field for the present password, before a change that a borrowed browser must not make."""

NEW_PASSWORD: Final = LabelledField(
    "password",
    label=N_("New password"),
    help=N_("{least} characters or more, any you like. A few words are easy to remember."),
    secret=True,
    autocomplete="new-password",
)


def show(
    visit: Visit,
    form: Form,
    filled: FilledForm | None = None,
    fault: NotTaken | AccountFault | Refused | None = None,
    field: str = CONFIRMED.name,
    **more: Any,
) -> Response:
    """The page of a form, filled in except for secrets.

    Args:
        field: the field at which a refusal to go on (429) is shown.

    Raises the fault again where it belongs to no field.
    """
    words = visit.words
    if isinstance(fault, Refused):
        if fault.status_code != 429:
            raise fault
        fault = Wrong(field, fault)
    elif isinstance(fault, AccountFault):
        fault = Wrong(fault.field, fault)
    params = {"least": LEAST, "shortest": SHORTEST_LOGIN, "longest": LONGEST_LOGIN}
    params |= {"most": LONGEST_NAME}

    def shown(each: LabelledField) -> dict[str, Any]:
        attributes = {"autocomplete": each.autocomplete}
        if each.autocomplete == "username":
            attributes |= {"autocapitalize": "none", "spellcheck": "false"}
        return {
            "name": each.name,
            "label": words.t(each.label),
            "help": words.t(each.help, **params) if each.help else "",
            "kind": "password" if each.secret else "text",
            "attributes": attributes,
        }

    return form_page(
        visit,
        form.template,
        filled or form.of(),
        fault,
        heading=form.heading,
        button=form.button,
        about=form.about,
        asked=[shown(each) for each in form.fields],
        secret=any(each.secret for each in form.fields),
        **more,
    )
