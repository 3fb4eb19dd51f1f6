"""Test that the checks of every page find faults."""

from __future__ import annotations

import pytest

from tests.support.page_checks import check_page
from tests.support.strict_html import HTMLFaultError, parse_strictly

GOOD = (
    '<!doctype html><html lang="en"><head><title>New game – Scorekeeper</title></head><body><main id="main">'
    "<h1>New game</h1>{}</main></body></html>"
)


@pytest.mark.parametrize(
    "part",
    [
        "<p>Four taps</p>",
        "<label>Name <input name=a></label>",
        '<label for="a">Name</label><input id="a" name="a">',
        '<input name="a" aria-label="Name">',
        '<form method="post"><input type="hidden" name="csrf_token" value="x"><button>Deal</button></form>',
        '<form method="get"><button aria-label="Undo"></button></form>',
        "<h2>Seats</h2><h3>Dealer</h3><h2>Rules</h2>",
    ],
)
def test_a_good_page_passes(part: str) -> None:
    check_page(GOOD.format(part))


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("<h1>Two</h1>", "headings"),
        ("<h3>Skips</h3>", "levels skip"),
        ('<p style="color:red">a</p>', "style"),
        ("<style>p {}</style>", "<style>"),
        ("<script>go()</script>", "inline <script>"),
        ('<p onclick="go()">a</p>', "onclick"),
        ('<a href=" JavaScript:go()">a</a>', "has a script"),
        ('<p id="a"></p><p id="a"></p>', "ids twice"),
        ('<label for="b">Name</label>', "points at nothing"),
        ('<input name="a">', "no label"),
        ("<label><select></select></label>", "no label"),
        ("<button></button>", "no name"),
        ('<a href="/"></a>', "no name"),
        ('<img src="a.png">', "no alt"),
        ('<form method="post"></form>', "0 tokens"),
        ('<form method="POST"><input type="hidden" name="csrf_token" value=""></form>', "empty token"),
        ('<form><input type="hidden" name="csrf_token" value="x"></form>', "stand in the address"),
    ],
)
def test_a_fault_is_found(part: str, why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        check_page(GOOD.format(part))


@pytest.mark.parametrize(
    "part",
    [
        *(
            "</div>",
            "<p>",
            "<p><div></p>",
            "<p><div></div></p>",
            "<b><i></b></i>",
            "<div/>",
            '<p class="a" class="b"></p>',
        ),
        *("a & b <", "a&b", "<table>a</table>", "<table><p></p></table>", "<td></td>", "<select><p></p></select>"),
        '<form method="get"><form method="get"></form></form>',
    ],
)
def test_html_that_a_browser_would_mend_is_found(part: str) -> None:
    with pytest.raises(HTMLFaultError):
        check_page(GOOD.format(part))


def test_text_is_read_as_a_browser_reads_it() -> None:
    (area,) = parse_strictly("<p><textarea>\n<b>&amp;</b></textarea></p>").iter("textarea")
    assert area.text == "<b>&</b>"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (' lang="en"', "", "lang"),
        ("New game –", "Old game –", "does not begin"),
        ("<h1>New game</h1>", "", "headings"),
        ('id="main"', "", "main"),
    ],
)
def test_a_fault_of_the_document_is_found(old: str, new: str, why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        check_page(GOOD.format("").replace(old, new))


def test_a_part_of_a_page_is_checked_too() -> None:
    check_page("<p>21 to 20</p>")
    with pytest.raises(AssertionError, match="style"):
        check_page('<p style="color:red">21 to 20</p>')
