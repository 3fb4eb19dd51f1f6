"""Store home tables: groups of players, the players' names and photos, and the phones that belong to a table."""
