"""The standings of a season, and which rule broke each tie.

What is ranked is called a unit: one person, or fixed partners together, as a tuple of person ids, lowest first.
`table.standings` ranks people, `table.team_standings` ranks fixed partners. These calculations are pure and use only
the standard library. Averages are fractions, so that rounding never makes or hides a tie. The order in which games are
given never matters.
"""
