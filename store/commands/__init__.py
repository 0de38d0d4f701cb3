"""The commands of `python -m store`, one a file; store/__main__.py lists them."""
