"""Read a page in tests: its text, elements and forms."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from tests.support.strict_html import parse_strictly

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

CHANGING = re.compile(
    r'(?<=value=")[\w.-]{16,}(?=")'  # the token of a form, the id of a tap
    r"|(?<=/)[23456789bcdfghjkmnpqrstvwxz]{10}\b"  # the address of a game
)
"""Pattern of tokens and ids, which differ between pages with the same content."""
STAND_IN = re.compile(r"stand-in-(\d+)-")
BUTTON_TYPES = {"button", "image", "reset", "submit"}


@dataclass(frozen=True, slots=True)
class Form:
    """A form on a page, with the values that a browser sends if the person changes no field."""

    action: str
    values: dict[str, str | list[str]]
    names: frozenset[str]
    """Names of all fields and buttons of the form, including those that a browser wouldn't send."""


class Page:
    """A response to a request, parsed as an HTML page."""

    def __init__(self, response: TestResponse) -> None:
        self.response = response
        self.status = response.status_code
        self.path = response.request.path

    @cached_property
    def tree(self) -> ET.Element:
        """The root element of the document."""
        return parse(self.response.text)

    @property
    def text(self) -> str:
        """The whole text of the page, with single spaces."""
        body = self.tree.find("body")
        return words(self.tree if body is None else body)

    @property
    def h1(self) -> str:
        """The text of the page's only `h1` heading."""
        return words(self.one("h1"))

    def one(self, tag: str, **attributes: str) -> ET.Element:
        """Return the only element with this tag and these attributes; `class_` must be one of the element's classes.

        Raises `AssertionError` unless there is exactly one such element.
        """
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} <{tag}> with {attributes} on {self.path}"
        return found[0]

    def all(self, tag: str, **attributes: str) -> list[ET.Element]:
        """Return all elements with this tag and these attributes; `class_` must be one of each element's classes."""
        wanted = dict(attributes)
        klass = wanted.pop("class_", None)
        return [
            element
            for element in self.tree.iter(tag)
            if all(element.get(name) == value for name, value in wanted.items())
            and (klass is None or klass in element.get("class", "").split())
        ]

    def form(self, action: str) -> Form:
        """Return the first form that is sent to the address `action`. Raises `AssertionError` if there is none."""
        for element in self.all("form"):
            if element.get("action", self.path) == action:
                elsewhere = [field for field in self.tree.iter() if element.get("id", "") == field.get("form")]
                return _read_form([*element.iter(), *elsewhere], action)
        raise AssertionError(f"no form to {action} on {self.path}: {[f.get('action') for f in self.all('form')]}")


def parse(text: str) -> ET.Element:
    """Return the root element of `text`, which is an HTML document or a part of one.

    Raises `HTMLFaultError` if the HTML has a fault. Parsing takes most of the time of a test, and most
    pages differ from pages of other tests only in their tokens. So each page is parsed once without tokens, and the
    tokens are put into a copy of the result.
    """
    same, tokens = without_tokens(text)
    root = deepcopy(parse_once(same))

    def put_back(told: str) -> str:
        return STAND_IN.sub(lambda match: tokens[int(match.group(1))], told) if "stand-in-" in told else told

    for element in root.iter():
        element.text, element.tail = put_back(element.text or ""), put_back(element.tail or "")
        for name, value in element.attrib.items():
            element.attrib[name] = put_back(value)
    return root


def without_tokens(text: str) -> tuple[str, list[str]]:
    """Return `text` with a placeholder for each different token, and the list of these tokens.

    The tokens are in the order in which they first appear.
    """
    tokens = list(dict.fromkeys(CHANGING.findall(text)))
    places = {token: f"stand-in-{place}-" for place, token in enumerate(tokens)}
    return CHANGING.sub(lambda match: places[match.group()], text), tokens


@lru_cache(maxsize=256)
def parse_once(text: str) -> ET.Element:
    """Return the root element of `text`. Raises the same error as `parse` if the HTML has a fault.

    The element is cached and shared, so callers must not change it.
    """
    return parse_strictly(text)


def words(element: ET.Element) -> str:
    """Return the text of `element` with single spaces."""
    return " ".join("".join(element.itertext()).split())


def way_named(page: Page, label: str) -> str | None:
    """Return the address of the link whose text is `label`, or None if the page has no such link."""
    return next((link.get("href") for link in page.all("a") if words(link) == label), None)


def _read_form(fields: list[ET.Element], action: str) -> Form:
    sent: dict[str, list[str]] = {}
    names = set()
    for field in fields:
        name = field.get("name")
        if name is None or field.tag not in {"button", "input", "select", "textarea"} or "disabled" in field.attrib:
            continue
        names.add(name)
        sent.setdefault(name, []).extend(_values(field))
    return Form(action, {name: v[0] if len(v) == 1 else v for name, v in sent.items() if v}, frozenset(names))


def _values(field: ET.Element) -> list[str]:
    kind = field.get("type", "text")
    if field.tag == "button" or (field.tag == "input" and kind in BUTTON_TYPES | {"file"}):
        return []
    if field.tag == "select":
        options = list(field.iter("option"))
        chosen = [option for option in options if "selected" in option.attrib] or options[:1]
        return [option.get("value", words(option)) for option in chosen]
    if field.tag == "textarea":
        return ["".join(field.itertext())]
    if kind in {"checkbox", "radio"}:
        return [field.get("value", "on")] if "checked" in field.attrib else []
    return [field.get("value", "")]
