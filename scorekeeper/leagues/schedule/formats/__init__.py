"""What a league night can be: one module a format, its rules first."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.leagues.schedule.formats.fixed_hands import FIXED_HANDS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.formats.night import Format
from scorekeeper.leagues.schedule.formats.progressive import PROGRESSIVE
from scorekeeper.leagues.schedule.formats.round_robin import ROUND_ROBIN
from scorekeeper.leagues.schedule.formats.timed import TIMED
from scorekeeper.leagues.schedule.formats.to_target import TO_TARGET

FORMATS: Mapping[str, Format] = {
    form.key: form for form in (TO_TARGET, FIXED_HANDS, TIMED, PROGRESSIVE, ROUND_ROBIN, KNOCKOUT)
}
"""Every format by its key, the usual one first."""
