"""From a replayed game to the page models of `games.pages`. No Flask here: views pass addresses in."""
