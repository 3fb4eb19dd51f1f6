"""Make the bundle with which a phone keeps playing while offline, as JSON: state, sentences, and rendered steps.

The steps are those of the board, rendered for an empty game: `static/js/games/offline-board.js` fills in the score.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

from flask import get_template_attribute, render_template, url_for

from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.client_state import offline_state
from scorekeeper.games.presenters.hand_form import guess_note
from scorekeeper.games.presenters.share_links import message_of
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id, side_views
from scorekeeper.games.presenters.vocabulary import bid_text, call_text, said_bid, suit_sign
from scorekeeper.games.views.offline_pages import page_words, pages_of
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import TEMPLATES, said, say
from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import allowed_bids
from scorekeeper.rules.explain import Message, untied_game_minimum
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import allowed_trumps
from scorekeeper.rules.record import FORMAT, write_rules
from scorekeeper.rules.replay import evolve, replay

MANY = 99
"""Placeholder for the number in plural sentences."""


def bundle_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return all that a phone needs to score offline.

    `state` is read by static/js/games/rules.js, `words` are its sentences. `bids` has the HTML of the bid step for each
    dealer, by seat, and `points` that of the points step for each bidder, by seat as text. If a pitch asks for tricks,
    "<seat>:pitch" is the points step of a pitch. `pages` are the other pages of the game. `after` is the HTML below the
    steps before the first hand. `record` has the rules and sides for the next game without a signal; None for a game
    that is not played again.
    """
    game = snapshot.game
    sheet = get_template_attribute("_macros/sheet.html", "sheet")
    seats = range(game.table.players)
    empty = [_empty(game, dealer) for dealer in seats]
    lowest, *_rest = game.table.bids
    points = {str(seat): _points_step(snapshot, empty[0], seat, lowest) for seat in seats}
    if game.table.rules.pitch_test == "tricks" and "pitch" in game.table.bids:
        points |= {f"{seat}:pitch": _points_step(snapshot, empty[0], seat, "pitch") for seat in seats}
    steps, after = zip(*(_drawn(snapshot, fresh) for fresh in empty), strict=True)
    return {
        "name": spoken(game.table.rules.name),
        "record": None if snapshot.result_page else _record_of(game),
        "after": after[0],
        "state": offline_state(snapshot),
        "words": _words(snapshot),
        "labels": {str(bid): call_text(bid) for bid in game.table.bids},
        "suits": {trump: suit_sign(trump) for trump in allowed_trumps(game.table)},
        "bids": list(steps),
        "points": points,
        "pages": pages_of(snapshot, empty[0]),
        "sheet": sheet(game_id=snapshot.public_id, sides=side_views(game, snapshot.sides), rows=(), links=False),
        "end": render_template(
            "games/_offline_end.html",
            game_id=snapshot.public_id,
            version=game.version,
            client_id=new_tap_id(),
            url=_watch_url(snapshot),
            may_play_again=snapshot.result_page is None,
        ),
    }


def _record_of(game: Game) -> dict[str, Any]:
    """Return the fields of a record that another game at this table has, too; the phone adds names and dealer."""
    table = game.table
    return {"format": FORMAT, "ruleset": write_rules(table.rules), "sides": [list(side) for side in table.sides]}


def _watch_url(snapshot: Snapshot) -> str:
    """Return the full address to watch the game; empty if watching is turned off."""
    return url_for("games.watch", game_id=snapshot.public_id, _external=True) if snapshot.watched else ""


def _empty(game: Game, dealer: int) -> Game:
    """Return a game at the same table before its first hand, dealt by `dealer`."""
    return replay([ev.GameStarted(game.table.rules, game.players, game.table.sides, dealer)])


def _points_step(snapshot: Snapshot, empty: Game, seat: int, lowest: Any) -> str:
    bid = lowest if lowest in allowed_bids(empty.table, seat, empty.dealer) else empty.table.bids[-1]
    return _drawn(snapshot, evolve(empty, ev.BidTaken(empty.dealer, seat, bid)))[0]


