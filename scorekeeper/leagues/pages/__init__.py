"""What the pages of leagues are made of: frozen, one module a room, nothing in it that could still be read."""
