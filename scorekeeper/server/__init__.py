"""The server: uvicorn and a2wsgi as published, with what they need to know."""
