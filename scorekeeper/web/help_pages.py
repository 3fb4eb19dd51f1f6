"""Show the help pages: short answers for players and for the volunteers who run a league's night."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import abort, render_template, request

from scorekeeper.i18n.catalog import N_

if TYPE_CHECKING:
    from flask import Flask


@dataclass(frozen=True, slots=True)
class Topic:
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
