"""The rules by which the ZAP scanner checks ordinary responses: one function for each rule, with ZAP's number.

Each function takes a response and raises `AssertionError` if it breaks the rule. Rules for technology that this app
doesn't use (Java Server Faces, WSDL, ASP.NET's view state, Basic authentication, source code in other languages) are
left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.support.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

    from werkzeug.test import TestResponse

    Rule = Callable[[TestResponse], None]

PROBE = "x'\"><i>probe</i>"
"""Text that is sent in queries; no response may contain it without escaping."""
SELF_CONTAINED = {
    "Server",
    "X-Powered-By",
    "X-AspNet-Version",
    "X-AspNetMvc-Version",
    "X-Generator",
    "X-Backend-Server",
}
TRACE = re.compile(
    r"Traceback \(most recent|File \"/|werkzeug|sqlalchemy|psycopg|jinja2|uvicorn|Python/3|/home/|/usr/lib"
    r"|SELECT .* FROM",
    re.IGNORECASE,
)
PRIVATE = re.compile(r"\b(?:10|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))(?:\.[0-9]{1,3}){2,3}\b")
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[a-z]{2,}\b", re.IGNORECASE)
EPOCH = re.compile(r"\b1[6-9][0-9]{8}(?:[0-9]{3})?\b")
HASHED = re.compile(r"\$argon2|\$2[aby]\$|\b[0-9a-f]{64}\b", re.IGNORECASE)
SUSPICIOUS = re.compile(r"\b(?:TODO|FIXME|BUGS?|XXX|HACK|QUERY|DB|ADMIN|USERNAME|PASSWORD|DEBUG|LATER)\b")
"""Words that developers write in comments as notes to themselves, in upper case."""
COMMENT = re.compile(r"<!--(.*?)-->|/\*(.*?)\*/", re.DOTALL)
SECRET_NAMES = re.compile(r"(?:session|sid|token|password|passwd|secret|csrf|jwt)[a-z_]*=", re.IGNORECASE)
DANGEROUS = re.compile(r"\b(?:eval|document\.write|setTimeout\(['\"]|new Function)\b")
CARD = re.compile(r"\b(?:4[0-9]{15}|5[1-5][0-9]{14})\b")


def is_page(answer: TestResponse) -> bool:
    """Return whether the response is an HTML page with content."""
    return answer.mimetype == "text/html" and bool(answer.data) and not 300 <= answer.status_code < 400


def is_text(answer: TestResponse) -> bool:
    """Return whether the response has text that the app made for this request; style sheets and scripts don't count."""
    return str(answer.mimetype) in {"text/html", "application/json", "text/plain", "text/csv"} and bool(answer.data)


def is_embed(answer: TestResponse) -> bool:
    """Return whether the response is an embed, which other websites may show in a frame."""
    return answer.request.path.startswith("/embed/") and answer.status_code < 400


def is_open(answer: TestResponse) -> bool:
    """Return whether scripts of other websites may read the response: an embed, the API, or a feed of a league."""
    path = answer.request.path
    is_feed = path.startswith("/clubs/") and path.endswith((".atom", ".ics"))
    return path.startswith("/api/") or (answer.status_code < 400 and (path.startswith("/embed/") or is_feed))


def is_secure(answer: TestResponse) -> bool:
    """Return whether the request was made over HTTPS."""
    return bool(answer.request.scheme == "https")


def elements(answer: TestResponse, *tags: str) -> Iterator[Element]:
    """Yield the elements of a page that have one of the `tags`; without `tags`, yield all elements.

    A response that isn't a page has no elements.
    """
    if is_page(answer):
        yield from (element for element in Page(answer).tree.iter() if not tags or element.tag in tags)


def directives(answer: TestResponse) -> dict[str, list[str]]:
    """Return the response's Content-Security-Policy as a dict with a list of values by name of the directive."""
    told = [part.split() for part in answer.headers.get("Content-Security-Policy", "").split(";") if part.strip()]
    return {name: values for name, *values in told}


def cookies(answer: TestResponse) -> Iterator[tuple[str, set[str]]]:
    """Yield (name, attributes in lower case) for each cookie that the response sets."""
    for line in answer.headers.getlist("Set-Cookie"):
        yield line.partition("=")[0], {word.strip().lower() for word in line.split(";")[1:]}


