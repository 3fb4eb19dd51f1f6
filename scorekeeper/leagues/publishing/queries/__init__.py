"""Read open clubs, the home page, and the settings of a club."""
