"""The suite that assumes the model belongs to an attacker: cases as data, played, judged, counted.

`python -m evals.hostile` runs it; docs/security.md says what it found.
"""