def private_address(answer: TestResponse) -> None:
    if is_text(answer):
        assert not PRIVATE.search(answer.text)


def session_in_address(answer: TestResponse) -> None:
    for element in elements(answer, "a", "form", "link"):
        address = str(element.get("href") or element.get("action") or "")
        assert not SECRET_NAMES.search(urlsplit(address).query), address
    assert not SECRET_NAMES.search(urlsplit(answer.headers.get("Location", "")).query)


def cookie_out_of_reach_of_scripts(answer: TestResponse) -> None:
    for name, words in cookies(answer):
        assert "httponly" in words, name


def cookie_encrypted(answer: TestResponse) -> None:
    for name, words in cookies(answer):
        assert ("secure" in words) == is_secure(answer), name
        assert name.startswith("__Host-") == is_secure(answer), name


def cookie_of_this_site(answer: TestResponse) -> None:
    for name, words in cookies(answer):
        assert words & {"samesite=lax", "samesite=strict"}, name


def cookie_of_this_host(answer: TestResponse) -> None:
    for name, words in cookies(answer):
        assert "path=/" in words, name
        assert not [word for word in words if word.startswith("domain")], name


def cookie_not_as_asked(answer: TestResponse) -> None:
    for line in answer.headers.getlist("Set-Cookie"):
        assert "probe" not in line


def kept_by_nobody_else(answer: TestResponse) -> None:
    told = answer.cache_control
    assert answer.headers.get("Cache-Control"), "nothing is said of caches"
    if "Set-Cookie" in answer.headers:
        assert not told.public, "a cookie for one in a page for all"
    if answer.status_code == 200 and is_page(answer):
        assert told.no_store or told.no_cache, told
    if told.public:
        assert "Cookie" not in answer.headers.get("Vary", "")
    assert not {"Age", "X-Cache"} & set(answer.headers.keys())


def no_script_from_elsewhere(answer: TestResponse) -> None:
    for element in elements(answer, "script", "link", "img", "iframe", "source"):
        address = urlsplit(str(element.get("src") or element.get("href") or ""))
        assert address.netloc in {"", urlsplit(answer.request.url).netloc}, address


def says_what_it_is(answer: TestResponse) -> None:
    if not answer.data:
        return
    kind = answer.headers.get("Content-Type", "")
    assert kind, "no type"
    if kind.startswith(("text/", "application/xml")) or "+xml" in kind:
        assert "charset=utf-8" in kind.lower(), kind
    for meta in elements(answer, "meta"):
        assert meta.get("charset") in {None, "utf-8"}
    first = answer.data.lstrip()[:1]
    if answer.mimetype == "application/json":
        assert first in b'{["', kind
    markup = {"text/html", "image/svg+xml", "application/atom+xml"}
    assert (first == b"<") <= (answer.mimetype in markup), f"{kind}: {answer.data[:40]!r}"


def in_no_frame(answer: TestResponse) -> None:
    if is_embed(answer):
        assert not list(elements(answer, "script", "form", "iframe", "object")), "an embed only shows"
        return
    assert directives(answer).get("frame-ancestors") == ["'none'"]


def types_are_not_guessed(answer: TestResponse) -> None:
    assert answer.headers.get("X-Content-Type-Options") == "nosniff"


def no_traces(answer: TestResponse) -> None:
    if is_text(answer):
        assert not TRACE.search(answer.text)
    assert not {"X-ChromeLogger-Data", "X-Debug-Token", "X-Debug-Token-Link"} & set(answer.headers.keys())


def nothing_secret_asked_by_address(answer: TestResponse) -> None:
    for form in elements(answer, "form"):
        if str(form.get("method", "get")).lower() == "get":
            kinds = {(field.get("type"), field.get("name")) for field in form.iter("input")}
            assert not [name for kind, name in kinds if kind == "password" or SECRET_NAMES.match(f"{name}=")]


def nothing_told_by_where_from(answer: TestResponse) -> None:
    told = answer.headers.get("Referrer-Policy")
    assert told == "no-referrer" if is_embed(answer) else told in {"same-origin", "strict-origin"}


