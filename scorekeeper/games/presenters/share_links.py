"""Put a game into messages and links, and show the note of a hand.

Make the link that logs a finished game in the app BG Stats, in the format that BG Stats documents for other apps.

BG Stats asks before it saves anything. It recognizes players from earlier links by `sourceName` and `sourcePlayerId`,
so both must stay as they are. Its Android version requires `winner` and `startPlayer` of each player.

Make the message and the link that players share in a chat to tell others about a game.

The model of the page for the note and the photo of a hand.

Make the page for the note and the photo of a hand.
"""

import json
from datetime import UTC
from types import SimpleNamespace
from urllib.parse import urlencode

from scorekeeper.games.pages.common import HandedOn
from scorekeeper.games.presenters.snapshot import Snapshot, hand_text, new_tap_id, side_views
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.games.store.hand_notes import NO_NOTE
from scorekeeper.games.store.models import NOTE_LENGTH
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import number, score_text
from scorekeeper.rules.game import Entry
from scorekeeper.rules.ruleset import Ruleset

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


def handed_on(snapshot: Snapshot) -> HandedOn:
    """Return the message about a game for a group chat.

    If watching is turned off, `watched` is False in the result. Then no link and no picture can be shared.
    """
    game, sides = snapshot.game, snapshot.sides
    outcome = outcome_view(game, sides)
    totals = game.tally.totals
    named = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, totals, strict=True))
    if outcome is None:
        told = _("Hand %(number)s: %(score)s.", number=len(game.hands) + 1, score=named)
    elif outcome.side is not None and len(sides) == 2:
        score = score_text([totals[outcome.side], totals[1 - outcome.side]])
        told = result_told(outcome.headline, score, between_two=True)
    else:
        told = result_told(outcome.headline, named)
    if game.outcome is not None and game.outcome.rule == "conceded" and outcome is not None:
        told = f"{told} {outcome.reason}"
    needs = " ".join(side.needs for side in side_views(game, sides) if side.needs)
    return HandedOn(
        about=f"{outcome.headline}. {outcome.reason}" if outcome else needs,
        text=f"{game_named(game.table.rules)}. {told}",
        game_id=snapshot.public_id,
        version=game.version,
        watched=snapshot.watched,
        bg_stats=play_link(snapshot),
    )


def message_of(snapshot: Snapshot, *, winner: str, score: str) -> str:
    """Return the message about a finished game, with the name of the game and the result.

    `winner` is a phrase such as "Ann and Cid win", and `score` is the score in words.
    """
    told = result_told(winner, score, between_two=len(snapshot.sides) == 2)
    return f"{game_named(snapshot.game.table.rules)}. {told}"


def result_told(winner: str, score: str, *, between_two: bool = False) -> str:
    """Return a result such as "Ann and Cid win: 22, 15 and 9.".

    `between_two` means that two sides played. The result is then like "Ann and Cid win, 22 to 15.". `winner` is a
    phrase such as "Ann and Cid win", and `score` is the score in words.
    """
    if between_two:
        return _("%(winner)s, %(score)s.", winner=winner, score=score)
    return _("%(winner)s: %(score)s.", winner=winner, score=score)


def game_named(rules: Ruleset) -> str:
    """Return the name of a game with its target score, such as "Setback to 21".

    The target is not added if it is part of the name already, or if the game ends after a fixed number of hands.
    """
    name = spoken(rules.name)
    if rules.finish == "fixed_hands" or str(rules.target) in name:
        return name
    return _("%(game)s to %(target)s", game=name, target=rules.target)


def hand_note_page(snapshot: Snapshot, entry: Entry, *, error: str = "", text: str | None = None) -> SimpleNamespace:
    """Return the page for the note and photo of the hand `entry`.

    `text` is a new note that was refused with `error`, or None to show the saved note.
    """
    game, known = snapshot.game, snapshot.hand_notes.get(entry.seq, NO_NOTE)
    return SimpleNamespace(
        game_id=snapshot.public_id,
        seq=entry.seq,
        number=next((line.number for line in game.lines if line.entry.seq == entry.seq), 0),
        said=hand_text(game.table, snapshot.said_names, snapshot.sides, entry.hand),
        text=known.text if text is None else text,
        # The key of the photo; empty without one.
        photo=known.photo,
        longest=NOTE_LENGTH,
        version=game.version,
        client_id=new_tap_id(),
        error=error,
    )
