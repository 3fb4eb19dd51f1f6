"""The times at which a message is sent again after failed attempts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scorekeeper.leagues.outbox.outcome import (
    ERRORS,
    LONGEST,
    MOST_ATTEMPTS,
    SENT,
    State,
    after,
    failed,
    retry,
    unknown,
)


def test_pauses_grow_from_a_minute_to_six_hours() -> None:
    """The pauses between attempts grow from a minute to six hours, and the eighth attempt is the last."""
    pauses = [after(retry("busy"), number)[1] for number in range(1, MOST_ATTEMPTS)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1], MOST_ATTEMPTS) == (timedelta(minutes=1), timedelta(hours=6), 8)
    assert after(retry("busy"), MOST_ATTEMPTS)[0] is State.FAILED


@pytest.mark.parametrize("outcome", [SENT, failed("refused", 404), unknown("no_answer")])
def test_other_outcomes_are_final(outcome: object) -> None:
    assert after(outcome, 1)[0] is outcome.state  # type: ignore[arg-type, attr-defined]


def test_server_may_ask_for_more_time_but_not_for_ever() -> None:
    assert after(retry("busy", 429, 600), 1)[1] == timedelta(minutes=10)
    assert after(retry("busy", 429, 10**6), 1)[1] == LONGEST
    assert after(retry("busy", 429, 1), 1)[1] == timedelta(minutes=1)


def test_stored_error_fits_its_column() -> None:
    assert max(len(failed(key, 599).stored) for key in ERRORS) <= 40
    assert SENT.stored == ""
