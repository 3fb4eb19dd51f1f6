"""Put texts into the reader's language: catalogs, sentences about a game, labels of house rules."""
