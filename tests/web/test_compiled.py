"""Compiled templates and catalogs are kept beside their sources, and made again when the sources change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2
import pytest

from scorekeeper.web.compiled import KeptTemplates, compiled

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


def test_a_file_is_compiled_once_until_it_changes(tmp_path: Path) -> None:
    source, made = tmp_path / "messages.po", list[bytes]()

    def upper(text: bytes) -> bytes:
        made.append(text)
        return text.upper()

    for text in (b"one", b"one", b"two", b"two"):
        source.write_bytes(text)
        assert compiled(source, ".mo", upper) == text.upper()
    assert made == [b"one", b"two"]
    assert len(list((tmp_path / "__pycache__").iterdir())) == 1


def test_every_user_of_the_computer_may_read_what_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "messages.po"
    source.write_bytes(b"one")
    compiled(source, ".mo", bytes.upper)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    assert kept.stat().st_mode & 0o777 == source.stat().st_mode & 0o777


def test_nothing_is_written_if_python_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    source = tmp_path / "messages.po"
    source.write_bytes(b"one")
    assert compiled(source, ".mo", bytes.upper) == b"ONE"
    assert _shown(tmp_path, "Hello") == "Hello"
    assert not (tmp_path / "__pycache__").exists()


def test_a_folder_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_text("no folder")
    source = tmp_path / "messages.po"
    source.write_bytes(b"one")
    assert compiled(source, ".mo", bytes.upper) == b"ONE"
    assert _shown(tmp_path, "Hello") == "Hello"


def test_a_template_is_compiled_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown(tmp_path, "Hello") == "Hello"
    with monkeypatch.context() as patch:
        patch.setattr(jinja2.Environment, "_generate", None)  # what compiles
        assert _shown(tmp_path, "Hello") == "Hello"
    assert _shown(tmp_path, "Good evening") == "Good evening"


def _shown(folder: Path, template: str) -> str:
    """Return the page that a program which has just started makes of `template`."""
    (folder / "page.html").write_text(template)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), bytecode_cache=KeptTemplates(folder), autoescape=True
    )
    return environment.get_template("page.html").render()
