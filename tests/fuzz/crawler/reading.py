"""Read the links and forms of a page fast enough for thousands of pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
OPTIONAL = frozenset(
    ("p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "html", "head", "body")
)
"""Tags that need no end tag."""
CODES = frozenset(("printed", "code-word"))
"""CSS classes of elements with backup codes and printed codes."""


@dataclass(slots=True)
class Field:
    """A form field: its kind, its current value, and the values that a browser could send for it.

    `on` is True if a checkbox or radio button is checked. `low` and `high` are the limits of a number field, or "" if
    it has none.
    """

    name: str
    kind: str
    value: str = ""
    choices: list[str] = field(default_factory=list)
    on: bool = False
    low: str = ""
    high: str = ""


@dataclass(slots=True)
class Form:
    """A form of a page, with its fields and buttons.

    `buttons` lists (name, value, address) for each button. The address is "" if the button sends the form to the form's
    own address.
    """

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class Reader(HTMLParser):
    """A parser that collects the content of a page.

    `links` are the addresses on this site. `faults` are sentences about tags that don't match. `handed` are links that
    are meant to be shared with other people. `codes` are the backup codes and other codes on the page.
    """

    def __init__(self, path: str, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.handed: list[str] = []
        self.codes: list[str] = []
        self.faults: list[str] = []
        self._ids: dict[str, Form] = {}
        self._elsewhere: list[tuple[str, str, dict[str, str]]] = []
        self._open: list[str] = []
        self._form: Form | None = None
        self._select: Field | None = None
        self._area: Field | None = None
        self._in_code = False
        self.feed(text)
        self.close()
        for owner, tag, attributes in self._elsewhere:
            if owner in self._ids:
                self._add(self._ids[owner], tag, attributes)
        self.faults += [f"<{tag}> is never closed" for tag in self._open if tag not in OPTIONAL]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the link, form, field, button or option that a start tag begins."""
        told = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append(tag)
        if tag == "p" and told.get("class") in CODES:
            self._in_code = True
            self.codes.append("")
        if "data-share" in told:
            self.handed.append(self._here(told["data-share"]))
        if tag in {"a", "link", "img", "script", "object"}:
            address = told.get("href") or told.get("src") or told.get("data") or ""
            if not address.startswith("#"):
                self._link(address)
        elif tag == "form":
            self._form = Form(self._here(told.get("action", "")), told.get("method", "get").upper())
            self.forms.append(self._form)
            self._ids[told.get("id", "")] = self._form
        elif tag in {"input", "button", "select", "textarea"}:
            if told.get("form"):
                self._elsewhere.append((told["form"], tag, told))
            elif self._form is not None:
                self._add(self._form, tag, told)
        elif tag == "option" and self._select is not None:
            self._select.choices.append(told.get("value", ""))
            if "selected" in told or len(self._select.choices) == 1:
                self._select.value = self._select.choices[-1]

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and add a fault if an element inside it that needs a closing tag is still open."""
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._area = None
        elif tag == "p":
            self._in_code = False
        while self._open and self._open[-1] != tag and self._open[-1] in OPTIONAL:
            self._open.pop()
        if self._open and self._open[-1] == tag:
            self._open.pop()
        elif tag not in OPTIONAL and tag not in VOID:
            self.faults.append(f"</{tag}> closes nothing, within {self._open[-3:]}")

    def handle_data(self, data: str) -> None:
        """Store text inside a text area or a code."""
        if self._in_code:
            self.codes[-1] += data
        if self._area is not None:
            self._area.value += data

    def _link(self, address: str) -> None:
        parts = urlsplit(urljoin(f"http://localhost{self.path}", address)) if address else None
        if parts is not None and parts.scheme == "http" and parts.netloc == "localhost":
            self.links.append(parts.path + (f"?{parts.query}" if parts.query else ""))

    def _here(self, address: str) -> str:
        parts = urlsplit(urljoin(f"http://localhost{self.path}", address))
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def _add(self, form: Form, tag: str, told: dict[str, str]) -> None:
        if "disabled" in told:
            return
        name, kind = told.get("name", ""), told.get("type", "text" if tag == "input" else tag)
        if tag == "button" or kind == "submit":
            if told.get("type", "submit") == "submit":
                elsewhere = self._here(told["formaction"]) if "formaction" in told else ""
                form.buttons.append((name, told.get("value", ""), elsewhere))
            return
        if not name:
            return
        on = "checked" in told
        if kind == "radio":
            known = next((each for each in form.fields if each.name == name and each.kind == "radio"), None)
            if known is None:
                known = Field(name, "radio")
                form.fields.append(known)
            known.choices.append(told.get("value", "on"))
            if on:
                known.value, known.on = known.choices[-1], True
            return
        if "[0-9]" in told.get("pattern", ""):
            kind = "digits"
        made = Field(name, kind, told.get("value", "on" if kind == "checkbox" else ""), on=on)
        made.low, made.high = told.get("min", ""), told.get("max", "")
        form.fields.append(made)
        if tag == "select":
            self._select = made
        elif tag == "textarea":
            self._area = made
