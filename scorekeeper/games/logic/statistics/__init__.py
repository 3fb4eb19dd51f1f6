"""Count the games and hands of people; for leagues and for home tables alike."""
