"""Make the link that logs a finished game in the app BG Stats, in the format that BG Stats documents for other apps.

BG Stats asks before it saves anything. It recognizes players from earlier links by `sourceName` and `sourcePlayerId`,
so both must stay as they are. Its Android version requires `winner` and `startPlayer` of each player.
"""

from __future__ import annotations

import json
from datetime import UTC
from urllib.parse import urlencode

from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.i18n.catalog import spoken

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html"
SOURCE = "Setback Scorekeeper"


def play_link(snapshot: Snapshot) -> str:
    """Return the link that logs a game in BG Stats, or "" if the game isn't over or was abandoned."""
    game = snapshot.game
    outcome = game.outcome
    if outcome is None or outcome.rule == "abandoned":
        return ""
    rules, totals = game.table.rules, game.tally.totals
    players = [
        {
            "name": name,
            "sourcePlayerId": name,
            "startPlayer": False,
            "score": totals[side],
            "winner": side == outcome.winner,
        }
        for name, side in zip(snapshot.names, game.table.side_of, strict=True)
    ]
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": snapshot.public_id,
        "playDate": snapshot.began.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"name": spoken(rules.name), "sourceGameId": rules.preset, "highestWins": True, "noPoints": False},
        "players": players,
    }
    return f"{CREATE_PLAY}?{urlencode({'data': json.dumps(play, ensure_ascii=False, separators=(',', ':'))})}"
