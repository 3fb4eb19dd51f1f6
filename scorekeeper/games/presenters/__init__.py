"""Make the page models of `games.pages` from replayed games. No Flask here: views pass in addresses."""
