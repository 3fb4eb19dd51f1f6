"""Views of a league night: read the request, call a service, show the page or redirect."""
