"""The log of a game's events only grows, and the stored summary of a game always equals a replay of the log."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError

from scorekeeper.games.services import deletion, scoring
from scorekeeper.games.services.scoring import ClientRequest, StaleError
from scorekeeper.games.store.models import EventRow, GameRow, PlayerRow
from scorekeeper.rules import commands, events
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import differing
from scorekeeper.rules.table import set_table
from scorekeeper.web.extensions import db, writing
from tests.support.game import FOUR, contents, play, totals

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

Do = tuple[str, Any]
"""An action on a game, as a pair of a kind and an argument.

For the kind "act", the argument is a command of the rules. For "names", it is the list of names by seat. For "replace",
it is a pair of a seat (from 0) and the new player's name. For "hide", it is None.
"""

SEATS = st.integers(0, 4)
SIDES = st.one_of(st.none(), st.integers(0, 1))
SEQS = st.integers(1, 25)
POINTS = st.fixed_dictionaries(dict.fromkeys(("high", "low", "jack", "game"), SIDES))
BIDS = st.sampled_from([1, 2, 3, 4, "pitch"])
HANDS = st.one_of(
    st.builds(lambda seat, bid, points: {"bidder": seat, "bid": bid, "points": points}, SEATS, BIDS, POINTS),
    st.builds(lambda bid, taken: {"bidder": 0, "bid": bid, "taken": taken}, BIDS, st.lists(st.integers(0, 4))),
    st.builds(lambda points: {"points": points}, POINTS),
    st.just({"passed": True}),
)
WINS = st.just(commands.EnterHand({"bidder": 0, "bid": 4, "taken": [4, 0]}))
DOES: st.SearchStrategy[Do] = st.one_of(
    st.tuples(
        st.just("act"),
        st.one_of(
            WINS,
            st.builds(commands.EnterHand, HANDS),
            st.builds(commands.TakeBid, SEATS, BIDS, st.sampled_from([None, "H", "X"])),
            st.builds(commands.CorrectHand, SEQS, HANDS),
            st.builds(commands.VoidHand, SEQS),
            st.builds(commands.RestoreHand, SEQS),
            st.builds(commands.SetDealer, SEATS),
            st.builds(commands.Concede, st.integers(0, 2)),
            st.sampled_from([commands.Undo(), commands.Redo(), commands.Misdeal(), commands.WithdrawBid()]),
            st.sampled_from([commands.Abandon(), commands.Reopen()]),
        ),
    ),
    st.tuples(st.just("names"), st.permutations([*FOUR[:3], "Eve"])),
    st.tuples(st.just("replace"), st.tuples(SEATS, st.sampled_from(["Fay", "Ann", ""]))),
    st.tuples(st.just("hide"), st.none()),
)


def start(tap: str = "start") -> str:
    """Start a game on the phone "me" with the request id `tap`, and return the game's public id."""
    rules = PRESETS["setback-21"]
    table = set_table(rules, 4)
    return scoring.start_game(
        rules=rules, names=FOUR, sides=table.sides, first_dealer=3, request=ClientRequest("me", tap)
    )


def count_of(kind: type[GameRow | PlayerRow]) -> int:
    """Return the number of rows in the table of `kind`."""
    return db.session.scalar(select(func.count(kind.id))) or 0


def rows_of(public_id: str) -> list[tuple[Any, ...]]:
    """Return the stored events of a game as tuples of their columns, oldest first."""
    rows = db.session.execute(
        text(
            "SELECT e.seq, e.kind, e.format, e.data, e.client_id, e.device, e.received_at FROM game_event e"
            " JOIN game g ON g.id = e.game_id WHERE g.public_id = :id ORDER BY e.seq"
        ),
        {"id": public_id},
    )
    return [tuple(row) for row in rows]


def summary_of(public_id: str) -> dict[str, Any]:
    """Return the stored summary of a game."""
    row = db.session.query(GameRow).filter_by(public_id=public_id).populate_existing().one()
    return {
        "preset": row.preset,
        "ruleset": row.ruleset,
        "players": row.players,
        "sides": row.sides,
        "version": row.version,
        "hands": row.hands,
        "dealer": row.dealer,
        "totals": row.totals,
        "over": row.over,
        "winner": row.winner,
        "ended_by": row.ended_by,
    }


