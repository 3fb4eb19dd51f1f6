"""What the score book keeps of people, why, and for how long, and whom to ask; the page about it and the README say so.

`columns` are where it stands in the database. Whoever adds a column that holds a text says here, or in the test that
walks the tables, whether it tells anything of a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from flask import Response, abort, current_app, render_template

from scorekeeper.i18n.catalog import N_
from scorekeeper.web.locale import LANGUAGES

if TYPE_CHECKING:
    from flask import Flask

GOOD_FOR = timedelta(days=180)
"""How long who reads `security.txt` may rely on it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that is kept; its words stand in the catalogs."""

    what: str
    why: str
    until: str
    columns: tuple[str, ...] = ()


KEPT = (
    Kept(
        N_("Names, nicknames and notes of the players of a league"),
        N_("to draw nights and to add up standings; the notes only its owners see"),
        N_("until an owner of the league makes a player anonymous"),
        ("person.name", "person.nickname", "person.notes", "league.name", "season.name", "season.money"),
    ),
    Kept(
        N_("Names at a table, and what was played"),
        N_("for the score sheet"),
        N_("until who runs this score book removes the game; deleting it on a phone hides it"),
        ("player.name", "game_event.data"),
    ),
    Kept(
        N_("Money and what it was for"),
        N_("so that a league night adds up"),
        N_("as long as the league"),
        ("league_money.what",),
    ),
    Kept(
        N_("A log of what was done to a game or a league: when, by which phone or account, why"),
        N_("so that both sides can see what was changed"),
        N_("as long as the game or the league"),
        ("league_event.data", "league_event_text.text", "league_event.device", "game_event.device", "game_note.device"),
    ),
    Kept(
        N_("A mark of the phones that score or keep a league: the hash of a random word"),
        N_("to know them again"),
        N_("as long as the game or the league; the word itself is in a cookie of the phone, for 400 days"),
        ("game.device", "scorer.device", "recovery.used_by", "league.device", "league_table.dispute"),
    ),
    Kept(
        N_("House rules that a phone keeps under a name"),
        N_("to play by them again"),
        N_("until they are thrown away on that phone"),
        ("house_rules.name", "house_rules.device"),
    ),
    Kept(
        N_("Accounts of directors: name, hash of the password, public half of passkeys"),
        N_("to sign in"),
        N_("as long as the account"),
        (
            "account.name",
            "account.folded",
            "account.handle",
            "account.password",
            "account.recovery",
            "account.opening",
            "passkey.credential",
            "passkey.public_key",
            "passkey.site",
            "passkey.agent",
        ),
    ),
    Kept(
        N_("Who works for a league, and how its owner calls them"),
        N_("so that a right can be taken away again"),
        N_("until it is; an invitation for 104 days"),
        (
            "league_role.role",
            "league_role.called",
            "league_invitation.role",
            "league_invitation.called",
            "league_invitation.secret",
        ),
    ),
    Kept(
        N_("Sign-ins and refusals: the network, not the whole address, and the kind of browser"),
        N_("so that a director sees who was at the account"),
        N_("90 days"),
        ("account_event.kind", "account_event.address", "account_event.agent"),
    ),
    Kept(
        N_("Where a director is signed in: the kind of browser, the last day"),
        N_("to be able to end it"),
        N_("270 days after it began; it holds for 180 at most"),
        ("account_session.secret", "account_session.challenge", "account_session.agent"),
    ),
    Kept(
        N_("A mark of the devices on which an account was opened"),
        N_("so that strangers who guess lock nobody out"),
        N_("400 days"),
        ("account_device.device",),
    ),
    Kept(
        N_("How often something was tried from an address or with a phone, under a hash"),
        N_("so that nobody guesses codes"),
        N_("an hour; what is older is removed within six"),
        ("limit_hit.key",),
    ),
    Kept(
        N_("A line for each refusal, with the network alone; for each request, with the address, if turned on"),
        N_("so that who runs this score book finds faults, and who tries to get in"),
        N_("as long as they keep that log"),
    ),
    Kept(
        N_("On your phone: its settings, hands that wait for a signal, the games it opened"),
        N_("to score without signal"),
        N_("until they are sent, or you clear what your browser keeps of this page"),
    ),
    Kept(
        N_("Backups of all of it"),
        N_("so that nothing is lost"),
        N_("as long as who runs this score book keeps them; what was removed since is still in them"),
    ),
)


def connect(app: Flask) -> None:
    """Serve the page at `/privacy`, the same for everybody, and `security.txt` (RFC 9116) for who finds a weakness."""
    app.add_url_rule("/privacy", view_func=privacy)
    app.add_url_rule("/.well-known/security.txt", view_func=security_txt)


def privacy() -> str:
    """Show what is kept, why and for how long, and whom to ask."""
    return render_template("web/privacy.html", kept=KEPT, contact=current_app.config["CONTACT"])


def security_txt() -> Response:
    """Say whom to write to, in which languages, and until when that holds; nothing where nobody is named."""
    contact: str = current_app.config["CONTACT"]
    if not contact:
        abort(404)
    until = datetime.combine(datetime.now(UTC).date() + GOOD_FOR, time(), UTC)
    lines = (
        f"Contact: {contact}",
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(LANGUAGES)}",
    )
    return Response("".join(f"{line}\n" for line in lines), mimetype="text/plain")
