"""Parse HTML, and refuse what a browser would have to mend.

html5lib does the same by the letter of the standard, but takes five times as long, which was a tenth of the test suite.
This parser is stricter about end tags, and knows of the content models only what pages get wrong. Every page of the
program is also parsed by html5lib, in the slow test of `tests/security/test_headers.py`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import unescape
from html.parser import HTMLParser

TEXT_ONLY = frozenset({"textarea", "title"})
"""Elements in which tags are text."""
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
"""Elements without an end tag."""
CLOSES_P = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "table",
        "ul",
    }
)
"""Elements that end a paragraph, so they can't be inside one."""
NOT_IN_ITSELF = frozenset({"a", "button", "form", "h1", "h2", "h3", "h4", "h5", "h6", "label", "option", "p"})
INSIDE = {
    "table": {"caption", "colgroup", "thead", "tbody", "tfoot", "tr"},
    "thead": {"tr"},
    "tbody": {"tr"},
    "tfoot": {"tr"},
    "tr": {"td", "th"},
    "colgroup": {"col"},
    "select": {"option", "optgroup", "hr"},
    "optgroup": {"option"},
}
"""What may be inside elements in which a browser moves or drops anything else. Texts are in none of them."""
PARENTS = {
    "tr": {"table", "thead", "tbody", "tfoot"},
    "td": {"tr"},
    "th": {"tr"},
    "option": {"select", "optgroup", "datalist"},
}
LOOSE = re.compile(r"&(?=[a-zA-Z#])(?!#[0-9]+;|#x[0-9a-fA-F]+;|[a-zA-Z][a-zA-Z0-9]*;)|<(?![a-zA-Z/!])")
"""Characters that should be written as `&amp;` or `&lt;`."""


class HTMLFaultError(Exception):
    """HTML that a browser would have to mend."""


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = ET.Element("part")
        self.stack = [self.top]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parent, open_tags = self.stack[-1].tag, {element.tag for element in self.stack}
        if len(dict(attrs)) < len(attrs):
            raise HTMLFaultError(f"an attribute of <{tag}> stands twice")
        if tag in open_tags & NOT_IN_ITSELF:
            raise HTMLFaultError(f"<{tag}> inside <{tag}>")
        if tag in CLOSES_P and "p" in open_tags:
            raise HTMLFaultError(f"<{tag}> inside <p>")
        if tag not in INSIDE.get(parent, {tag}) | {"script", "template"} or parent not in PARENTS.get(tag, {parent}):
            raise HTMLFaultError(f"<{tag}> inside <{parent}>")
        element = ET.SubElement(self.stack[-1], tag, {name: value or "" for name, value in attrs})
        if tag not in VOID:
            self.stack.append(element)
        if tag in TEXT_ONLY:
            self.set_cdata_mode(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            if not any(element.tag in {"svg", "math"} for element in self.stack):
                raise HTMLFaultError(f"<{tag}/> is not closed by its slash")
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        if self.stack[-1].tag != tag:
            raise HTMLFaultError(f"</{tag}> inside <{self.stack[-1].tag}>")
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        inside = self.stack[-1]
        if inside.tag in TEXT_ONLY:
            data = unescape(data)
        if inside.tag in {"pre", "textarea"} and not len(inside) and not inside.text:
            data = data.removeprefix("\n")
        if data.strip() and inside.tag in INSIDE:
            raise HTMLFaultError(f"text inside <{inside.tag}>: {data.strip()}")
        if len(inside):
            inside[-1].tail = (inside[-1].tail or "") + data
        else:
            inside.text = (inside.text or "") + data


def parse_strictly(text: str) -> ET.Element:
    """Return the root element of an HTML document, or an element `part` around a part of one.

    Raises `HTMLFaultError` if the HTML has a fault.
    """
    loose = LOOSE.search(text)
    if loose:
        raise HTMLFaultError(f"not written as it must be: {text[loose.start() : loose.start() + 30]!r}")
    parser = _Parser()
    parser.feed(text.replace("\r\n", "\n"))
    parser.close()
    if len(parser.stack) > 1:
        raise HTMLFaultError(f"<{parser.stack[-1].tag}> is not closed")
    if text.lstrip()[:9].lower() != "<!doctype":
        return parser.top
    if [element.tag for element in parser.top] != ["html"]:
        raise HTMLFaultError("not one <html>")
    return parser.top[0]
