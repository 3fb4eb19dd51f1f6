"""Sharing a game in a group chat, with a link preview, a message with the result and a picture of the score."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from scorekeeper.games.presenters.social_image import BRASS, SIDES, SIZE, CardSide, SocialCard, draw, drawable
from tests.e2e.imported_games import hand, record
from tests.support.game import bid, path_of, start
from tests.support.game_steps import import_record
from tests.support.page import Page, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.phone import Phone

WON = record([hand(0, 4, 0, 0, 0, 0)] * 5 + [hand(0, 2, 0, 1, 0, 1)])


def meta(page: Page) -> dict[str, str]:
    """Return a page's metadata for chat programs, as a dict from each field's name to its content."""
    tags = [tag.attrib for tag in page.all("meta")]
    return {tag.get("property") or tag.get("name", ""): tag.get("content", "") for tag in tags}


def told(page: Page) -> str:
    """Return the message for a group chat that the page offers to copy."""
    (text,) = [("".join(area.itertext())).strip() for area in page.all("textarea") if "readonly" in area.attrib]
    return text


def colours(png: bytes) -> set[str]:
    """Return the colors that cover more than 1,000 pixels of a picture, as "#rrggbb"."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    counted = picture.getcolors(picture.width * picture.height) or []
    return {
        "#{:02x}{:02x}{:02x}".format(*colour) for count, colour in counted if count > 1000 and isinstance(colour, tuple)
    }


def card(
    names: Sequence[str], totals: Sequence[int], *, winner: int | None = None, headline: str = "Hand 3"
) -> SocialCard:
    """Return the content of a score picture.

    `winner` is the index of the side that won, or None for a game in progress.
    """
    sides = [
        CardSide(index, "ABCDEFGH"[index], name, total, index == winner)
        for index, (name, total) in enumerate(zip(names, totals, strict=True))
    ]
    return SocialCard("Setback", headline, tuple(sides), "", winner is not None)


@pytest.mark.parametrize("path", ["", "/tv"])
def test_a_link_in_a_chat_shows_the_score(client: Phone, other: Phone, path: str) -> None:
    """The metadata of a watch link has the score, and has absolute addresses because some chat programs need them."""
    board = import_record(client, record([hand(0, 3, 0, 1, 0, 0)]))
    watch = path_of(board).replace("/games/", "/watch/")
    tags = meta(other.see(watch + path))
    assert tags["og:title"] == "Ann and Cid 3, Bob and Dee 1"
    assert tags["og:description"] == (
        "Ann and Cid: 18 to go. Must make a bid to win. Bob and Dee: 20 to go. Must make a bid to win."
    )
    assert tags["og:url"] == f"http://localhost{watch}"
    assert tags["og:image"] == f"http://localhost{watch}/score.png?v=2"
    assert tags["twitter:card"] == "summary_large_image"
    assert other.get(tags["og:image"]).mimetype == "image/png"


def test_the_preview_names_the_winner(client: Phone, other: Phone) -> None:
    board = import_record(client, WON)
    tags = meta(other.see(board.path))
    assert tags["og:description"].startswith("Ann and Cid win. Ann and Cid made their bid of 2")


def test_names_are_escaped(client: Phone, other: Phone) -> None:
    name = '"><script src=x>'
    tags = meta(other.see(start(client, (name, "Bob", "Cid", "Dee")).path))
    assert tags["og:title"].startswith(f"{name} and Cid 0")


def test_the_picture_is_cached_until_the_score_changes(client: Phone, other: Phone, board: Page) -> None:
    address = board.path.replace("/games/", "/watch/") + "/score.png"
    answer = other.get(address)
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "public, no-cache"
    assert Image.open(io.BytesIO(answer.data)).size == SIZE
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert other.get(address, headers=tag).status_code == 304
    bid(client, board, 0, 2)
    assert other.get(address, headers=tag).status_code == 200


