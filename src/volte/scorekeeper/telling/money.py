"""Money as each language writes it, exact to the last digit: "0,25 €", "€0.25"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from volte.say.formats import is_currency, money_text, number_text, smallest_coin
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
    known = is_currency(currency)
    digits = max(
        smallest_coin(currency) if known else 0, -int(amount.normalize().as_tuple().exponent)
    )
    exact = amount.quantize(Decimal(1).scaleb(-digits))
    if known:
        return money_text(language.lang, exact, currency)
    return f"{number_text(language.lang, exact)} {currency}".strip()
