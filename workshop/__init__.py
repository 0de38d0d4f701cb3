"""The workshop: a sentence goes in, a small tested program comes out, or an honest account of why not."""
