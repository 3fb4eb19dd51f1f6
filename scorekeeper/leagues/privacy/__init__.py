"""Personal data in a league: showing, exporting and removing it."""
