"""The ways that are compared: one answer, and the loop as it is set up differently.

Knows:    what each way changes.
Does not: play one.   (playing.py)
"""

from workshop.options import Options

SINGLE = "single shot"

WAYS: dict[str, Options | None] = {
    SINGLE: None,
    "loop, the model plans": Options(plan="always", anew=0, opinions=0),
    "loop, planned by code": Options(anew=0, opinions=0),
    "loop, then anew": Options(anew=4, opinions=0),
    "loop, anew, compared": Options(anew=4, opinions=4),
    "anew without mending": Options(fixes=0, anew=6, opinions=0),
}
"""Way -> how the pipeline runs; None is a single answer of the same model to the same sentence."""

BEST = "loop, anew, compared"
"""The way that `python -m workshop` goes by default; the aims are about it."""
