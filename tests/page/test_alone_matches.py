"""Matches and records in a browser without a server, its host gone."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest
from kit.browser.players import scripts
from kit.exporting import exported
from kit.hosting import Host
from kit.matches import keep, played
from kit.presets import short
from kit.solo import SOUTH, SlowKeeper
from playwright.sync_api import Browser, Locator, Page, expect

from volte.notation import format_record, parse_record
from volte.solo.kept import KeptStore

pytestmark = pytest.mark.full

BASE: Final = "/games/volte"
PAGE: Final = scripts(__file__)
CONTROLLED: Final = "navigator.serviceWorker.ready.then((each) => each.active.state)"


def kept_texts() -> dict[str, str]:
    """Texts of a browser in which a match has been played to its end."""
    keeper = SlowKeeper()
    log = played(short("microsoft", 4, 2), name="South")
    with ThreadPoolExecutor() as thread:  # this one has a loop that runs
        thread.submit(lambda: asyncio.run(keep(KeptStore(keeper), SOUTH, log))).result()
    return keeper.all


def test_a_match_is_looked_at_by_keys_and_a_record_opened_without_a_host(
    browser: Browser, tmp_path: Path
) -> None:
    with Host({BASE: exported(BASE)}) as host:
        context = browser.new_context(locale="fr-FR", service_workers="allow")
        page = context.new_page()
        page.goto(f"{host.address}{BASE}/fr/help/")
        page.evaluate(f"(texts) => {PAGE}.keep('volte {BASE}', texts)", kept_texts())
        page.evaluate(CONTROLLED)
        page.goto(f"{host.address}{BASE}/fr/matches/")
        expect(heading(page)).to_have_text("Mes parties")
        host.stop()
        page.get_by_role("link", name="Résultat de la partie").press("Enter")
        expect(heading(page)).to_be_focused()
        expect(page.get_by_text("South (vous)")).to_be_visible()
        page.get_by_role("link", name="Revoir la partie").press("Enter")
        step_through(page)
        page.reload()
        expect(page.locator("#place")).to_contain_text("Manche 2")
        page.get_by_role("link", name="Vérifier les manches").press("Enter")
        page.get_by_role("button", name="Vérifier toutes les manches").press("Enter")
        expect(page.locator("#live")).to_contain_text(
            "Manches dont le mélange est vérifié\xa0: 2 sur 2."
        )
        page.go_back()
        expect(page.locator("#place")).to_contain_text("Manche 2")
        with page.expect_download() as saving:
            page.get_by_role("link", name="Télécharger la partie").press("Enter")
        record = tmp_path / saving.value.suggested_filename
        saving.value.save_as(record)
        assert parse_record(record.read_bytes()).finished
        open_records(page, record, tmp_path)
        context.close()


def step_through(page: Page) -> None:
    """Go through a replay by keys, and ask why a card was played."""
    step = page.locator("#step")
    expect(step).not_to_have_attribute("max", "0")
    step.focus()
    step.press("End")
    expect(step).to_have_value(str(step.get_attribute("max")))
    step.press("Home")
    expect(step).to_have_value("0")
    step.press("PageDown")
    expect(page.locator("#place")).to_contain_text("pli 1")
    step.press("ArrowLeft")
    expect(page.locator("[data-key=why]")).not_to_have_attribute("aria-disabled", "true")
    step.press("w")
    expect(page.locator("#why")).to_contain_text("joué")
    page.locator("#deal").select_option("2")
    expect(page.locator("#place")).to_contain_text("Manche 2")
    page.locator("#eyes").select_option("own")
    expect(page).to_have_url(re.compile("deal%3D2.*eyes%3Down"))


def open_records(page: Page, record: Path, folder: Path) -> None:
    """Open a record, delete it there, and be refused with one that is cut off."""
    page.get_by_role("link", name="Résultat").press("Enter")
    page.get_by_role("link", name="Toutes mes parties").press("Enter")
    cut = folder / "cut.volte"
    cut.write_text(format_record(parse_record(record.read_bytes()).log)[:-50], encoding="utf-8")
    page.locator("#record").set_input_files(cut)
    page.get_by_role("button", name="Ouvrir").first.press("Enter")
    expect(page.locator("[data-reason]")).to_contain_text("Ligne")
    page.locator("#record").set_input_files(record)
    page.get_by_role("button", name="Ouvrir").first.press("Enter")
    expect(page.locator(".where")).to_contain_text("ouverte depuis un fichier")
    page.get_by_role("button", name="Supprimer").press("Enter")
    expect(heading(page)).to_have_text("Mes parties")
    expect(page.get_by_text("ouverte depuis un fichier")).to_have_count(0)


def heading(page: Page) -> Locator:
    return page.locator("main h1").first
