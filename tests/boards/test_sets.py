"""Sets of deals: boards in an order, each with a sentence before it; reported as talk is."""

from __future__ import annotations

import json
import re
import zipfile
from io import BytesIO
from typing import Any, Final

from kit import Guest, Page, Player, Reply, Site, SiteWith
from kit.boards import Trier, board_page, dealt, shared
from kit.tables import setup

from volte.boards.keeper import BoardKeeper
from volte.boards.sets import Sets
from volte.people.store import Accounts
from volte.talk.reports import thawed
from volte.talk.store import TalkStore

SHORT: Final = setup("microsoft", match_end="deals:3")
SENTENCES: Final = ("Count the spades.", "Now pass the queen.", "Lead low.")


def done(reply: Reply) -> None:
    """Check that a form was taken."""
    assert reply.status == 303, reply.text


async def form_of(maker: Guest, path: str) -> dict[str, Any]:
    """The fields of the form of a set, as it is shown."""
    return fields_of(Page.of(await maker.get(path)))


def fields_of(page: Page) -> dict[str, Any]:
    """The fields of the form of a set, by name."""
    assert set(page.wrong) <= {"h2 after h0"}  # of a moderator's notice
    found = page.fields("set-form")
    return {name: text[0] if isinstance(text, list) else text for name, text in found.items()}


async def made(maker: Guest, boards: list[str], title: str = "Voids") -> str:
    """The path of a set that somebody makes of some boards, with a sentence before each."""
    fields = await form_of(maker, "/deals/sets/new")
    for row, (board, sentence) in enumerate(zip(boards, SENTENCES, strict=False), start=1):
        fields |= {f"deal{row}": board, f"before{row}": sentence}
    sent = fields | {"title": title, "last": "Well done."}
    replies = [await maker.post("/deals/sets/new", sent) for _ in range(2)]
    first, again = [reply.header("location") for reply in replies]
    assert first == again  # the same press twice makes one set
    path = first.partition("?")[0]
    assert re.fullmatch("/deals/sets/[0-9a-f]{32}", path)
    return path


async def three_boards(site: Site) -> tuple[Trier, list[str]]:
    """Somebody with three boards, of a match of three short deals."""
    zoe, row = await dealt(site, setup=SHORT)
    return zoe, [await shared(zoe, row, number) for number in (1, 2, 3)]


async def a_set(site: Site) -> tuple[Trier, str]:
    """Somebody with a set of a single deal, and its path."""
    zoe, row = await dealt(site)
    return zoe, await made(zoe, [await shared(zoe, row)])


async def seen(guest: Guest, path: str) -> str:
    """The text of a page without faults."""
    page = Page.of(await guest.get(path))
    assert page.wrong == []
    return page.text


async def play_next(site: Site, player: Trier, path: str) -> None:
    """Play the next deal of a set to its end."""
    shown = Page.of(await player.get(path)).fields("play")
    reply = await player.post(f"{path}/play", shown)
    await player.join(reply.header("location").removeprefix("/tables/"))
    await player.hurry()
    await player.play()
    await site.room[BoardKeeper].idle()


async def test_each_sentence_is_told_in_its_turn_and_results_after_each_deal(
    site_with: SiteWith,
) -> None:
    """A deal whose address has ended is left out, and its sentence with it."""
    site = await site_with()
    zoe, boards = await three_boards(site)
    path = await made(zoe, boards)
    max_ = await Trier.come(site.address, "Max")

    async def told() -> list[str]:
        text = await seen(max_, path)
        return [each for each in (*SENTENCES, "Well done.") if each in text]

    assert await told() == ["Count the spades."]
    assert "Played: 0 of 3" in await seen(max_, path)
    stale = Page.of(await max_.get(path)).fields("play")
    await play_next(site, max_, path)
    assert await told() == ["Count the spades.", "Now pass the queen."]
    text = await seen(max_, path)
    assert "Played: 1 of 3" in text
    assert "in this deal." in text
    assert f'href="{path}"' in (await max_.get(f"/deals/{boards[0]}")).text
    reply = await max_.post(f"{path}/play", stale)
    assert reply.header("location") == path  # and no deal is begun before its sentence was read
    assert (await zoe.post(f"/deals/{boards[1]}/end")).status == 303
    text = await seen(max_, path)
    assert "Deals that are no longer available: 1" in text
    assert "Deal 2 of 2" in text
    assert await told() == ["Count the spades.", "Lead low."]
    await play_next(site, max_, path)
    assert await told() == ["Count the spades.", "Lead low.", "Well done."]
    assert "Zoé" not in await seen(max_, path)
    nobody = Guest(site.address, "", "", "")
    assert "Count the spades." in await seen(nobody, path)
    assert "Lead low." not in await seen(nobody, path)
    assert (await max_.post(f"{path}/end")).status == 403
    assert (await max_.get(f"{path}/edit")).status == 403
    assert (await zoe.post(f"{path}/end")).status == 303
    assert (await max_.get(path)).status == 404
    assert (await board_page(max_, boards[0])).status == 200


