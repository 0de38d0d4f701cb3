"""What stands behind llm.py: endpoints, dialects, the embedded engine and its weights."""