def no_notes_of_ours(answer: TestResponse) -> None:
    if is_page(answer) or answer.mimetype in {"text/javascript", "text/css"}:
        for found in COMMENT.finditer(answer.text):
            words = found[1] or found[2] or ""
            if "licen" not in words.lower() and "@license" not in words:
                assert not SUSPICIOUS.search(words), words[:200]


def leads_to_our_own_pages(answer: TestResponse) -> None:
    to = urlsplit(answer.headers.get("Location", ""))
    assert to.netloc in {"", urlsplit(answer.request.url).netloc}
    assert not answer.headers.get("Location", "").startswith(("//", "/\\"))
    if 300 <= answer.status_code < 400 and answer.status_code != 304:
        assert len(answer.data) < 1000, "a page behind a redirect"
    assert "Refresh" not in answer.headers
    for meta in elements(answer, "meta"):
        assert meta.get("http-equiv") in {None, "refresh"}
        assert meta.get("http-equiv") is None or str(meta.get("content")).isdigit(), "only the page itself, again"


def nothing_comes_back_as_sent(answer: TestResponse) -> None:
    if is_page(answer) or answer.mimetype == "image/svg+xml":
        assert PROBE not in answer.text
        assert "<i>probe" not in answer.text
    assert "probe" not in answer.headers.get("Content-Type", "")


def no_folder_is_listed(answer: TestResponse) -> None:
    if is_page(answer):
        assert "Index of /" not in answer.text
        assert "Directory listing" not in answer.text


def stays_encrypted(answer: TestResponse) -> None:
    told = answer.headers.get("Strict-Transport-Security", "")
    assert bool(told) == is_secure(answer)
    if told:
        assert int(told.partition("max-age=")[2].partition(";")[0]) >= 365 * 24 * 3600


def no_program_is_named(answer: TestResponse) -> None:
    assert not SELF_CONTAINED & set(answer.headers.keys())
    assert not [meta for meta in elements(answer, "meta") if meta.get("name") == "generator"]


def policy_is_strict(answer: TestResponse) -> None:
    told = directives(answer)
    if is_embed(answer):
        assert told.pop("frame-ancestors") == ["*", "file:"]
        assert told.pop("style-src") == ["'self'"]
        assert set(told) == {"default-src", "base-uri", "form-action"}
        assert all(values == ["'none'"] for values in told.values())
        return
    assert told.get("default-src") == ["'self'"]
    for name in ("base-uri", "object-src", "frame-ancestors"):
        assert told.get(name) == ["'none'"], name
    assert told.get("form-action") == ["'self'"]
    for name, values in told.items():
        assert set(values) <= {"'self'", "'none'"}, f"{name}: {values}"


def nothing_inline(answer: TestResponse) -> None:
    for element in elements(answer):
        assert element.tag != "style"
        assert "style" not in element.attrib
        assert not [name for name in element.attrib if name.startswith("on")]
        for name in ("href", "src", "action", "formaction"):
            assert not str(element.get(name, "")).strip().lower().startswith(("javascript:", "data:", "vbscript:"))
        if element.tag == "script" and element.get("type") != "application/json":
            assert element.get("src"), "a script without a file"


def nothing_unencrypted(answer: TestResponse) -> None:
    if is_secure(answer):
        for element in elements(answer):
            for name in ("src", "srcset", "action", "formaction", "data", "poster", "href"):
                address = str(element.get(name, ""))
                assert not address.startswith("http://"), f"<{element.tag} {name}={address}>"


def forms_go_to_us(answer: TestResponse) -> None:
    for form in elements(answer, "form"):
        address = urlsplit(str(form.get("action", "")))
        assert address.netloc in {"", urlsplit(answer.request.url).netloc}


def forms_carry_their_token(answer: TestResponse) -> None:
    for form in elements(answer, "form"):
        if str(form.get("method", "get")).lower() == "post":
            assert [field for field in form.iter("input") if field.get("name") == "csrf_token" and field.get("value")]


def passwords_can_be_filled_in(answer: TestResponse) -> None:
    for field in elements(answer, "input"):
        if field.get("type") == "password":
            assert field.get("autocomplete") in {"current-password", "new-password"}
            assert "maxlength" not in field.attrib, "what is pasted would be cut off"