def _drawn(snapshot: Snapshot, game: Game) -> tuple[str, str]:
    """Render the board of that game: down to the step, and what is below."""
    # The latest event of the real game is not part of this one.
    begun = ev.GameStarted(game.table.rules, game.players, game.table.sides, game.first_dealer)
    page = replace(board_page(replace(snapshot, game=game, tally=(), latest=begun)), standing=None)
    step, _later, after = render_template("games/board.html", page=page, part=True).partition("<!--later-->")
    return step, after


def _words(snapshot: Snapshot) -> dict[str, Any]:
    """Return the sentences for offline play; the phone fills in the braces."""
    return {
        **_words_of_score(snapshot),
        **_words_of_waiting(),
        **page_words(snapshot),
        "odd": _questions(),
        "trouble": _troubles(),
    }


def _words_of_score(snapshot: Snapshot) -> dict[str, Any]:
    """Return the sentences about hands and the end."""
    return {
        "hand": _("Hand %(number)s", number="{n}"),
        "set": ngettext("%(num)s set", "%(num)s sets", 1),
        "sets": ngettext("%(num)s set", "%(num)s sets", MANY).replace(str(MANY), "{n}"),
        "won": _("won"),
        "leads": _("leads"),
        "wins": [said(N_("{side} {side:win|wins}"), side=side) for side in snapshot.sides],
        "nobody": _("No winner"),
        "bid": _("%(name)s bid %(bid)s", name="{name}", bid="{bid}"),
        "passed": _("Everyone passed: nobody scores."),
        "was_set": _("Set!"),
        "reasons": _reasons(snapshot),
        "effects": _effects(snapshot),
        "sent": f"{message_of(snapshot, winner='{winner}', score='{score}')} {_watch_url(snapshot)}".rstrip(),
        "to": _("%(ours)s to %(theirs)s", ours="{ours}", theirs="{theirs}"),
        "guess": guess_note(left=False),
        "guess_part": guess_note(left=True),
        "thrown_in": bid_text(None),
        "alone": _("alone"),
        "set_stamp": _("Set"),
        "said": {str(bid): said_bid(bid) for bid in snapshot.game.table.bids},
    }


def _words_of_waiting() -> dict[str, str]:
    """Return the sentences and buttons for waiting hands."""
    return {
        "kept": _("Saved on this phone."),
        "unkept": _("Only on this screen, so leave this page open."),
        "saved": _("Saved."),
        "aside": _("These hands don't count. They stay in the history."),
        "begun": _("Game waiting"),
        "one": ngettext("%(num)s hand waiting", "%(num)s hands waiting", 1),
        "many": ngettext("%(num)s hand waiting", "%(num)s hands waiting", MANY).replace(str(MANY), "{n}"),
        "retry": _("Send now"),
        "copy": _("Copy as text"),
        "copied": _("Copied"),
        "code": _("Show QR code"),
        "code_one": _("Hand %(number)s: scan with a phone that's online. It won't be counted twice.", number="{first}"),
        "code_says": _(
            "Hands %(first)s to %(last)s: scan with a phone that's online. No hand is counted twice.",
            first="{first}",
            last="{last}",
        ),
        "code_next": _("Next code"),
        "compare": _("Compare and decide"),
        "undo": _("Undo hand %(number)s", number="{n}"),
        "look": _("Show the history"),
        "let_go": _("Discard unsent hands"),
        "sure": _("Anything you haven't copied will be lost. The game goes on as saved on the server."),
        "yes": _("Yes, discard"),
        "kept_tag": _("on this phone"),
        "stay_here": _("That page needs a signal. You can keep scoring here."),
        "signal_first": _("That needs a signal. Tap it again once everything is sent."),
        "again": _("Go back"),
        "save_it": _("Yes, save it"),
    }


STOPPED = ("conceded", "abandoned", "final")
"""Endings without a hand, which do not happen offline."""


