"""Serve the application with uvicorn and a2wsgi, and with our own modules around them."""
