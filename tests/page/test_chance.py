"""The person's part of chance: SHA-256 in plain JavaScript, and promises as the documents say."""

from __future__ import annotations

import base64
import hashlib

from kit.browser.players import Player

from volte.fair import commit_bytes


def test_sha256_is_what_it_is_everywhere(player: Player) -> None:
    player.go_to("/")
    messages = [bytes(range(size % 256)) + b"x" * (size // 2) for size in range(140)]
    digests = player.page.evaluate(
        """async (messages) => {
            const { sha256, base64, fromBase64 } = await import('/static/connection.js');
            return messages.map((each) => base64(sha256(fromBase64(each))));
        }""",
        [base64.b64encode(message).decode() for message in messages],
    )
    assert digests == [
        base64.b64encode(hashlib.sha256(message).digest()).decode() for message in messages
    ]


def test_a_promise_is_the_one_that_the_documents_describe(player: Player) -> None:
    player.go_to("/")
    for number, seat, data in ((1, 0, bytes(16)), (12, 6, b"Volte, deal 1, seat 6")):
        digest = player.page.evaluate(
            """async ([number, seat, data]) => {
                const { promised, base64, fromBase64 } = await import('/static/connection.js');
                return base64(promised(number, seat, fromBase64(data)));
            }""",
            [number, seat, base64.b64encode(data).decode()],
        )
        assert base64.b64decode(digest) == commit_bytes(number, seat, data)
