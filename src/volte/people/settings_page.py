"""The page of a person's settings, and changes to them."""

from __future__ import annotations

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from volte.forms.fields import FilledForm, NotTaken, Wrong
from volte.forms.preferences import (
    PREFERENCES,
)
from volte.forms.settings import (
    changed_at_table,
    form_of,
    meanings,
    outcome,
    settings_of,
    with_settings,
)
from volte.people.passwords import own_account
from volte.people.settings_shown import quick_context, settings_context
from volte.web.page import form_page, local_path
from volte.web.room import change_person
from volte.web.visit import Visit, see_other


async def show_settings(visit: Visit) -> Response:
    visit.someone()
    return await _settings_page(visit, form_of(visit.known()))


async def settings_form(visit: Visit) -> Response:
    """The form alone, for the script of a table, when somebody opens the settings there."""
    person = visit.known()
    return form_page(
        visit, "settings.html", form_of(person), **quick_context(visit.words, settings_of(person))
    )


async def keep_settings(visit: Visit) -> Response:
    """Store the settings; the answer to a script in the background is JSON."""
    visit.someone()
    sent = await visit.fields()
    words = visit.words
    form = FilledForm.typed(PREFERENCES, sent)
    in_background = visit.headers.get("x-volte") == "1"
    try:
        person = await change_person(visit, lambda person: with_settings(person, form, words))
    except NotTaken as problem:
        if in_background:
            return JSONResponse(outcome(words, problem), problem.status)
        return await _settings_page(visit, form, problem)
    if in_background:
        return JSONResponse(settings_of(person))
    following = local_path(str(sent.get("next", "/me")))
    return see_other("/me?kept=1" if following == "/me" else following)


async def _settings_page(
    visit: Visit, form: FilledForm, problem: NotTaken | None = None
) -> Response:
    return form_page(
        visit,
        "me.html",
        form,
        problem,
        meanings(visit.words),
        saved=problem is None and visit.query_params.get("kept") == "1",
        account=await own_account(visit),
        **settings_context(visit.words),
    )


async def keep_at_table(visit: Visit) -> Response:
    """Store what somebody has changed at a table: that they have read the help for newcomers, the
    verbosity or the kinds of messages that are silenced, the rate of their reader."""
    visit.someone()
    form = await visit.fields()
    try:
        changes = changed_at_table(visit.url.path.rpartition("/")[2], form)
    except Wrong:
        raise HTTPException(422) from None
    if not changes:
        raise HTTPException(422)
    await change_person(
        visit, lambda person: replace(person, settings={**person.settings, **changes})
    )
    return Response(status_code=204)
