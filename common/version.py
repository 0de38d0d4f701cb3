"""The version of ShopKart, for whoever asks. pyproject.toml repeats it for packagers; a test compares."""

VERSION = "0.1.0"
