"""Find words that we no longer use (see `RULES`) in pages, docstrings, comments and documents.

Run: python -m tests.support.words [path…] (prints each with its place and what to say instead; no path: everything)
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE, CODE, DOCUMENT = "page", "code", "document"
PLACES = ("scorekeeper", "templates", "static", "tests", "README.md", "CHANGELOG.md", ".github")
EVERYWHERE = frozenset((PAGE, CODE, DOCUMENT))
PAGES = frozenset((PAGE,))
TECHNICAL = frozenset((CODE, DOCUMENT))


@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase that we don't use, the words to use instead, and the kinds of text in which the phrase is forbidden."""

    phrase: str
    """Regular expression; letter case doesn't matter unless the expression says so."""
    say: str
    places: frozenset[str] = EVERYWHERE


RULES = (
    Rule(r"score ?books?", "Scorekeeper, the server, the database or the app"),
    Rule(r"whoever|whomever|of whom|that which", "a person or a thing as the subject"),
    Rule(r"(?-i:(?:^|(?<=[.!:;] ))(?:Who|Whose|Whom)\b(?![^.!:;]*\?)[^.!?]*[.!])", "a person as the subject"),
    Rule(r"somebody else sits|stands? in for|stood in for", "substitute, plays for"),
    Rule(r"(?:bring|brings|bringing|brought) (?:it |them )?in\b", "import"),
    Rule(r"str(?:ike|ikes|uck|iking) (?:\w+ )?out", "delete, undo"),
    Rule(r"send(?:s|ing)? (?:\w+ )?away|sent (?:\w+ )?away", "remove"),
    Rule(r"keep it so|keep it like|note it\b|write it down", "Save", PAGES),
    Rule(r"(?:was|were|is|are|be|been|gets?) (?:\w+ )?written down|writes? down|writing down|wrote down", "save"),
    Rule(r"(?:draw|drawn|draws) (?:of |the |a )?rounds?|rounds? (?:is|are|was|were) drawn", "make the seating"),
    Rule(r"level (?:at|in|on|with)\b|(?:is|are|was|were|be|stay|still) level", "tied"),
    Rule(r"(?:takes?|has|have|without|for) (?:a|no|any) place\b|takes no place", "ranked, unranked"),
    Rule(r"played out", "final, finished"),
    Rule(r"being played", "in progress, current"),
    Rule(r"everything that (?:ever )?happened", "history, event log"),
    Rule(r"reckon\w*", "calculate, work out"),
    Rule(r"\b(?:he|she|his|hers|him|himself|herself)\b", "they, their"),
    Rule(r"purse", "kitty, side pot"),
    Rule(r"cannot be\.|that cannot be$|which cannot be\b(?! \w)", "say what is wrong"),
    Rule(r"(?:secret|long|random|right|wrong) words?\b", "token, code", TECHNICAL),
    Rule(r"(?:late|same|this|that|each|every|one|a) tap (?:is|was|that|makes|comes|came|of)", "request", TECHNICAL),
    Rule(r"of (?:one's|the) own\b", "their own", PAGES),
    Rule(r"for instance", "for example, e.g.", PAGES),
    Rule(r"in the meantime|meanwhile", "name what happened first", PAGES),
    Rule(r"is known of|known of (?:them|it|a)", "know about"),
    Rule(r"colour|favour|honour|behaviour|cancelled|neighbour", "American spelling"),
    Rule(r"shall\b", "must, will"),
    Rule(r"thereby|therein|thereof|hereby|whereby|wherein", "plain words"),
    Rule(r"one's\b", "their, your"),
    Rule(r"opens? (?:nothing|no more)\b", "no longer works", PAGES),
    Rule(r"(?:has|have|was|were|is|are) (?:no|not) (?:signal|place|seat) any ?more", "no longer"),
)
ALLOWED = frozenset(
    (file, words)
    for file, allowed in {
        "tests/rules/SOURCES.md": (
            "he",
            "his",
            "she",
        ),
        "tests/rules/family/others/sources.md": (
            "he",
            "his",
            "she",
        ),
        "tests/rules/family/smear/sources.md": (
            "himself",
            "whoever",
        ),
        "tests/rules/family/ten_point/sources.md": ("whoever",),
        "tests/rules/test_violations.py": ("colour",),
    }.items()
    for words in allowed
)
"""Uses that are right, as (file, words in lower case): quoted sources, and an unknown field of a record."""
COMPILED = tuple((rule, re.compile(rf"(?i)(?<![\w-])(?:{rule.phrase})(?![\w-])")) for rule in RULES)
ANY = re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(f'(?:{rule.phrase})' for rule in RULES)})(?![\w-])")
"""Matches each text in which one of `RULES` matches; most texts have none, so one search is enough for them."""


