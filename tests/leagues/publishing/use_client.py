"""Call the API with a client that openapi-python-client wrote: `python use_client.py SERVER FOLDER`.

It prints what each call returned, as JSON by path.
"""

import json
import sys
from http import HTTPStatus

server, folder = sys.argv[1:]
sys.path.insert(0, folder)

from club_client import Client  # noqa: E402
from club_client.api.default import (  # noqa: E402
    get_clubs,
    get_clubs_club,
    get_clubs_club_schedule,
    get_clubs_club_seasons,
    get_clubs_club_seasons_season_nights,
    get_clubs_club_seasons_season_nights_night,
    get_clubs_club_seasons_season_nights_night_games,
    get_clubs_club_seasons_season_standings,
)

told = {}
with Client(base_url=server, raise_on_unexpected_status=True) as client:
    club = get_clubs.sync(client=client).clubs[0].slug
    season = get_clubs_club.sync(club, client=client).current_season
    night = get_clubs_club_seasons_season_nights.sync(club, season, client=client, page=1).nights[-1].number
    for call, places in (
        (get_clubs, ()),
        (get_clubs_club, (club,)),
        (get_clubs_club_schedule, (club,)),
        (get_clubs_club_seasons, (club,)),
        (get_clubs_club_seasons_season_standings, (club, season)),
        (get_clubs_club_seasons_season_nights, (club, season)),
        (get_clubs_club_seasons_season_nights_night, (club, season, night)),
        (get_clubs_club_seasons_season_nights_night_games, (club, season, night)),
    ):
        answer = call.sync_detailed(*places, client=client)
        assert answer.status_code == HTTPStatus.OK
        told[call.__name__.rpartition(".")[2]] = [places, answer.parsed.to_dict()]
    for call, places in ((get_clubs_club, ("nobody",)), (get_clubs_club_seasons_season_standings, (club, 99))):
        missing = call.sync_detailed(*places, client=client)
        assert (missing.status_code, type(missing.parsed).__name__) == (HTTPStatus.NOT_FOUND, "Error")
print(json.dumps(told))
