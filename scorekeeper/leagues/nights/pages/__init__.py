"""The page models of a league night."""
