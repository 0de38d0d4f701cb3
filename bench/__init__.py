"""What the house costs, as ratios measured in one run: `python -m bench`."""
