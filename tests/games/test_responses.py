"""The board is sent to an open page in two pieces, so that the score appears before the rest is rendered."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.views.blueprint import REST
from tests.support.game import bid

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_the_score_arrives_before_the_rest(client: Phone, board: Page, coding: str) -> None:
    """The board is sent in two pieces, with the score in the first and the forms in the second.

    In a compressed response, the first piece can be unpacked without the second.
    """
    headers = {"X-Part": "main", "Accept-Encoding": coding}
    response = client.get(board.path, headers=headers, buffered=False)
    assert response.headers["X-Part"] == "main"
    assert response.headers.get("Content-Encoding", "identity") == coding
    pieces, unpack = response.iter_encoded(), _unpacker(coding)
    score = unpack(next(pieces)).decode()
    assert score.endswith(REST)
    assert 'class="score"' in score
    assert "<form" not in score
    rest = unpack(b"".join(pieces)).decode()
    assert 'class="entry bids"' in rest
    assert 'class="after"' in rest


def test_the_two_pieces_equal_the_board(client: Phone, board: Page) -> None:
    """Joined together, the two pieces of the response equal the content of the `main` element on the whole page."""
    page = bid(client, board, 0, 3)
    part = client.get(board.path, headers={"X-Part": "main"}).text
    for mark in (REST, "<!--later-->"):
        assert part.count(mark) == 1
    body = part.partition('<h1 class="vh">')[2].replace(REST, "").replace("<!--later-->", "")
    assert _without_words(body) in _without_words(page.response.text)


def _without_words(text: str) -> str:
    """Return the opening tags in `text` as one string, without their attributes.

    Attributes are left out because they contain request ids, which differ from page to page.
    """
    return "".join(piece.partition(" ")[0] for piece in text.split("<")[1:] if not piece.startswith("/"))


def _unpacker(coding: str) -> Callable[[bytes], bytes]:
    return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress if coding == "gzip" else bytes
