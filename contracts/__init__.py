"""Tools as data: contract files, a pinned registry of what was approved, and the engine that runs it."""
