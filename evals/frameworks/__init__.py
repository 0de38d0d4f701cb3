"""The written messages through other agent frameworks: same server, same model, their default settings.

`python -m evals.frameworks` runs it; docs/evals.md says what is compared and how.
"""
