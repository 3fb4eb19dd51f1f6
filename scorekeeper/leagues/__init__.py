"""A league: people, seasons and nights around the games, and what follows from them."""
