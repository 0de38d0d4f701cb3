"""Whether the output check lets honest replies through and stops false ones: `python -m evals.honesty`."""