def replayed(public_id: str) -> dict[str, Any]:
    """Return the summary of a game that a replay of its stored log gives."""
    query = db.session.query(EventRow).join(GameRow, GameRow.id == EventRow.game_id).filter_by(public_id=public_id)
    log = query.order_by(EventRow.seq).all()
    assert [row.seq for row in log] == list(range(1, len(log) + 1))
    game = replay(events.decode(row.kind, row.format, row.data) for row in log)
    return {
        "preset": game.table.rules.preset,
        "ruleset": differing(PRESETS[game.table.rules.preset], game.table.rules),
        "players": list(game.players),
        "sides": [list(side) for side in game.table.sides],
        "version": len(log),
        "hands": len(game.hands),
        "dealer": game.dealer,
        "totals": list(game.tally.totals),
        "over": game.over,
        "winner": game.outcome.winner if game.outcome else None,
        "ended_by": game.outcome.rule if game.outcome else None,
    }


def carry_out(public_id: str, do: Do, tap: ClientRequest) -> None:
    """Carry out the action `do` on a game, as the request `tap` of a phone.

    The kind "hide" deletes the game and restores it.
    """
    name, given_ = do
    if name == "act":
        scoring.act(public_id=public_id, command=given_, request=tap)
    elif name == "names":
        scoring.name_players(public_id=public_id, names=given_, request=tap)
    elif name == "replace":
        scoring.replace_player(public_id=public_id, seat=given_[0], name=given_[1], request=tap)
    else:
        deletion.delete_game(public_id=public_id, request=tap)
        deletion.undelete_game(public_id=public_id, request=tap)


@pytest.mark.slow
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(does=st.lists(DOES, max_size=14))
def test_the_summary_equals_a_replay(app: Flask, does: list[Do]) -> None:
    """After any random actions, the stored summary equals a replay of the log.

    The log only grows, and a refused action adds nothing.
    """
    with app.app_context():
        game = start(f"start-{count_of(GameRow)}")
        for place, do in enumerate(does):
            log, players = rows_of(game), count_of(PlayerRow)
            try:
                carry_out(game, do, ClientRequest("me", f"tap-{place}", len(log)))
            except RuleViolation:
                assert rows_of(game) == log
                assert count_of(PlayerRow) == players
            assert rows_of(game)[: len(log)] == log
            assert summary_of(game) == replayed(game)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE game_event SET data = '{}'",
        "UPDATE game_event SET received_at = received_at",
        "DELETE FROM game_event",
        "DELETE FROM game_event WHERE seq > 1",
        "DELETE FROM game",
    ],
)
def test_the_database_itself_refuses_to_change_the_log(client: Phone, app: Flask, board: Page, change: str) -> None:
    """The database refuses statements that change or delete events, even if a person runs them by hand."""
    play(client, board, 0, 3, "AAAB")
    before = contents(app)
    with app.app_context(), pytest.raises(DBAPIError), writing() as session:
        session.execute(text(change))
    assert contents(app) == before


def test_the_log_cannot_repeat_a_place(client: Phone, app: Flask, board: Page) -> None:
    """The database refuses an event with the same number as an earlier event of the game.

    Two workers that write at the same time could otherwise store such events.
    """
    before = contents(app)
    twice = text(
        "INSERT INTO game_event (game_id, seq, kind, format, data, device, received_at, happened_at)"
        " SELECT game_id, seq, kind, format, data, device, received_at, happened_at FROM game_event"
    )
    with app.app_context(), pytest.raises(DBAPIError), writing() as session:
        session.execute(twice)
    assert contents(app) == before


BREAKS = {"game_event": "INSERT", "game": "UPDATE"}
"""For each table the kind of statement that `break_table` makes fail."""


def break_table(table: str) -> None:
    """Make statements that change `table` fail, as with a full disk, until `mend_table` is called."""
    trigger = f"CREATE TRIGGER broken BEFORE {BREAKS[table]} ON {table}"
    with writing() as session:
        if session.get_bind().dialect.name == "sqlite":
            session.execute(text(f"{trigger} BEGIN SELECT RAISE(ABORT, 'disk full'); END"))
        else:
            function = "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS"
            session.execute(text(f"{function} $$ BEGIN RAISE EXCEPTION 'disk full'; END $$"))
            session.execute(text(f"{trigger} FOR EACH ROW EXECUTE FUNCTION broken()"))


