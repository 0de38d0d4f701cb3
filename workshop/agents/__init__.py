"""The agents of the chain, each a program of its own that speaks the protocol over stdin and stdout."""
