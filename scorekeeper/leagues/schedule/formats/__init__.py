"""The formats of a league night. The docstring of each format's module states its rules."""

from collections.abc import Mapping

from scorekeeper.leagues.schedule.formats.drawn import FIXED_HANDS, TIMED, TO_TARGET
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.night import Format
from scorekeeper.leagues.schedule.formats.progressive import PROGRESSIVE
from scorekeeper.leagues.schedule.formats.round_robin import ROUND_ROBIN
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH

FORMATS: Mapping[str, Format] = {
    form.key: form for form in (TO_TARGET, FIXED_HANDS, TIMED, PROGRESSIVE, ROUND_ROBIN, KNOCKOUT, TEAM_MATCH)
}
"""Every format by its key; the default comes first."""
