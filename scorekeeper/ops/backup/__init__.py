"""Copies of a score book: made, kept, and put back."""