@dataclass(frozen=True, slots=True)
class Found:
    """A forbidden phrase that was found, with its place in the project and the words to use instead.

    `file` is relative to the project's root.
    """

    file: str
    line: int
    words: str
    say: str


def texts_of(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield (line number, kind of text, text) for everything in a file that people may read.

    The kinds are `PAGE`, `CODE` and `DOCUMENT`.
    """
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from code_of(source)
    elif path.suffix == ".html":
        for number, line in enumerate(re.sub(r"<[a-z/][^>]*>", " ", source).splitlines(), 1):
            yield number, PAGE, line.strip()
    elif path.suffix in {".js", ".css"}:
        for match in re.finditer(r"/\*.*?\*/|//[^\n]*", source, re.DOTALL):
            yield source.count("\n", 0, match.start()) + 1, CODE, joined(match.group())
    elif path.suffix == ".md":
        for number, line in enumerate(source.splitlines(), 1):
            yield number, DOCUMENT, line


def code_of(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line number, kind of text, text) for each text in the source of a Python file that people may read.

    Docstrings and comments are of the kind `CODE`, and other strings with a space are of the kind `PAGE`. Comments are
    left out if none of them can have a phrase that we don't use.
    """
    tree = ast.parse(source)
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, CODE if id(node) in bare else PAGE, joined(node.value)
    if not any(ANY.search(text) for line in source.splitlines() for text in after_signs(line)):
        return  # no comment can have a phrase that we don't use, and finding the comments takes long
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], CODE, token.string.lstrip("# ")


def after_signs(line: str) -> Iterator[str]:
    """Yield the text after each "#" in a line; one of these texts is the line's comment, if the line has one."""
    return (line[match.start() :].lstrip("# ") for match in re.finditer("#", line))


def joined(text: str) -> str:
    """Return a text of several lines as one line, without the asterisk with which a line of a comment may start."""
    return re.sub(r"\s+(?:\* )?", " ", text).strip()


def found_in_text(text: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield (phrase, words to use instead) for each phrase in `text` that we don't use; `kind` is the kind of text."""
    if not ANY.search(text):
        return
    for rule, pattern in COMPILED:
        if kind in rule.places:
            yield from ((match.group(), rule.say) for match in pattern.finditer(text))


def found_in(path: Path, allowed: frozenset[tuple[str, str]] | None = None) -> Iterator[Found]:
    """Yield each phrase in a file that we don't use, except for the exceptions in `allowed`.

    If `allowed` is None, the exceptions are those in `ALLOWED`.
    """
    name = str(path.relative_to(ROOT))
    exceptions = ALLOWED if allowed is None else allowed
    for line, kind, text in texts_of(path):
        for phrase, say in found_in_text(text, kind):
            if (name, phrase.lower()) not in exceptions:
                yield Found(name, line, phrase, say)


def files_of(*paths: Path) -> list[Path]:
    """Return the files in `paths` that contain text for people, sorted by path.

    Without `paths`, return such files of the whole project.
    """
    places = paths or tuple(
        ROOT / each for each in ("scorekeeper", "templates", "static", "tests", "README.md", "CHANGELOG.md", ".github")
    )
    kinds = {".py", ".html", ".js", ".css", ".md"}
    inside = (each for place in places for each in ([place] if place.is_file() else place.rglob("*")))
    own = {Path(__file__).resolve(), ROOT / "tests" / "test_words.py"}
    return sorted(each for each in inside if each.suffix in kinds and each not in own)


if __name__ == "__main__":
    number = 0
    for each in files_of(*(Path(name).resolve() for name in sys.argv[1:])):
        for found in found_in(each):
            number += 1
            print(f'{found.file}:{found.line}: "{found.words}" -> {found.say}')
    sys.exit(f"{number} found" if number else 0)
