"""Leagues and their seasons: creating, closing, reopening."""
