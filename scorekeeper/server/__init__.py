"""The server: uvicorn and a2wsgi as published, and our modules around them."""
