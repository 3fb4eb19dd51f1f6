"""Show the help pages: short answers for players and for the volunteers who run a league's night.

List the data saved about people, the reason, and how long it is kept, for the page `/privacy` and PRIVACY.md.

Add each new database column with text to `Kept.columns` here or, if the column contains nothing about a person, to the
test that checks all tables.
"""

import re
from datetime import UTC, datetime, time, timedelta

from flask import Flask, Response, abort, current_app, render_template, request
from msgspec import Struct

from scorekeeper.i18n.catalog import N_
from scorekeeper.web.locale import LANGUAGES


class Topic(Struct, frozen=True):
    """A help page: the last part of its address, its title, and the question that it answers.

    The page's template is named after the last part of the address.
    """

    slug: str
    title: str
    question: str


PLAYERS = (
    Topic("game", N_("A game in 60 seconds"), N_("How do I keep score?")),
    Topic("points", N_("High, Low, Jack and Game"), N_("Who gets which point?")),
    Topic("phones", N_("More than one phone"), N_("Can others watch or keep score too?")),
    Topic("offline", N_("No signal"), N_("What happens without internet?")),
    Topic("lost-phone", N_("Lost phone"), N_("How do we keep going on another phone?")),
    Topic("house-rules", N_("House rules"), N_("Our table plays it differently. Can the app do that?")),
)
VOLUNTEERS = (
    Topic("before", N_("Before the first night"), N_("How do I set up a league?")),
    Topic("schedule", N_("Schedule and who's coming"), N_("How do we plan nights, and find out who's coming?")),
    Topic("evening", N_("The night, step by step"), N_("What do I do at the desk?")),
    Topic("closing", N_("Closing and corrections"), N_("How do I finish the night, or fix a score?")),
    Topic("substitutes", N_("Substitutes and late arrivals"), N_("Who plays for whom?")),
    Topic("paper", N_("Paper, printing and TV"), N_("What can I print, or show on a TV?")),
    Topic("teams", N_("Teams and playoffs"), N_("How do team seasons and playoffs work?")),
    Topic("money", N_("Fees, prizes and side pots"), N_("Where does the money go?")),
    Topic("open-club", N_("Results on the internet"), N_("Where can people see our results?")),
    Topic("api", N_("For programmers"), N_("How does a program read our results?")),
)
SLUG = re.compile(r"[a-z0-9-]{3,40}")
TOPICS = {topic.slug: topic for topic in (*PLAYERS, *VOLUNTEERS)}


def connect(app: Flask) -> None:
    """Add the list of help topics at `/help` to `app`, and a page for each topic."""
    app.add_url_rule("/help", "help", help_index)
    app.add_url_rule("/help/<slug>", "help_topic", help_topic)


def help_index() -> str:
    """Show the list of topics, each with the question that it answers."""
    return render_template("web/help/index.html", players=PLAYERS, volunteers=VOLUNTEERS)


def help_topic(slug: str) -> str:
    """Show the help page for the topic `slug`, with links to other topics. Answer 404 if the topic doesn't exist.

    The page's address may have the query argument `club`, such as `?club=NAME`. NAME is the name that a league with
    public pages (an open club) has in the address of these pages. Examples on the help page then use that league.
    """
    club = request.args.get("club", "")
    topic = TOPICS.get(slug) or abort(404)
    group = PLAYERS if topic in PLAYERS else VOLUNTEERS
    return render_template(
        f"web/help/{topic.slug}.html", topic=topic, group=group, club=club if SLUG.fullmatch(club) else ""
    )


GOOD_FOR = timedelta(days=180)
"""How long `security.txt` is valid."""


class Kept(Struct, frozen=True):
    """One kind of saved data: what it is, why it is saved, and how long it is kept.

    `what`, `why` and `until` are in English and have translations in the catalogs. `columns` are the database columns
    with this data.
    """

    what: str
    why: str
    until: str
    columns: tuple[str, ...] = ()


