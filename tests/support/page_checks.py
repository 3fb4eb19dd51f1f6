"""Check every page for what people with a phone, a screen reader or an old browser need."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from scorekeeper.web.headers import FRAMED, HEADERS, READ_ANYWHERE, SECRET
from scorekeeper.web.request_log import is_secret
from tests.support.page import BUTTON_TYPES, parse_once, without_tokens, words

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET

    from werkzeug.test import TestResponse


READ = ("/api/", "/clubs/")
"""Beginnings of paths whose responses scripts of other websites may read."""
FINE: set[bytes] = set()
"""Digests of pages that passed the checks, so that a page that many tests get is checked only once.

Tokens are left out of the digest, because they differ each time.
"""


def check_headers(response: TestResponse) -> None:
    """Raise `AssertionError` if a security header is missing from `response`."""
    secret = is_secret(response.request.path)
    # Flask answers OPTIONS itself: there is no page to frame.
    shown = response.request.method != "OPTIONS" and response.status_code in {200, 304}
    framed = shown and response.request.path.startswith("/embed/")
    read = response.headers.get("Access-Control-Allow-Origin") == "*" and response.request.path.startswith(READ)
    read = read and response.status_code < 400
    more = FRAMED if framed else READ_ANYWHERE if read else {}
    for name, value in (HEADERS | (SECRET if secret else {}) | more).items():
        assert response.headers.get(name) == value, f"{response.request.path}: {name}"
    assert "Cache-Control" in response.headers


def check_page(text: str) -> None:
    """Raise `AssertionError`, or an error of the parser, if the HTML in `text` has a fault.

    `text` is a page or a part of a page.
    """
    same, _tokens = without_tokens(text)
    digest = hashlib.blake2b(same.encode(), digest_size=16).digest()
    if digest in FINE:
        return
    root = parse_once(same)
    _nothing_inline(root)
    _ids_once(root)
    _controls_named(root)
    _forms_guarded(root)
    if root.tag == "html":
        _document(root)
    FINE.add(digest)


def _document(root: ET.Element) -> None:
    assert root.get("lang"), "<html> has no lang"
    headings = [words(h1) for h1 in root.iter("h1")]
    assert len(headings) == 1, f"headings: {headings}"
    assert headings[0], "the heading is empty"
    titles = [words(title) for title in root.iter("title")][:1]
    assert titles, "no title"
    assert titles[0].startswith(headings[0]), f"the title {titles[0]!r} does not begin with the heading {headings[0]!r}"
    assert [main.get("id") for main in root.iter("main")] == ["main"], 'not one <main id="main">'
    levels = [int(element.tag[1]) for element in root.iter() if element.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}]
    steps = [later - level for level, later in pairwise(levels)]
    assert all(step <= 1 for step in steps), f"heading levels skip: {levels}"


def _nothing_inline(root: ET.Element) -> None:
    for element in root.iter():
        assert element.tag != "style", "a <style> element"
        assert element.tag != "script" or element.get("src"), "an inline <script>"
        inline = [name for name in element.attrib if name == "style" or name.startswith("on")]
        assert not inline, f"<{element.tag}> has {inline}"
        for name in ("href", "action", "src"):
            assert not element.get(name, "").lstrip().lower().startswith("javascript:"), f"<{element.tag}> has a script"


def _ids_once(root: ET.Element) -> None:
    counted = Counter(element.get("id") for element in root.iter() if "id" in element.attrib)
    assert all(counted), "an empty id"
    assert max(counted.values(), default=1) == 1, f"ids twice: {[name for name, n in counted.items() if n > 1]}"
    for element in root.iter():
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "form"):
            missing = [ref for ref in element.get(name, "").split() if ref not in counted]
            assert not missing, f"<{element.tag} {name}> points at nothing: {missing}"


def _controls_named(root: ET.Element) -> None:
    labels = {label.get("for") for label in root.iter("label") if words(label)}
    wrapped = {inner for label in root.iter("label") if words(label) for inner in label.iter()}
    for element in root.iter():
        kind = element.get("type", "text") if element.tag == "input" else element.tag
        if element.tag in {"input", "select", "textarea"} and kind not in BUTTON_TYPES | {"hidden"}:
            named = element.get("id", "") in labels or element in wrapped or _named_by_aria(element)
            assert named, f"no label for <{element.tag} name={element.get('name')}>"
        elif element.tag in {"a", "button", "summary"}:
            named = bool(words(element)) or _named_by_aria(element) or any(i.get("alt") for i in element.iter("img"))
            assert named, f"<{element.tag}> {element.attrib} has no name"
        elif element.tag == "img":
            assert "alt" in element.attrib, f"no alt for <img src={element.get('src')}>"
        elif element.tag == "input" and kind in {"button", "submit"}:
            assert element.get("value"), "a button without words"


def _named_by_aria(element: ET.Element) -> bool:
    return bool(element.get("aria-label") or element.get("aria-labelledby"))


def _forms_guarded(root: ET.Element) -> None:
    for form in root.iter("form"):
        tokens = [field.get("value") for field in form.iter("input") if field.get("name") == "csrf_token"]
        if form.get("method", "get").lower() == "post":
            assert len(tokens) == 1, f"{len(tokens)} tokens in the form to {form.get('action')}"
            assert tokens[0], f"an empty token in the form to {form.get('action')}"
        else:
            assert not tokens, f"the token would stand in the address: the form to {form.get('action')}"
