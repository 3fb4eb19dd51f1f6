"""Calculate how likely each side was to win, hand by hand. Uses only the rules and numpy."""
