"""The parts of server.py: what its tools take and give."""
