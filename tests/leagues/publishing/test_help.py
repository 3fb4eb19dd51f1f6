"""The addresses and the HTML code shown on the help pages about open clubs all work."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.support.page import words

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club
    from tests.support.phone import Phone


def test_every_example_of_the_api_works(club: Club) -> None:
    club.open(slug="my-club")
    phone = club.stranger
    examples = [words(code) for code in phone.see("/help/api").all("code")]
    paths = {urlsplit(example).path for example in examples}
    for example in examples:
        assert example.startswith("http://localhost/"), example
        assert phone.get(urlsplit(example).path).status_code == 200, example
    routes = {rule.rule for rule in club.app.url_map.iter_rules() if rule.endpoint.startswith("leagues.api_")}
    assert len(paths) >= len(routes) - 1, "all but the list of seasons, which the club has, too"


def codes_on(phone: Phone, path: str) -> dict[str, str]:
    """Return a dict of the HTML code that a page offers for each embed, by the path of the embedded page."""
    codes = [words(area) for area in phone.see(path).all("textarea") if "<iframe" in words(area)]
    return {urlsplit(code.split('src="')[1].split('"')[0]).path: code for code in codes}


def test_the_code_in_the_help_works_as_it_stands(club: Club) -> None:
    """If the help is opened from a club's page, the HTML code in the help works for that club.

    If the help's address names no valid club, the code has the placeholder "my-club".
    """
    page = club.stranger.see(club.path)
    (link,) = [str(a.get("href")) for a in page.all("a") if "/help/open-club" in str(a.get("href"))]
    assert link.endswith("#website")
    codes = codes_on(club.stranger, link.partition("#")[0])
    offered = {
        rule.rule.replace("<club>", club.slug) for rule in club.app.url_map.iter_rules() if "/embed/" in rule.rule
    }
    assert codes.keys() == offered
    for path in codes:
        assert club.stranger.get(path).status_code == 200
    assert codes.keys() == codes_on(club.phone, f"{club.league}/club").keys()
    for wrong in ("", "?club=%3Cscript%3E", "?club=A", "?club=" + "a" * 41):
        assert set(codes_on(club.stranger, f"/help/open-club{wrong}")) == {
            path.replace(club.slug, "my-club") for path in offered
        }
