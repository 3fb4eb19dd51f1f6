"""Read the money of a night and of a season for their pages."""
