"""Teams: squads, divisions, matches, lineups and their standings; and the playoffs of any season.

Results of matches are added up from the tables of closed nights (`matches`), so nothing is stored twice.
"""
