"""The leagues blueprint with the views of every feature."""

# ruff: noqa: F401  importing a module adds its routes to the blueprint
import scorekeeper.leagues.calendar.views
import scorekeeper.leagues.members.views
import scorekeeper.leagues.money.views
import scorekeeper.leagues.nights.views.desk
import scorekeeper.leagues.nights.views.table
import scorekeeper.leagues.people.views
import scorekeeper.leagues.privacy.views
import scorekeeper.leagues.publishing.views.api
import scorekeeper.leagues.publishing.views.club
import scorekeeper.leagues.results.views
import scorekeeper.leagues.seasons.views
import scorekeeper.leagues.statistics.views
import scorekeeper.leagues.teams.views
import scorekeeper.leagues.transfer.views
from scorekeeper.leagues.core.blueprint import bp

__all__ = ["bp"]
