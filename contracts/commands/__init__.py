"""The commands of `python -m contracts`: one file each, imported when it is called for."""
