"""What comes in and goes out as a file: archives, spreadsheets, past results, the demo."""
