"""Open clubs: leagues with a public page, and its embeds, feed and API.

All of them are made from the models in `pages.py`, which `queries` reads with the names that the league shows to the
public. No open page links to the league's own pages, which show full names.
"""
