"""A shop's API on this machine, to try contracts on: in the style of the Salla Admin API v2, in memory."""
