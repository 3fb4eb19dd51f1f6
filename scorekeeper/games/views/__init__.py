"""Answer requests about games: read the form, call a service, show the page."""
