"""A club's feed, which is valid by RFC 4287 and keeps the ids of its entries when results are corrected."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import feedparser
import pytest
from lxml import etree, html

from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.publishing.queries.night import MOST
from tests.leagues.publishing.conftest import FIRST, PEOPLE

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club

ATOM = "{http://www.w3.org/2005/Atom}"
ONCE = ("id", "title", "updated")
GRAMMAR = etree.RelaxNG(etree.parse(Path(__file__).with_name("atom.rng")))


def feed_of(club: Club) -> etree._Element:
    """Return the feed's root element, after checking it against the schema and the rules of RFC 4287."""
    response = club.stranger.get(f"{club.path}/feed.atom")
    assert response.status_code == 200
    assert response.mimetype == "application/atom+xml"
    root = etree.fromstring(response.data)
    GRAMMAR.assertValid(root)
    assert root.tag == f"{ATOM}feed"
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang")
    check(root)
    assert root.findall(f"{ATOM}author/{ATOM}name")
    assert [link.get("rel") for link in root.findall(f"{ATOM}link")] == ["alternate", "self"]
    entries = root.findall(f"{ATOM}entry")
    for entry in entries:
        check(entry)
        (content,) = entry.findall(f"{ATOM}content")
        assert content.get("type") == "html"
        assert not len(content), "the HTML is escaped"
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    return root


def check(element: etree._Element) -> None:
    """Check a feed or an entry against the rules of RFC 4287, sections 3.3, 4.1.1, 4.1.2, 4.2.6 and 4.2.7."""
    for name in ONCE:
        (child,) = element.findall(f"{ATOM}{name}")
        assert child.text
    identity, updated = element.findtext(f"{ATOM}id"), element.findtext(f"{ATOM}updated")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity or "")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", updated or "")
    alternates = [(link.get("type"), link.get("hreflang")) for link in element.findall(f"{ATOM}link[@rel='alternate']")]
    assert len(set(alternates)) == len(alternates) == 1
    for link in element.findall(f"{ATOM}link"):
        assert str(link.get("href")).startswith("http://localhost/clubs/")


def entries_of(club: Club) -> dict[str, tuple[str, datetime, str]]:
    """Return a dict of (title, time, content) for each entry of the feed, by the entry's id."""
    told = {}
    for entry in feed_of(club).findall(f"{ATOM}entry"):
        text = {name: entry.findtext(f"{ATOM}{name}") or "" for name in (*ONCE, "content")}
        told[text["id"]] = (text["title"], datetime.fromisoformat(text["updated"]), text["content"])
    return told


def test_each_closed_night_is_an_entry(club: Club) -> None:
    club.night((PEOPLE, (9, 21)))
    club.night(FIRST, close=False)
    told = list(entries_of(club).values())
    assert [title.partition(",")[0] for title, _updated, _content in told] == ["Night 2", "Night 1"]
    assert "Ann Baker" in told[0][2]


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("<title>Fire Hall</title>", ""),
        ("</id>", "</id><id>urn:a</id>"),
        ('href="', 'src="'),
        ('type="html"', 'type="page"'),
        ("Z</updated>", "</updated><nonsense/>"),
        ("T", " "),
    ],
)
def test_the_grammar_finds_faults(club: Club, now: str, then: str) -> None:
    text = club.stranger.get(f"{club.path}/feed.atom").text
    assert now in text
    assert not GRAMMAR.validate(etree.fromstring(text.replace(now, then).encode()))


def test_a_parser_of_feeds_reads_it(club: Club) -> None:
    read: Any = feedparser.parse(club.stranger.get(f"{club.path}/feed.atom").data)
    assert not read.bozo
    assert read.version == "atom10"
    assert read.feed.title == "Fire Hall"
    (entry,) = read.entries
    assert entry.link == "http://localhost/clubs/fire-hall/seasons/1/nights/1"
    assert "<table>" in entry.content[0].value


def test_a_corrected_night_is_updated_under_its_id(club: Club) -> None:
    night = club.night((PEOPLE, (9, 21)))
    before = entries_of(club)
    with club.book():
        closing.reopen_night(night=night, device=club.device, reason="a slip")
    assert len(entries_of(club)) == len(before) - 1
    with club.book():
        closing.close_night(night=night, device=club.device, anyway=True)
    after = entries_of(club)
    assert after.keys() == before.keys()
    newest, older = after
    assert after[newest][1] >= before[newest][1]
    assert after[older] == before[older]


def test_ids_stay_when_the_club_moves_or_shortens_its_names(club: Club) -> None:
    before = feed_of(club).findtext(f"{ATOM}id"), entries_of(club).keys()
    club.open("initials", "thursday")
    assert (feed_of(club).findtext(f"{ATOM}id"), entries_of(club).keys()) == before
    text = club.stranger.get(f"{club.path}/feed.atom").text
    assert not [name for name in PEOPLE for part in name.split() if part in text]


def test_names_cannot_break_out(club: Club) -> None:
    nasty = ("<b>&amp;", "]]>", '"><script>', "Quin")
    phone = club.phone
    people = phone.see(f"{club.league}/people")
    phone.submit(people, people.path, names="\n".join(nasty))
    club.night((nasty, (21, 2)))
    newest = next(iter(entries_of(club).values()))[2]
    assert "<script>" not in newest
    assert "&lt;script&gt;" in newest


def test_the_feed_has_only_the_last_nights(club: Club) -> None:
    for _ in range(MOST):
        club.night(FIRST)
    assert len(entries_of(club)) == MOST
    assert not [title for title, _updated, _content in entries_of(club).values() if title.startswith("Night 1,")]


def test_a_closed_club_has_no_feed(closed_club: Club) -> None:
    assert closed_club.stranger.get(f"{closed_club.path}/feed.atom").status_code == 404


def test_the_time_of_the_feed_never_goes_back(club: Club) -> None:
    """Reopening a night takes its entry out of the feed. That is a change, too."""
    night = club.night((PEOPLE, (9, 21)))
    before = feed_of(club)
    with club.book():
        closing.reopen_night(night=night, reason="wrong table", device=club.device)
    after = feed_of(club)
    assert len(after.findall(f"{ATOM}entry")) == len(before.findall(f"{ATOM}entry")) - 1
    told = [datetime.fromisoformat(feed.findtext(f"{ATOM}updated") or "") for feed in (before, after)]
    assert told[1] >= told[0]


def test_cells_are_apart_where_their_tags_are_taken_away(club: Club) -> None:
    """Programs that strip tags would glue a row together: "1Ann22.676833–0"."""
    night = club.night((PEOPLE, (9, 21)))
    entry = feed_of(club).find(f"{ATOM}entry")
    assert entry is not None
    sources = [entry.findtext(f"{ATOM}content") or ""]
    paths = (
        *(f"/embed/{club.slug}/standings", f"/embed/{club.slug}/last-night", club.path),
        *(f"{club.path}/seasons/1/nights/2", f"/nights/{night}/results", club.season),
    )
    sources += [club.stranger.get(path).text for path in paths]
    for source in sources:
        rows = html.fromstring(source).findall(".//tr")
        assert rows
        for row in rows:
            assert all((cell.tail or "").isspace() for cell in row[:-1]), html.tostring(row)
    sentences = html.fromstring(f"<div>{sources[0]}</div>").findall("p")
    assert sum("tied" in sentence.text_content() for sentence in sentences) > 1
    assert all((sentence.tail or "").isspace() for sentence in sentences)
