"""Teams: squads, divisions, matches, lineups and their standings; and the playoffs of any season.

The result of a match is added up from its tables once the night is closed (`matches`), so nothing is stored twice.
"""