def camera_and_place_stay_off(answer: TestResponse) -> None:
    told = answer.headers.get("Permissions-Policy", "")
    assert all(f"{name}=()" in told for name in ("camera", "geolocation", "microphone", "payment", "usb"))


def no_other_site_reads_it(answer: TestResponse) -> None:
    told = {name: value for name, value in answer.headers.items() if name.startswith("Access-Control-")}
    if is_open(answer):
        assert told.pop("Access-Control-Allow-Origin", "*") == "*"
        assert set(told) <= {"Access-Control-Expose-Headers"}, "credentials, or more than reading"
        assert "Set-Cookie" not in answer.headers
    else:
        assert not told
        assert answer.headers.get("Cross-Origin-Resource-Policy") == "same-origin"
    if is_secure(answer):
        assert answer.headers.get("Cross-Origin-Opener-Policy") == "same-origin"


def no_seconds_since_1970(answer: TestResponse) -> None:
    if is_page(answer):
        assert not EPOCH.search(Page(answer).text), "in what is read; a seed of a draw may look like one"


def no_hash_of_a_secret(answer: TestResponse) -> None:
    if is_text(answer):
        assert not HASHED.search(answer.text)


def nobody_is_identified(answer: TestResponse) -> None:
    if is_page(answer):
        assert not MAIL.search(answer.text)
        assert not CARD.search(answer.text)


def a_new_window_knows_nothing_of_ours(answer: TestResponse) -> None:
    for link in elements(answer, "a", "form"):
        if link.get("target") == "_blank":
            assert "noopener" in str(link.get("rel", "")).split()


def no_script_runs_text(answer: TestResponse) -> None:
    if answer.mimetype == "text/javascript" and "/vendor/" not in answer.request.path:
        assert not DANGEROUS.search(answer.text)


RULES: dict[str, Rule] = {
    "2 private IP": private_address,
    "3, 10024 session or secret in an address": session_in_address,
    "10010 cookie without HttpOnly": cookie_out_of_reach_of_scripts,
    "10011 cookie without Secure": cookie_encrypted,
    "10054 cookie without SameSite": cookie_of_this_site,
    "90033 cookie of a domain": cookie_of_this_host,
    "10029 cookie made of what was asked": cookie_not_as_asked,
    "10015, 10049, 10050 caches": kept_by_nobody_else,
    "10017, 90003 script of another site": no_script_from_elsewhere,
    "10019, 10030, 90011 type and charset": says_what_it_is,
    "10020 framing": in_no_frame,
    "10021 type sniffing": types_are_not_guessed,
    "10023, 10052, 10056, 90022 traces and debugging": no_traces,
    "10024 secret sent by GET": nothing_secret_asked_by_address,
    "10025 secret in Referer": nothing_told_by_where_from,
    "10027 suspicious comments": no_notes_of_ours,
    "10028, 10044 open or big redirect": leads_to_our_own_pages,
    "10031, 10043 what was sent comes back": nothing_comes_back_as_sent,
    "10033 directory browsing": no_folder_is_listed,
    "10035 HSTS": stays_encrypted,
    "10036, 10037, 10039, 10061 banners": no_program_is_named,
    "10038, 10055 CSP": policy_is_strict,
    "10055 inline script or style": nothing_inline,
    "10040, 10041, 10042 mixed content": nothing_unencrypted,
    "10041 form to another site": forms_go_to_us,
    "10202 form without its token": forms_carry_their_token,
    "10012 password fields": passwords_can_be_filled_in,
    "10063 Permissions-Policy": camera_and_place_stay_off,
    "10098, 90004 CORS and isolation": no_other_site_reads_it,
    "10096 timestamps": no_seconds_since_1970,
    "10097 hashes": no_hash_of_a_secret,
    "10062 mail addresses and card numbers": nobody_is_identified,
    "10108 reverse tabnabbing": a_new_window_knows_nothing_of_ours,
    "10110 dangerous JavaScript": no_script_runs_text,
}
"""Maps ZAP's number and name of a rule to the function that checks the rule."""
