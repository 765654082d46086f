"""Money as each language writes it, exact to the last digit: "0,25 €", "€0.25"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from babel import Locale
from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_precision,
    get_currency_symbol,
    is_currency,
)

from volte.say.language import Language

_SIGNS: Final = {
    "€": "EUR",
    "£": "GBP",
    "$": "USD",
    "US$": "USD",
    "$US": "USD",
    "CA$": "CAD",
    "$CA": "CAD",
    "C$": "CAD",
    "FR": "CHF",
    "FR.": "CHF",
    "SFR": "CHF",
}


_STAKE: Final = re.compile(r"(?P<before>[^\d.,\s]*)\s*(?P<amount>\d[\d.,]*)\s*(?P<after>.*)")


def currency_of(text: str) -> str:
    """The currency somebody means by a sign or a name: "EUR" for "€"; else what was typed.

    >>> currency_of("€"), currency_of("chf"), currency_of("matchsticks")
    ('EUR', 'CHF', 'matchsticks')
    """
    shown = text.strip()
    name = _SIGNS.get(shown.upper(), shown.upper())
    return name if is_currency(name) else shown


def stake_and_currency(text: str) -> tuple[str, str]:
    """The amount as it was typed, and the currency; whatever is no amount comes back whole.

    >>> stake_and_currency("0,25 €"), stake_and_currency("$0.10"), stake_and_currency("many")
    (('0,25', 'EUR'), ('0.10', 'USD'), ('many', ''))
    """
    read = _STAKE.fullmatch(text.strip())
    if read is None:
        return text.strip(), ""
    return read["amount"], currency_of(read["before"] or read["after"])


def money(language: Language, amount: Decimal, currency: str = "") -> str:
    """An amount, none of its digits lost; whole in a currency that has a small coin: "2,00 €".

    Args:
        currency: as `currency_of` has it; what is no currency stands behind the number.
    """
    locale = language.lang
    least = get_currency_precision(currency) if is_currency(currency) else 0
    digits = max(least, -int(amount.normalize().as_tuple().exponent))
    exact = amount.quantize(Decimal(1).scaleb(-digits))
    if not is_currency(currency):
        number = format_decimal(exact, locale=locale, decimal_quantization=False)
        return f"{number} {currency}".strip().replace("-", "−")
    pattern = None
    usual = Locale(locale).currency_formats["standard"].pattern
    if get_currency_symbol(currency, locale=locale) == currency and usual.startswith("¤#"):
        pattern = "¤\u00a0#,##0.00"  # letters keep their distance: "CHF 0.25"
    text = format_currency(
        exact,
        currency,
        format=pattern,
        locale=locale,
        currency_digits=digits <= least,
        decimal_quantization=False,
    )
    return text.replace("-", "−")