def mend_table(table: str) -> None:
    """Let statements that change `table` succeed again after `break_table`."""
    with writing() as session:
        sqlite = session.get_bind().dialect.name == "sqlite"
        session.execute(text("DROP TRIGGER broken" if sqlite else f"DROP TRIGGER broken ON {table}"))


@pytest.mark.parametrize("table", sorted(BREAKS))
@pytest.mark.parametrize(
    "do",
    [
        ("act", commands.EnterHand({"bidder": 0, "bid": 4, "taken": [4, 0]})),
        ("names", ["Eve", "Fay", "Gus", "Hal"]),
        ("replace", (0, "Eve")),
    ],
)
def test_a_write_that_fails_half_way_leaves_nothing(app: Flask, table: str, do: Do) -> None:
    """If one of the tables that an action writes can't be written, the action saves nothing at all.

    No player, no event and no change of the summary is stored.
    """
    with app.app_context():
        game = start()
        break_table(table)
        before = contents(app)
        with pytest.raises(DBAPIError, match="disk full"):
            carry_out(game, do, ClientRequest("me", "tap", 1))
        assert contents(app) == before
        mend_table(table)
        carry_out(game, do, ClientRequest("me", "tap", 1))
        assert summary_of(game) == replayed(game)


def test_a_start_that_fails_half_way_leaves_nothing(app: Flask) -> None:
    """If the first event of a new game can't be written, neither the game nor its players are saved."""
    with app.app_context():
        break_table("game_event")
        before = contents(app)
        with pytest.raises(DBAPIError, match="disk full"):
            start()
        assert contents(app) == before


def at_once(app: Flask, do: Callable[[int], object]) -> list[object]:
    """Call `do` with each number from 0 to 7, in eight threads at the same time.

    Return the eight results in the order of the numbers. If a call raises `StaleError`, that error is its result.
    """

    def once(number: int) -> object:
        with app.app_context():
            try:
                return do(number)
            except StaleError as error:
                return error

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(once, range(8)))


HAND = commands.EnterHand({"bidder": 0, "bid": 3, "taken": [3, 1]})


def test_a_request_sent_eight_times_saves_one_hand(app: Flask) -> None:
    """If a phone sends the same request eight times at once, one hand is saved.

    All eight calls return the game with that hand.
    """
    with app.app_context():
        game = start()
    came = at_once(app, lambda number: scoring.act(public_id=game, command=HAND, request=ClientRequest("me", "tap", 1)))
    assert [getattr(each, "version", each) for each in came] == [2] * 8
    with app.app_context():
        assert len(rows_of(game)) == 2
        assert summary_of(game) == replayed(game)


def test_one_of_eight_hands_at_a_version_is_saved(app: Flask) -> None:
    """If eight different requests come from pages at the same version of a game, only one of the requests is saved.

    The other requests are refused with `StaleError`.
    """
    with app.app_context():
        game = start()
    came = at_once(
        app, lambda number: scoring.act(public_id=game, command=HAND, request=ClientRequest("me", f"tap-{number}", 1))
    )
    assert sorted(type(each).__name__ for each in came) == ["Game", *[StaleError.__name__] * 7]
    with app.app_context():
        assert len(rows_of(game)) == 2
        assert summary_of(game) == replayed(game)


def test_a_request_sent_eight_times_starts_one_game(app: Flask) -> None:
    came = at_once(app, lambda number: start())
    assert len(set(came)) == 1
    assert len(contents(app)["game"]) == 1


def test_events_of_an_older_version_stay_readable(
    client: Phone, app: Flask, board: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored events in an older format can still be read.

    For each older format there is a function that converts an event to the next format.
    """

    def from_seat(data: dict[str, Any]) -> dict[str, Any]:
        return {"dealer": data["seat"]}

    monkeypatch.setitem(events.UPCASTS, ("DealerSet", 0), from_seat)
    with app.app_context(), writing() as session:
        session.execute(
            text(
                "INSERT INTO game_event (game_id, seq, kind, format, data, device, received_at, happened_at)"
                " SELECT game_id, 2, 'DealerSet', 0, '{\"seat\": 1}', device, received_at, happened_at FROM game_event"
            )
        )
        session.execute(update(GameRow).values(version=2))
    page = client.see(board.path)
    assert "Hand 1 Bob deals" in page.text
    assert totals(play(client, page, 0, 3, "AAAB")) == ["3", "1"]
    assert "Bob to deal" in client.see(f"{board.path}/log").text
