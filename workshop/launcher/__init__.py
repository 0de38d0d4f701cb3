"""The program that stands between the core and a run: see main.py. It uses the standard library only."""
