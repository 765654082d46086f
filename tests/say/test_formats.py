"""Dates, numbers and money are written by the data of Unicode, as Babel writes them."""

from __future__ import annotations

import runpy
import time
from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from babel import dates, numbers
from hypothesis import example, given
from hypothesis import strategies as st
from kit.kernels import ROOT

from volte.say import formats
from volte.say.catalogue import LANGUAGES, folder

languages = st.sampled_from(LANGUAGES)
days = st.dates(date(1000, 1, 1))
moments = st.datetimes(datetime(1000, 1, 1), timezones=st.just(UTC))
amounts = st.decimals(-(10**9), 10**9, places=3)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_data_are_those_of_babel(lang: str) -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "formats.py"))["made"]
    assert formats.path_of(lang).read_text(encoding="utf-8") == made(lang)


@given(languages, days, st.sampled_from(["full", "long", "medium", "short"]))
def test_days(lang: str, day: date, length: str) -> None:
    assert formats.date_text(lang, day, length) == dates.format_date(day, length, folder(lang).name)


@given(languages, moments, st.sampled_from(["UTC", "Europe/Paris", "America/St_Johns"]))
def test_times_of_day(lang: str, moment: datetime, name: str) -> None:
    there, locale = moment.astimezone(ZoneInfo(name)), folder(lang).name
    assert formats.time_text(lang, there) == dates.format_time(there, "short", locale=locale)
    assert formats.moment_text(lang, there) == dates.format_datetime(there, "short", locale=locale)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="its clock has one zone alone")
@given(at=st.integers(0, 4_000_000_000))
@example(at=1_792_889_000)  # an hour that comes twice
@example(at=1_792_892_600)
def test_the_clock_of_this_machine_knows_its_zone(at: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Paris")
        time.tzset()
        here = datetime.fromtimestamp(at, formats.zone_of(formats.LOCAL))
        now = here.replace(tzinfo=None)
    time.tzset()
    assert now == datetime.fromtimestamp(at, ZoneInfo("Europe/Paris")).replace(tzinfo=None)


@given(languages, amounts)
def test_numbers(lang: str, amount: Decimal) -> None:
    known = numbers.format_decimal(amount.normalize(), "#,##0.###", folder(lang).name)
    assert formats.number_text(lang, amount.normalize() + 0) == known.replace("-", "−")


@given(languages, st.integers(-(10**9), 10**9), st.sampled_from(sorted(numbers.list_currencies())))
def test_money(lang: str, cents: int, code: str) -> None:
    assert formats.is_currency(code)
    assert formats.smallest_coin(code) == numbers.get_currency_precision(code)
    amount = Decimal(cents).scaleb(-2)
    known = numbers.format_currency(amount, code, locale=folder(lang).name, currency_digits=False)
    written = formats.money_text(lang, amount, code)
    assert written.replace("\xa0", "") == known.replace("-", "−").replace("\xa0", "")
