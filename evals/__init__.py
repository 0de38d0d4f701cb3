"""Measured behaviour: does the model pick the right tool, and is what it says true?

`python -m evals` runs it; docs/evals.md says what each figure means.
"""