KEPT = (
    Kept(
        N_("Names and nicknames of a league's players, and notes about them"),
        N_("for seating and standings; only owners can see the notes"),
        N_("until an owner of the league makes the player anonymous"),
        (
            "person.name",
            "person.nickname",
            "person.notes",
            "league.name",
            "season.name",
            "season.money",
            "squad.name",
            "squad.division",
        ),
    ),
    Kept(
        N_("Why the person who runs the server turned a league off"),
        N_("so everyone who opens the league knows"),
        N_("until it is turned on again; the league's history keeps it"),
        ("league.off_because",),
    ),
    Kept(
        N_("The public web address of a club"),
        N_("so anyone can find its results, if an owner made them public"),
        N_("as long as the league exists"),
        ("league_club.slug", "league_club_address.slug"),
    ),
    Kept(
        N_("League files that someone uploaded and hasn't imported yet"),
        N_("so they can see what is in a file before they import it"),
        N_("deleted after seven hours at the latest; only the phone that uploaded them can open them, and for an hour"),
        ("league_upload.summary", "league_upload.data"),
    ),
    Kept(
        N_("Pages that answered a form, such as one that says what is missing"),
        N_("so what you typed is still there when you go back or reload the page"),
        N_("deleted after seven hours at the latest; only the phone that sent the form can open them, and for an hour"),
        ("form_answer.data",),
    ),
    Kept(
        N_("Planned nights, and whether each player is coming, with any note and substitute"),
        N_("so the people running the night can plan; only helpers, directors and owners can see the answers"),
        N_("until an owner of the league makes the player anonymous"),
        ("season.schedule", "planned_night.place", "planned_night.note", "night_answer.says", "night_answer.note"),
    ),
    Kept(
        N_("Names at a table, and the hands played"),
        N_("for the score sheet"),
        N_("until the person who runs this server removes the game; deleting it on a phone only hides it"),
        ("player.name", "game_event.data"),
    ),
    Kept(
        N_("People who play at home: their names, and a color, emoji, photo or team name if someone added it"),
        N_("to offer their names again, and to tell them apart on the score cards"),
        N_(
            "photos until they are removed; names until someone deletes them, which is possible only when no game "
            "uses them; you can change a name at any time"
        ),
        (
            "home_person.name",
            "home_person.color",
            "home_person.emoji",
            "home_photo.data",
            "home_table.name",
            "game.side_names",
        ),
    ),
    Kept(
        N_("Notes on hands and photos of the cards, without the place and time that a phone adds to a photo"),
        N_("to remember a hand; everyone who can see the game can see them"),
        N_(
            "until a phone that keeps score removes them, or the person who runs this server removes the game; "
            "deleting the game on a phone only hides them"
        ),
        ("hand_note.text", "hand_note.photo", "hand_note.photo_key"),
    ),
    Kept(
        N_("Money and what it was for"),
        N_("so a league night's accounts add up"),
        N_("as long as the league exists"),
        ("league_money.what", "league_payment.what"),
    ),
    Kept(
        N_("A history of each game and league: what was changed, when, why, and by which phone or account"),
        N_("so both sides can see what was changed"),
        N_("as long as the game or the league exists"),
        ("league_event.data", "league_event_text.text", "league_event.device", "game_event.device", "game_note.device"),
    ),
    Kept(
        N_("For each device that keeps score or runs a league: the hash of a random code"),
        N_("to recognize the device"),
        N_("as long as the game or the league exists; the code itself stays in a cookie on the device for 400 days"),
        (
            "game.device",
            "scorer.device",
            "recovery.used_by",
            "home_phone.device",
            "home_table.made_by",
            "home_code.used_by",
            "league.device",
            "league_table.dispute",
        ),
    ),
    Kept(
        N_("House rules that a phone saved under a name"),
        N_("to play by them again"),
        N_("until they are deleted on that phone"),
        ("house_rules.name", "house_rules.device"),
    ),
    Kept(
        N_("Accounts of owners, directors and helpers: name and password hash"),
        N_("to sign in"),
        N_("as long as the account exists"),
        (
            "account.name",
            "account.folded",
            "account.password",
            "account.recovery",
            "account.opening",
        ),
    ),
    Kept(
        N_("Roles in a league, and the name that an owner gave each person"),
        N_("so a role can be taken away later"),
        N_("until the role is removed; an invitation for 104 days"),
        (
            "league_role.role",
            "league_role.called",
            "league_invitation.role",
            "league_invitation.called",
            "league_invitation.secret",
        ),
    ),
    Kept(
        N_("Sign-ins and failed attempts: part of the internet address, and the kind of browser"),
        N_("so people can see where their account was used"),
        N_("90 days"),
        ("account_event.kind", "account_event.address", "account_event.agent"),
    ),
    Kept(
        N_("Where someone is signed in to an account: the kind of browser and the last day of use"),
        N_("so they can sign out there"),
        N_("they are signed out after 180 days at the latest; the record is deleted up to 90 days later"),
        ("account_session.secret", "account_session.agent"),
    ),
    Kept(
        N_("For each device where someone signed in to an account: the hash of a random code"),
        N_("so a stranger's wrong guesses can't lock anyone out"),
        N_("400 days"),
        ("account_device.device",),
    ),
    Kept(
        N_(
            "How many times someone tried something, such as a code, counted for each phone, internet address and "
            "account. We store a hash, not the address or name"
        ),
        N_("so nobody can guess codes"),
        N_("deleted after seven hours at the latest; only tries in the last hour are counted"),
        ("limit_hit.key",),
    ),
    Kept(
        N_(
            "A log of refused requests, with part of the internet address. The person who runs this server can also "
            "log every request, with the full address"
        ),
        N_("so the person who runs this server can find faults and break-in attempts"),
        N_("as long as that person keeps the log"),
    ),
    Kept(
        N_("On your phone: games and hands waiting to be sent"),
        N_("to keep score without a signal"),
        N_("until they are sent, or you clear this site's data in your browser"),
    ),
    Kept(
        N_("On your phone: its settings, the home page, the games it opened, and its latest forms"),
        N_("to open them without a signal"),
        N_("until you clear this site's data in your browser"),
    ),
    Kept(
        N_("On your phone: the last ten leagues and clubs it opened, in a cookie"),
        N_("so you can find them again on the home page; the server keeps no list of them"),
        N_("until you remove them there, or for 400 days"),
    ),
    Kept(
        N_("On your phone: the stakes for which you settled up after the last six games, in a cookie"),
        N_("so the next game starts with them; the server doesn't keep them"),
        N_("400 days"),
    ),
    Kept(
        N_("Backups of everything stored on the server"),
        N_("so nothing is lost"),
        N_("as long as the person who runs this server keeps them; they still contain things that were removed later"),
    ),
)


def connect_privacy(app: Flask) -> None:
    """Add the page `/privacy` and `security.txt` to `app`.

    `security.txt` (RFC 9116) is for people who find a vulnerability.
    """
    app.add_url_rule("/privacy", view_func=privacy)
    app.add_url_rule("/.well-known/security.txt", view_func=security_txt)


def privacy() -> str:
    """Show which data is saved, why, for how long, and whom to ask about it. The page is the same for everyone."""
    return render_template("web/privacy.html", kept=KEPT, contact=current_app.config["CONTACT"])


def security_txt() -> Response:
    """Answer with `security.txt`, which has the contact, languages and expiry date. Answer 404 if no contact is set."""
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
