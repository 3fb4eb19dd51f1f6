"""The people who play at home: a phone's table, the players at it, the phones that belong to it, their photos."""
