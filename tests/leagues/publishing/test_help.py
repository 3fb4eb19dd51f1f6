"""The help pages about open clubs: each address that they show works as it stands, for a club of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.support.page import words

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club


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


def test_the_embed_in_the_help_is_the_one_of_the_settings(club: Club) -> None:
    club.open(slug="my-club")
    (code,) = [words(each) for each in club.stranger.see("/help/open-club").all("code")]
    address = code.split('src="')[1].split('"')[0]
    assert club.stranger.get(urlsplit(address).path).status_code == 200
    offered = [words(each) for each in club.phone.see(f"{club.league}/club").all("textarea")]
    assert f'<iframe src="{address}"' in "".join(offered)
    for each in offered:
        assert 'loading="lazy"' in each
