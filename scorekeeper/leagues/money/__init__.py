"""The money of a night, in whole cents: pure, standard library only. Whatever comes in is paid out or kept."""
