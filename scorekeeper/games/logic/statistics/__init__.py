"""Count the games and hands of people; for leagues and for the table of a phone alike."""
