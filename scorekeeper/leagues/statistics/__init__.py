"""What a player's games and hands say of him: pure, standard library only."""
