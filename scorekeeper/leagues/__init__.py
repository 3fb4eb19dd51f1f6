"""Leagues: people, seasons and nights around the games, with standings, statistics and money."""
