"""Statistics of a player's games and hands.

The calculations (modules `games`, `hands` and `rate`) are pure functions and use only the standard library.
"""