def _reasons(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return the reason for the end, by rule and winner; the phone fills in the numbers."""
    rules, sides = snapshot.game.table.rules, snapshot.sides
    numbers = {key: f"{{{key}}}" for key in ("total", "lead", "rest", "was", "bid", "sets", "hands", "result")}
    values = {"target": rules.target, "win_by": rules.win_by, **numbers}
    return {
        key.removeprefix("over."): [
            say(Message(key, {**values, "side": side, "other": 1 - side if len(sides) == 2 else side}), sides)
            for side in range(len(sides))
        ]
        for key in TEMPLATES
        if key.startswith("over.") and key.split(".")[1] not in STOPPED
    }


def _effects(snapshot: Snapshot) -> dict[str, dict[str, str]]:
    """Return the effects of a hand, by key and sides ("0", "2,1", ""); the phone fills in the numbers."""
    table, sides = snapshot.game.table, snapshot.sides
    marks = {key: f"{{{key}}}" for key in ("points", "was", "total", "call")}
    pairs = tuple(permutations(range(len(sides)), 2)) if table.called else ()
    least = untied_game_minimum(table.rules)
    return {
        **{
            key: {str(side): say(Message(f"hand.{key}", {**marks, "side": side}), sides) for side in range(len(sides))}
            for key in ("made", "set", "set_nothing", "made_call", "set_call", "scores", "loses")
        },
        **{
            key: {
                f"{one},{other}": say(Message(f"hand.{key}", {**marks, "both": (one, other)}), sides)
                for one, other in pairs
            }
            for key in ("both_made", "both_set")
        },
        "thrown_in": {"": say(Message("hand.thrown_in"), sides)},
        "no_game": {"": say(Message("hand.no_game", {"points": least}), sides)},
    }


def _questions() -> dict[str, str]:
    """Return the questions about odd hands, as in `presenters/sanity_checks.py`."""
    who = {"bidder": "{bidder}", "bid": "{bid}"}
    one, many = (
        ngettext(
            "%(bidder)s bid %(bid)s, but only %(num)s point was out. Did nobody take %(absent)s?",
            "%(bidder)s bid %(bid)s, but only %(num)s points were out. Did nobody take %(absent)s?",
            number,
            absent="{absent}",
            **who,
        )
        for number in (1, MANY)
    )
    return {
        "ends": _("This hand ends the game. %(result)s", result="{result}"),
        "nothing": _("%(bidder)s bid %(bid)s and took no points?", **who),
        "beyond_one": one,
        "beyond": many.replace(str(MANY), "{out}"),
        "same": _(
            "Same as hand %(number)s, saved a moment ago. Is this a new hand?",
            number="{number}",
        ),
    }


def _troubles() -> dict[str, str]:
    """Return why hands are waiting, and what to do."""
    return {
        "lost": _("No signal. Sending resumes when you're back online."),
        "portal": _("The Wi-Fi is asking you to sign in. Open any web page, sign in, then send again."),
        "token": _("This phone's session has ended. Reload this page when you have a signal, then send again."),
        "watching": _("This phone can no longer score this game. Copy the hands and enter them on a phone that can."),
        "gone": _("This game is no longer on the server. Copy the hands as text."),
        "moved": _(
            "The game went on without these hands. Nothing was overwritten. Decide at the table which hands count."
        ),
        "other": _("A hand sent earlier has changed since. Nothing was overwritten. Check the history."),
        "refused": _("The server can't accept hand %(number)s: %(why)s", number="{n}", why="{why}"),
        "start": _("The server can't accept this game: %(why)s Copy its hands as text.", why="{why}"),
        "differs": "{why}",
        "unread": "{why}",
        "broken": _("The server can't save right now. Sending is tried again automatically."),
        "full": _("This phone's storage is full or blocked. Leave this page open, or copy the hands as text."),
        "insecure": _("Leave this page open. Without HTTPS it can't be reloaded while there is no signal."),
    }
