"""The command with which the operator removes games outside leagues for good, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from scorekeeper.cli.league import forget
from scorekeeper.games.store.models import GameRow, PlayerRow, RecoveryRow
from scorekeeper.leagues.privacy.service import NotToForgetError, forget_deleted, forget_games
from scorekeeper.web.extensions import db, writing
from tests.support.game import play, start
from tests.support.league import make_hall

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

NOW = datetime.now(UTC)


def test_deleted_game_is_removed_and_others_stay(app: Flask, client: Phone) -> None:
    """A deleted game is removed for good together with its backup code and names. Other games stay."""
    first = play(client, start(client, ("Ann", "Bob", "Cid", "Dee")), 0, 3, "AAAB").path.split("/")[2]
    other = start(client, ("Eve", "Fay", "Gus", "Hal")).path
    kept = client.submit(client.see(f"/games/{first}/table"), f"/games/{first}/abandonment", sure="1").path
    with app.app_context():
        assert forget_deleted(before=NOW) == 0
        with writing() as session:
            session.execute(
                update(GameRow).where(GameRow.public_id == first).values(deleted_at=NOW - timedelta(days=2))
            )
        assert forget_deleted(before=NOW - timedelta(days=3)) == 0
        assert forget_deleted(before=NOW - timedelta(days=1)) == 1
        assert db.session.scalars(select(PlayerRow.name).order_by(PlayerRow.id)).all() == ["Eve", "Fay", "Gus", "Hal"]
        assert len(db.session.scalars(select(RecoveryRow)).all()) == 1
    assert client.get(kept).status_code == 404
    assert client.see(other).status == 200


def test_league_games_are_not_removed(app: Flask, client: Phone) -> None:
    """If the list of games to remove has a league game or an unknown game, no game is removed."""
    hall = make_hall(app, client)
    hall.night((("Ann", "Bob", "Cid", "Dee"), (22, 15)))
    own = start(client).path.split("/")[2]
    with app.app_context():
        of_league = db.session.scalars(select(GameRow.public_id).where(GameRow.public_id != own)).one()
        for wrong in (of_league, "nowhere"):
            with pytest.raises(NotToForgetError, match=wrong):
                forget_games(games=[own, wrong])
        with writing() as session:
            session.execute(update(GameRow).values(deleted_at=NOW - timedelta(days=2)))
        assert forget_deleted(before=NOW) == 1
        assert db.session.scalars(select(GameRow.public_id)).all() == [of_league]


@pytest.mark.sqlite
def test_command_needs_games_to_remove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command removes nothing if it gets no game or an unknown game."""
    run = CliRunner().invoke
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert run(forget, []).exit_code == 2
    assert "Forgot 0 games" in run(forget, ["--deleted", "30"]).output
    for words in (["--yes", "c7m4kp2xwd"], ["c7m4kp2xwd"]):
        wrong = run(forget, words)
        assert wrong.exit_code == 1
        assert "Can't forget c7m4kp2xwd" in wrong.output
        assert "Go on?" not in wrong.output


def test_command_lists_the_games_before_it_asks(
    app: Flask, client: Phone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command lists the games and asks before it removes them, because an id is easily mistyped.

    A removal can't be undone.
    """
    game = play(client, start(client, ("Ann", "Bob", "Cid", "Dee")), 0, 3, "AAAB").path.split("/")[2]
    with app.app_context():
        uri = db.engine.url.render_as_string(hide_password=False)
    monkeypatch.setenv("DATABASE_URL", uri)
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    run = CliRunner().invoke
    line = f"{game}  {datetime.now(UTC):%Y-%m-%d}  1 hand  Ann, Bob, Cid, Dee\n"
    refused = run(forget, [game], input="n\n")
    assert refused.output.startswith(line)
    assert "Aborted" in refused.output
    assert client.see(f"/games/{game}").status == 200
    client.submit(client.see(f"/games/{game}/table"), f"/games/{game}/deletion")
    done = run(forget, ["--deleted", "0"], input="y\n")
    assert done.output.startswith(line)
    assert "Forgot 1 game." in done.output


@pytest.mark.slow
def test_rematch_keeps_its_names(app: Flask, client: Phone) -> None:
    board = start(client, ("Ann", "Bob", "Cid", "Dee"))
    game = board.path.split("/")[2]
    ended = client.submit(client.see(f"/games/{game}/table"), f"/games/{game}/abandonment", sure="1")
    again = client.submit(ended, f"/games/{game}/rematch").path
    with app.app_context():
        assert forget_games(games=[game]) == 1
    for page in (again, f"{again}/log"):
        assert "Ann" in client.see(page).text
