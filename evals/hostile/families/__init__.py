"""The families of attacks: each a module with its table of cases."""
