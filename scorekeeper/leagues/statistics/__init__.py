"""Statistics of a player's games and hands.

The calculations (`games`, `hands`, `rate`) are pure and use only the standard library.
"""
