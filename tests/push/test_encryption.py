"""Messages are encrypted as RFC 8291 says, and servers known as RFC 8292 says."""

from __future__ import annotations

from typing import Final

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import derive_private_key
from kit import because
from kit.pushing import CURVE, Browser, data_of, proved

from volte.push.encryption import encrypted, public_key
from volte.push.keys import LASTING, ServerKeys, from_base64url, new_private_key
from volte.push.sender import LONGEST
from volte.web.settings import SettingFault

TEXT: Final = b"When I grow up, I want to be a watermelon"
KEY: Final = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
P256DH: Final = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH: Final = "BTBZMqHH6r4Tts7J_aSIgg"
SALT: Final = "DGv6ra1nlYgDCS1FRnbzlw"
BODY: Final = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
    "lcy4a-fN"
)

TOKEN: Final = (
    "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJ"
    "leHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_"
    "HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2"
    "u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
)


def test_RFC_8291_section_5_the_example_comes_out_byte_for_byte() -> None:
    key = derive_private_key(int.from_bytes(data_of(KEY)), CURVE)
    made = encrypted(TEXT, data_of(P256DH), data_of(AUTH), key=key, salt=data_of(SALT), block=1)
    assert made == data_of(BODY)


@pytest.mark.parametrize("length", [0, 1, 510, 511, 512, LONGEST])
def test_a_browser_reads_what_it_is_sent_and_lengths_tell_little(length: int) -> None:
    browser, text = Browser("https://push.example/1"), b"\2" * length
    body = encrypted(text, browser.p256dh, browser.auth)
    assert browser.reads(body) == text
    assert (len(body) - 86 - 16) % 512 == 0
    assert encrypted(text, browser.p256dh, browser.auth) != body


def test_RFC_8292_section_2_4_our_judge_of_tokens_accepts_the_example_and_no_other() -> None:
    assert proved(TOKEN)["exp"] == 1453523768
    with pytest.raises(InvalidSignature):
        proved(TOKEN.replace("i3CYb7", "i3CYb8"))


@pytest.mark.parametrize("contact", ["", "mailto:anne@volte.example"])
def test_a_push_service_learns_which_server_asks_it_for_half_a_day(contact: str) -> None:
    keys = ServerKeys.read(new_private_key(), contact)
    header = keys.authorization("https://push.example.net", 1000.9)
    claims = {"aud": "https://push.example.net", "exp": 1000 + LASTING}
    assert proved(header) == claims | ({"sub": contact} if contact else {})
    assert header.endswith(f", k={keys.public}")
    assert len(from_base64url(keys.public)) == 65


@pytest.mark.parametrize("text", ["", "AAAA", "A" * 43, "_" * 43, "é" * 43, "A" * 44, "AA==="])
def test_what_is_no_key_is_refused(text: str) -> None:
    """All zeros, and more than the order of the curve, too."""
    with pytest.raises(SettingFault) as caught:
        ServerKeys.read(text)
    assert because("bad_push_key")(caught.value)


@pytest.mark.parametrize(
    "data",
    [b"", b"\4" * 65, b"\4" + bytes(64), data_of(P256DH)[:64], data_of(P256DH) + b"\0", b"\2" * 33],
    ids=["nothing", "elsewhere", "infinity", "too short", "too long", "compressed"],
)
def test_a_point_that_is_not_on_the_curve_is_no_key_of_a_browser(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"point|EC key"):
        public_key(data)
