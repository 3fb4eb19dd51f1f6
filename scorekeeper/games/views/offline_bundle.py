"""Make the bundle of data with which a phone scores a game offline, as JSON: state, sentences, and rendered steps.

The steps are the steps of the board, rendered for an empty game. `static/js/games/offline-board.js` fills in the score.
"""

from dataclasses import replace
from itertools import permutations
from typing import Any

from flask import get_template_attribute, render_template, url_for
from msgspec import structs

from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.client_state import offline_state
from scorekeeper.games.presenters.hand_form import guess_note
from scorekeeper.games.presenters.share_links import message_of
from scorekeeper.games.presenters.snapshot import Snapshot, bid_text, call_text, said_bid, side_views, suit_sign
from scorekeeper.games.views.offline_pages import page_words, pages_of
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import TEMPLATES, SideName, said, say
from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import allowed_bids
from scorekeeper.rules.explain import Message, untied_game_minimum
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import allowed_trumps
from scorekeeper.rules.record import FORMAT, write_rules
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.scoring import pitch_tricks
from scorekeeper.web.links import only_here

MANY = 99
"""Placeholder for a number in the plural forms of sentences; the phone replaces it."""


def bundle_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return everything that a phone needs to score a game offline, as an object for JSON.

    `state` is the state of the game for static/js/games/rules.js. `words` has the sentences. `labels` and `suits` say
    how bids and trumps are shown. `bids` is a list with the HTML of the bid step for each dealer, by seat. In a game
    without bidding, `bids` has the points step instead. `points` maps each bidder's seat, as a string, to the HTML of
    the points step. A separate points step for a pitch has the key "<seat>:pitch".

    `pages` has the other pages of the game. `after` is the HTML that the board shows below the steps before the first
    hand. `sheet` is the HTML of the empty score sheet. `end` is the HTML for the end of the game. `record` has the
    rules and sides for the next game that the phone starts offline. For a game of a league night, `record` is None.
    """
    game = snapshot.game
    sheet = get_template_attribute("_macros/sheet.html", "sheet")
    seats = range(game.table.players)
    empty = [_empty(game, dealer) for dealer in seats]
    points = {str(seat): _points_step(snapshot, empty[0], seat, bid) for seat in seats for bid in game.table.bids[:1]}
    rules = game.table.rules
    if "pitch" in game.table.bids and (pitch_tricks(rules) is not None or rules.slam_worth):
        points |= {f"{seat}:pitch": _points_step(snapshot, empty[0], seat, "pitch") for seat in seats}
    steps, after = zip(*(_drawn(snapshot, fresh) for fresh in empty), strict=True)
    return {
        "name": spoken(game.table.rules.name),
        "record": None if snapshot.league else _record_of(game),
        "after": after[0],
        "state": offline_state(snapshot),
        "words": _words(snapshot),
        "labels": {str(bid): call_text(bid) for bid in game.table.bids},
        "suits": {trump: suit_sign(trump) for trump in allowed_trumps(game.table)},
        "bids": list(steps),
        "points": points,
        "pages": pages_of(snapshot, empty[0]),
        "sheet": sheet(game_id=snapshot.public_id, sides=side_views(game, snapshot.sides), rows=(), links=False),
        "end": render_template("games/_offline_end.html", page=board_page(snapshot), url=_watch_url(snapshot)),
    }


def _record_of(game: Game) -> dict[str, Any]:
    """Return those fields of a game record that stay the same for the next game with the same rules and sides.

    The phone adds the names and the dealer.
    """
    table = game.table
    return {"format": FORMAT, "ruleset": write_rules(table.rules), "sides": [list(side) for side in table.sides]}


def _watch_url(snapshot: Snapshot) -> str:
    """Return the full address for watching the game, or "" if watching is turned off, or no other phone can open it."""
    shown = snapshot.watched and not only_here()
    return url_for("games.watch", game_id=snapshot.public_id, _external=True) if shown else ""


def _empty(game: Game, dealer: int) -> Game:
    """Return a new game with the rules, players and sides of `game`. `dealer` is the seat that deals first.

    The new game has no hands yet.
    """
    return replay([ev.GameStarted(game.table.rules, game.players, game.table.sides, dealer)])


def _points_step(snapshot: Snapshot, empty: Game, seat: int, lowest: Any) -> str:
    bid = lowest if lowest in allowed_bids(empty.table, seat, empty.dealer) else empty.table.bids[-1]
    return _drawn(snapshot, evolve(empty, ev.BidTaken(empty.dealer, seat, bid)))[0]


def _drawn(snapshot: Snapshot, game: Game) -> tuple[str, str]:
    """Return the HTML of the board of `game` in two parts.

    The first part ends with the current step. The second part is everything below the step.
    """
    # The latest event of the real game is not part of this one.
    begun = ev.GameStarted(game.table.rules, game.players, game.table.sides, game.first_dealer)
    page = structs.replace(board_page(replace(snapshot, game=game, tally=(), latest=begun)), standing=None)
    step, _later, after = render_template("games/board.html", page=page, part=True).partition("<!--later-->")
    return step, after


def _words(snapshot: Snapshot) -> dict[str, Any]:
    """Return a dict of the sentences for offline play, by key. The phone fills in placeholders such as "{n}"."""
    return {
        **_words_of_score(snapshot),
        **_words_of_waiting(),
        **page_words(snapshot),
        "odd": _questions(),
        "trouble": _troubles(),
    }


def _words_of_score(snapshot: Snapshot) -> dict[str, Any]:
    """Return a dict of the sentences about hands and about the end of the game, by key.

    The phone fills in placeholders such as "{points}".
    """
    return {
        "hand": _("Hand %(number)s", number="{n}"),
        "set": ngettext("set once", "set %(num)s times", 1),
        "sets": ngettext("set once", "set %(num)s times", MANY).replace(str(MANY), "{n}"),
        "won": _("won"),
        "leads": _("leads"),
        "wins": [said(N_("{side} {side:win|wins}"), side=side) for side in snapshot.sides],
        "listed": {
            "hand": _("Hand %(number)s, %(dealer)s deals", number="{n}", dealer="{name}"),
            "won": [said(N_("{side} {side:won|won}"), side=side) for side in snapshot.sides],
            "conceded": [said(N_("{side} won by concession"), side=side) for side in snapshot.sides],
        },
        "nobody": _("No winner"),
        "tied": ngettext("Tied game", "%(num)s tied games", 1),
        "bid": _("%(name)s bid %(bid)s", name="{name}", bid="{bid}"),
        "passed": _("All passed: nobody scores."),
        "was_set": _("Set!"),
        "reasons": _reasons(snapshot),
        "effects": _effects(snapshot),
        "sent": f"{message_of(snapshot, winner='{winner}', score='{score}')}{{why}} {_watch_url(snapshot)}".rstrip(),
        "to": _("%(ours)s to %(theirs)s", ours="{ours}", theirs="{theirs}"),
        "guess": guess_note(left=False),
        "guess_part": guess_note(left=True),
        "thrown_in": bid_text(None),
        "alone": _("alone"),
        "turned_up": _("turned-up card"),
        "hung": _("hung jack"),
        "set_stamp": _("Set"),
        "said": {str(bid): said_bid(bid) for bid in snapshot.game.table.bids},
    }


def _words_of_waiting() -> dict[str, str]:
    """Return a dict of the sentences and button labels for changes that wait to be sent, by key."""
    return {
        "kept": _("Saved on this phone."),
        "unkept": _("Only on this screen, so leave this page open."),
        "saved": _("Saved."),
        "got_it": _("Got it"),
        "aside": _("These hands don't count. They stay in the history."),
        "begun": _("New game, not sent yet"),
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
"""Keys of the endings that are not caused by a hand; `_reasons` leaves them out."""


def _reasons(snapshot: Snapshot) -> dict[str, list[str]]:
    """Return a dict of the sentences that say why the game ended.

    The dict maps the key of each rule that can end a game to a list of sentences, one for each winning side. The phone
    fills in the numbers. With more than two sides, the phone also fills in the name of the side that lost by its bid.
    """
    rules, sides = snapshot.game.table.rules, snapshot.sides
    named = (*sides, SideName("{other}", sides[0].several))
    numbers = {key: f"{{{key}}}" for key in ("total", "lead", "rest", "was", "bid", "sets", "hands", "result")}
    values = {"target": rules.target, "limit": -(rules.lose_at_minus or 0), "win_by": rules.win_by, **numbers}
    return {
        key.removeprefix("over."): [
            say(Message(key, {**values, "side": side, "other": 1 - side if len(sides) == 2 else len(sides)}), named)
            for side in range(len(sides))
        ]
        for key in TEMPLATES
        if key.startswith("over.") and key.split(".")[1] not in STOPPED
    }


def _effects(snapshot: Snapshot) -> dict[str, dict[str, str]]:
    """Return the sentences about the effects of a hand, as a dict of dicts.

    The outer key is the message key. The inner key says which sides the sentence is about. The inner key is "0" for
    side 0, "2,1" for sides 2 and 1, or "" for a sentence without a side. The phone fills in the numbers.
    """
    table, sides = snapshot.game.table, snapshot.sides
    marks: dict[str, Any] = {key: f"{{{key}}}" for key in ("points", "was", "total", "call")}
    counts = {**marks, "what": ("{what}",)}
    pairs = tuple(permutations(range(len(sides)), 2)) if table.called else ()
    least = untied_game_minimum(table.rules)
    return {
        **{
            key: {str(side): say(Message(f"hand.{key}", {**marks, "side": side}), sides) for side in range(len(sides))}
            for key in (
                *("made", "set", "gave_up", "revoked", "set_nothing", "made_call", "made_moon", "set_call"),
                *("scores", "loses"),
            )
        },
        **{
            key: {
                f"{one},{other}": say(Message(f"hand.{key}", {**marks, "both": (one, other)}), sides)
                for one, other in pairs
            }
            for key in ("both_made", "both_set")
        },
        "only_bid": {"": say(Message("hand.only_bid", {"points": "{points}"}), sides)},
        "no_defense": {"": say(Message("hand.no_defense"), sides)},
        "others": {"": say(Message("hand.others", {"points": "{points}"}), sides)},
        "counts": {
            str(side): say(Message("hand.counts", {**counts, "side": side}), sides) for side in range(len(sides))
        },
        "out": {"": say(Message("hand.out", {"target": table.rules.target}), sides)},
        "thrown_in": {"": say(Message("hand.thrown_in"), sides)},
        "no_game": {"": say(Message("hand.no_game", {"points": least}), sides)},
    }


def _questions() -> dict[str, str]:
    """Return a dict of the questions about unusual hands (`presenters/sanity_checks.py`), by key.

    The phone fills in the placeholders in braces.
    """
    who = {"bidder": "{bidder}", "bid": "{bid}"}
    one, many = (
        ngettext(
            "%(bidder)s bid %(bid)s, but only %(num)s point was out because nobody took %(absent)s. Is that right?",
            "%(bidder)s bid %(bid)s, but only %(num)s points were out because nobody took %(absent)s. Is that right?",
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
    """Return a dict that maps each reason why changes couldn't be sent to a sentence for the player.

    The sentence says what went wrong and, in most cases, what to do.
    """
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
        "insecure": _("Leave this page open. This phone can't open it again while there is no signal."),
    }
