"""Personal data in a league: shown, handed over, taken out."""
