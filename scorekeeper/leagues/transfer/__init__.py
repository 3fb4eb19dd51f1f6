"""Importing and exporting leagues: archives, spreadsheets, past results and the demo."""
