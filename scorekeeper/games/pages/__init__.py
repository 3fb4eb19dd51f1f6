"""View models of the pages of a game: frozen and made of plain values.

`queries.py` and the presenters build them from a replayed log, and templates only read them, so no template can run a
query or compute a score. Seats and sides count from 0, hand numbers from 1, times are aware datetimes in UTC. Sentences
are complete and translated; nothing is escaped (the templates do that)."""