def test_a_hidden_game_has_a_picture_only_for_its_phones(client: Phone, other: Phone, board: Page) -> None:
    """If watching is turned off, the message to share has no link, and only scorers can open the picture."""
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/watching/void")
    client.see(board.path.replace("/games/", "/watch/") + "/score.png", 404)
    page = client.see(f"{board.path}/table")
    assert told(page) == "Setback to 21. Hand 1: Ann and Cid 0, Bob and Dee 0."
    (link,) = [link for link in page.all("a") if "data-picture" in link.attrib]
    picture = client.get(str(link.get("href")))
    assert (picture.mimetype, picture.headers["Cache-Control"]) == ("image/png", "private, no-cache")
    assert client.get(str(link.get("href")), headers={"If-None-Match": picture.headers["ETag"]}).status_code == 304
    assert other.get(str(link.get("href"))).status_code == 404


def test_the_end_leads_with_winner_reason_share_and_play_again(client: Phone) -> None:
    """A finished game shows the winner, the reason, "Share" and "Play again" above the totals.

    Without JavaScript, "Share" opens the picture of the score.
    """
    board = import_record(client, WON)
    told = [words(each) for each in board.one("div", class_="end").iter() if each.tag in {"h2", "p", "a", "button"}]
    assert told[:2] == ["Ann and Cid win", "Ann and Cid made their bid of 2 and won 22 to 2."]
    assert told.index("Play again") == told.index("Open picture") + 1  # the turning point may stand before them
    share = next(link for link in board.all("a") if "data-share" in link.attrib)
    assert client.get(str(share.get("href"))).mimetype == "image/png"
    order = [each.get("class", "").split(" ")[0] for each in board.one("section", class_="head")]
    assert order.index("outcome") < order.index("totals")


def test_the_end_of_a_game_can_be_shared(client: Phone, other: Phone) -> None:
    """The result can be shared as a picture or as a message. The message can be copied without JavaScript."""
    board = import_record(client, WON)
    watch = board.path.replace("/games/", "/watch/")
    assert told(board) == "Setback to 21. Ann and Cid win, 22 to 2."  # no link: only this computer could open it
    (link,) = [link for link in board.all("a") if "data-picture" in link.attrib]
    assert str(link.get("href")).startswith(f"{watch}/score.png")
    assert not other.see(board.path).all("textarea")


def test_many_sides_are_all_named(client: Phone) -> None:
    points = {"bidder": 0, "bid": 4, "points": {"high": 0, "low": 0, "jack": 0, "game": 0}}
    board = import_record(client, record([points] * 2, preset="setback-7", players=("Ann", "Bob", "Cid")))
    assert told(board) == "Setback to 7. Ann wins: Ann 8, Bob 0, Cid 0."


def test_a_picture_has_the_colors_of_the_sides() -> None:
    """A score picture has the color of each side, and the color brass only if a side won."""
    names, totals = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"), (21, -12, 4, 0, 7, 66, 3, 9)
    assert set(SIDES) <= colours(draw(card(names, totals)))
    assert BRASS not in colours(draw(card(names[:2], totals[:2])))
    assert BRASS in colours(draw(card(names[:2], totals[:2], winner=0, headline="Ann wins")))


@pytest.mark.parametrize(
    ("name", "can"),
    [
        ("Ann", True),
        ("Łukasz", True),
        ("Ждан", True),
        ("Ωμέγα", True),
        ("Nguye\u0302\u0303n", True),
        ("李明", False),
        ("אבי", False),
        ("Bob 🎉", False),
        ("A\u0301\u0332", False),
    ],
)
def test_missing_characters_are_not_drawn_as_boxes(name: str, can: bool) -> None:
    """If the font can't draw a name, the score picture shows the side's letter instead."""
    assert drawable(name) is can
    same = draw(card(("\U0010ffff", "Bob"), (3, 1))) == draw(card((name, "Bob"), (3, 1)))
    assert same is not can


def test_the_longest_names_and_scores_fit() -> None:
    """In a picture of two to eight sides with very long names, the gaps between the sides' boxes stay empty."""
    long = "Bartholomew the Magnificent of Nowhere and Maximiliana the Great"
    for sides in range(2, 9):
        picture = Image.open(io.BytesIO(draw(card((long,) * sides, (-1234,) * sides)))).convert("RGB")
        width = (SIZE[0] - 80 - 20 * (sides - 1)) / sides
        for gap in range(1, sides):
            x = round(40 + gap * (width + 20) - 10)
            column = [picture.getpixel((x, y)) for y in range(190, 515)]
            assert all(isinstance(pixel, tuple) and pixel[1] > pixel[0] and pixel[1] > pixel[2] for pixel in column)
