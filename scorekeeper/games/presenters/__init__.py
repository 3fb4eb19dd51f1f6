"""Make the page models of `games.pages` from replayed games. No Flask here: views pass the addresses in."""
