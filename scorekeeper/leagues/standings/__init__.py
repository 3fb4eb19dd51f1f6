"""Who stands where in a season, and which rule says so: pure, standard library only.

`table.standings` counts people, `table.team_standings` fixed partners. Averages are fractions, so that nothing is
level, or not level, by rounding. Nothing depends on the order in which games are told.
"""
