"""Style sheets and scripts are cached by phones, and get a new address when they change."""

from __future__ import annotations

import gzip
import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper.config import asset_folder
from scorekeeper.web.assets import digest_of, lean, static_url

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def style(app: Flask) -> str:
    """Return the address of the style sheet."""
    with app.test_request_context():
        return static_url("css/app.css")


def test_an_asset_is_kept_for_a_year(client: Phone, style: str) -> None:
    response = client.get(style)
    assert response.mimetype == "text/css"
    assert response.cache_control.max_age == 365 * 24 * 3600
    assert response.cache_control.immutable
    assert not response.cache_control.no_cache
    assert "Set-Cookie" not in response.headers


def test_an_asset_of_an_older_page_is_served_but_not_kept(client: Phone) -> None:
    response = client.get("/static/0000000000/css/app.css")
    assert response.status_code == 200
    assert response.cache_control.no_cache
    assert not response.cache_control.immutable


def test_an_asset_travels_compressed_and_is_asked_for_again_in_vain(client: Phone, style: str) -> None:
    first = client.get(style, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(first.data).decode() == lean((asset_folder("static") / "css" / "app.css").read_text())
    again = client.get(style, headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_code_is_sent_without_comments_and_indentation(client: Phone, style: str) -> None:
    told = "/* One.\n   * Two. */\n  .a::after { content: '/*'; } /* stays */\n\n  // Gone.\n    b(`//`);\n"
    assert lean(told) == ".a::after { content: '/*'; } /* stays */\nb(`//`);\n"
    assert "\n " not in client.get(style).text
    assert "// " not in client.get("/sw.js").text


def test_no_string_spans_lines() -> None:
    """Only then, what looks like a comment at the start of a line is one."""
    files = [path for kind in ("css", "js") for path in asset_folder("static").rglob(f"*.{kind}")]
    ours = [path for path in files if path.parent.name != "vendor"]
    assert len(ours) > 50
    lines = [f"{path.name}: {line}" for path in ours for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line.count("`") % 2 or line.endswith("\\")] == []


@pytest.mark.parametrize("path", ["nothing.css", "../pyproject.toml", "%2e%2e/pyproject.toml", "css"])
def test_nothing_else_is_served(client: Phone, path: str) -> None:
    assert client.get(f"/static/0000000000/{path}").status_code == 404


def test_every_asset_of_the_home_page_is_there(client: Phone) -> None:
    page = client.see("/")
    files = [link.get("href") for link in page.all("link")] + [script.get("src") for script in page.all("script")]
    assert files
    for file in files:
        assert file
        assert client.get(file).status_code == 200, file


def test_what_others_wrote_is_as_they_published_it(client: Phone) -> None:
    """Each script in the folder `vendor` has its version in its name, a license file, and the recorded checksum."""
    vendor = asset_folder("static") / "vendor"
    noted = dict(line.split()[::-1] for line in (vendor / "SHA256SUMS").read_text().splitlines())
    scripts = {path.name: path for path in vendor.glob("*.js")}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in scripts.items()} == noted
    for name in scripts:
        assert re.fullmatch(r"[a-z-]+@\d+\.\d+\.\d+\.js", name)
        assert client.get(f"/static/0000000000/vendor/{name}").data == scripts[name].read_bytes()
        assert (vendor / f"{name.removesuffix('.js')}.LICENSE.txt").is_file()


def test_the_version_changes_with_any_file(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    versions = {digest_of(tmp_path)}
    (tmp_path / "a.js").write_text("2")
    versions.add(digest_of(tmp_path))
    (tmp_path / "a.js").rename(tmp_path / "b.js")
    versions.add(digest_of(tmp_path))
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "c.css").write_text("")
    versions.add(digest_of(tmp_path))
    assert len(versions) == 4
