"""Game records, auctions and counts are accepted or refused with a sentence; accepted records can be read again."""

from __future__ import annotations

import io
import json
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from hypothesis import strategies as st

from scorekeeper.cli.score import _answered, auction_line, count_line, score_line
from scorekeeper.games.services.table_file import read_text
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import Record, read_record, write_record
from tests.fuzz.budget import fuzz
from tests.fuzz.mutation import json_bytes
from tests.fuzz.samples import AUCTIONS, COUNTS, RECORDS
from tests.support.game import contents
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.fuzz.conftest import NewBook

pytestmark = [pytest.mark.slow, pytest.mark.fuzz]


def told(violation: RuleViolation) -> None:
    """Raise `AssertionError` if the message of a refused record isn't a sentence."""
    assert violation.code
    sentence = str(violation.message)
    assert sentence.endswith((".", "?", "!")), sentence


def written(record: Record) -> dict[str, Any]:
    """Return a record in the form in which it is exported."""
    parts = (record.table, record.names, record.first_dealer, record.hands)
    return write_record(*parts, final=record.final, agreed=record.agreed, extra=record.extra, outcome=record.outcome)


def test_records_are_read_or_refused() -> None:
    """A damaged record is either accepted or refused with a readable message.

    An accepted record has the same score after it is exported and read again.
    """

    def claim(data: bytes) -> None:
        try:
            record = read_text(data)
        except RuleViolation as violation:
            told(violation)
            return
        again = read_record(json.loads(json.dumps(written(record))))
        assert (again.totals, again.scored, again.tally, again.final) == (
            record.totals,
            record.scored,
            record.tally,
            record.final,
        )
        assert score_line(again) == score_line(record)

    assert fuzz(json_bytes(RECORDS), lambda: nullcontext(claim))


@pytest.mark.parametrize(
    ("samples", "answer"),
    [
        (RECORDS, lambda data: score_line(read_record(data))),
        (AUCTIONS, auction_line),
        (COUNTS, count_line),
    ],
    ids=["score", "auction", "count"],
)
def test_the_commands_answer_each_line(samples: tuple[Any, ...], answer: Callable[[Any], dict[str, Any]]) -> None:
    """The `score`, `auction` and `count` commands answer any input line with one line of valid JSON."""
    for sample in samples:
        assert "error" not in answer(sample), sample

    def claim(data: bytes) -> None:
        line = _answered(data.decode("utf-8", "surrogateescape"), answer)
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
        out.flush()
        assert "error" not in line or line["error"]["message"]

    assert fuzz(json_bytes(samples), lambda: nullcontext(claim))


@pytest.mark.database
def test_the_first_page_takes_records_or_says_why_not(new_book: NewBook) -> None:
    """A damaged record on the home page is either imported, or refused without storing anything.

    After an import, all pages of the game work, and the game's export can be imported with the same score.
    """

    @contextmanager
    def claims() -> Iterator[Callable[[tuple[bytes, bool]], None]]:
        with new_book() as app:
            phone = app.test_client()
            assert isinstance(phone, Phone)
            taps = iter(range(10**9))
            token = phone.see("/").form("/games/import").values["csrf_token"]
            held = contents(app)

            def bring(data: bytes, pasted: bool) -> Any:
                fields: dict[str, Any] = {"csrf_token": token, "client_id": f"tap-number-{next(taps):08d}"}
                fields |= (
                    {"text": data.decode("utf-8", "replace")} if pasted else {"record": (io.BytesIO(data), "r.json")}
                )
                return FlaskClient.open(phone, "/games/import", method="POST", data=fields)

            def claim(drawn: tuple[bytes, bool]) -> None:
                nonlocal held
                response = bring(*drawn)
                if response.status_code != 303:
                    assert response.status_code in {413, 422}, response.status
                    assert "Nothing was imported." in response.text
                    assert contents(app) == held
                    return
                seen = []
                for name in ("", "/log", "/table", "/race", "/sheet", "/rules", "/settlement"):
                    answer = FlaskClient.open(phone, response.location + name)
                    assert answer.status_code == 200, f"{name}: {answer.status}"
                for path in (response.location.replace("/games/", "/watch/"), "/"):
                    assert FlaskClient.open(phone, path).status_code == 200, path
                record = FlaskClient.open(phone, f"{response.location}/record.json").data
                again = bring(record, pasted=False)
                assert again.status_code == 303, record
                for path in (response.location, again.location):
                    read = read_text(FlaskClient.open(phone, f"{path}/record.json").data)
                    seen.append((read.totals, read.tally, read.final, read.agreed))
                assert seen[0] == seen[1]
                held = contents(app)

            yield claim

    assert fuzz(st.tuples(json_bytes(RECORDS), st.booleans()), claims)