async def test_two_forms_of_one_set_keep_what_each_has_changed(site_with: SiteWith) -> None:
    site = await site_with()
    zoe, boards = await three_boards(site)
    path = await made(zoe, boards[:2])
    edit = f"{path}/edit"
    one, other = [await form_of(zoe, edit) for _ in range(2)]
    done(await zoe.post(edit, one | {"title": "Queens", "place1": "2", "place2": "1"}))
    done(await zoe.post(edit, other | {"last": "See you."}))
    form = await form_of(zoe, edit)
    assert (form["title"], form["last"]) == ("Queens", "See you.")
    assert [form["deal1"], form["deal2"]] == [boards[1], boards[0]]
    reply = await zoe.post(edit, other | {"title": "Kings", "before1": "Typed."})
    assert reply.status == 409
    again = fields_of(Page.of(reply))
    assert (again["title"], again["before1"]) == ("Kings", "Typed.")
    faults = [
        {"deal2": boards[1]},
        {"deal3": boards[1]},
        {"before3": "Without a deal."},
        {"last": "x" * 301},
        {"title": ""},
        {"deal1": "0" * 32},
        {"deal1": "", "before1": "", "deal2": "", "before2": ""},
    ]
    for wrong in faults:
        reply = await zoe.post(edit, form | wrong)
        assert reply.status == 422, wrong
        kept = fields_of(Page.of(reply))
        assert all(kept[name] == text for name, text in wrong.items() if name != "deal1"), wrong
    eve, row = await dealt(site, "Eve")
    theirs = await shared(eve, row)
    assert (await zoe.post(edit, form | {"deal1": theirs})).status == 422


async def test_texts_are_reported_removed_and_shown_again_as_talk_is_judged(
    site_with: SiteWith,
) -> None:
    """The evidence stays as it was, and all concerned are told."""
    site = await site_with()
    zoe, path = await a_set(site)
    mia, max_ = [await Player.come(site.address, name) for name in ("Mia", "Max")]
    await site.room.store[Accounts].put_role(mia.person, "moderator")
    form = Page.of(await max_.get(f"{path}/report"))
    assert form.wrong == []
    assert "Count the spades." in form.text
    edited = await form_of(zoe, f"{path}/edit")
    done(await zoe.post(f"{path}/edit", edited | {"before1": "Ugly words."}))
    sent = form.fields("report-form") | {"why": "insult", "note": "Look at this."}
    late = await max_.post(f"{path}/report", sent)
    assert late.status == 409
    sent = Page.of(late).fields("report-form")
    assert sent["note"] == "Look at this."
    for _ in range(2):  # the same press twice makes one report
        done(await max_.post(f"{path}/report", sent))
    (report,) = await site.room.store[TalkStore].reports_by(max_.person)
    assert report.against == zoe.person
    edited = await form_of(zoe, f"{path}/edit")
    done(await zoe.post(f"{path}/edit", edited | {"before1": "Kind words."}))
    evidence = thawed(report.evidence)
    assert [each.text for each in evidence.sayings] == ["Voids", "Ugly words.", "Well done."]
    assert evidence.reported == (1, 2)
    case = f"/moderation/reports/{report.id}"
    text = await seen(mia, case)
    assert "Ugly words." in text
    assert "Kind words." not in text
    decided = await mia.post(case, {"decision": "removal", "note": "Be kind."})
    done(decided)
    for who in (max_, zoe):
        text = (await who.get(path)).text
        assert "A moderator has removed the texts of this set." in text
        assert "Voids" not in text
        assert "Kind words." not in text
    assert "Be kind." in (await zoe.get("/me/talk")).text
    assert (await zoe.get(f"{path}/edit")).status == 403
    assert (await zoe.post(f"{path}/edit", edited)).status == 403
    (measure,) = await site.room.store[TalkStore].measures_about(zoe.person)
    done(await mia.post(f"/moderation/measures/{measure.id}/lift", {"note": "A mistake."}))
    assert "Kind words." in (await zoe.get(path)).text
    assert "are shown again" in (await zoe.get("/me/talk")).text
    own = await zoe.post(f"{path}/report", sent | {"version": "3"})
    assert own.status == 403


async def test_whoever_is_barred_from_the_chat_writes_no_set_and_the_muted_are_not_read(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    zoe, path = await a_set(site)
    max_ = await Player.come(site.address, "Max")
    await site.room.store[TalkStore].mute(max_.person, zoe.person, "Zoé")
    assert "Count the spades." not in await seen(max_, path)
    assert "Play this deal" in await seen(max_, path)
    mia = await Player.come(site.address, "Mia")
    await site.room.store[Accounts].put_role(mia.person, "moderator")
    sent = Page.of(await mia.get(f"{path}/report")).fields("report-form")
    done(await mia.post(f"{path}/report", sent))
    (report,) = await site.room.store[TalkStore].reports_about(zoe.person)
    barred = {"decision": "silence_day", "note": "Be kind."}
    done(await mia.post(f"/moderation/reports/{report.id}", barred))
    edited = await form_of(zoe, f"{path}/edit")
    for address in (f"{path}/edit", "/deals/sets/new"):
        reply = await zoe.post(address, edited | {"before1": "More."})
        assert reply.status == 403
        assert "Be kind." in reply.text
        assert fields_of(Page.of(reply))["before1"] == "More."


async def test_a_set_is_taken_away_by_its_maker_and_forgotten_with_them(
    site_with: SiteWith,
) -> None:
    site = await site_with()
    zoe, path = await a_set(site)
    key = path.rpartition("/")[2]
    max_ = await Trier.come(site.address, "Max")
    await play_next(site, max_, path)
    for person, name in ((zoe, "sets_of_deals"), (max_, "sets_begun")):
        reply = await person.post("/me/data")
        with zipfile.ZipFile(BytesIO(reply.body)) as packed:
            data = json.loads(packed.read("volte.json"))
        assert key in json.dumps(data[name])
        assert ("Count the spades." in json.dumps(data)) == (person is zoe)
    await site.room.store.forget(max_.person)
    assert await site.room.store[Sets].begun(max_.person) == []
    await site.room.store.forget(zoe.person)
    assert (await Player.come(site.address)).person
    assert await site.room.store[Sets].deal_set(key) is None
