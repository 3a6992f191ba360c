"""Voting without a browser: `vote.py`, pure, on the standard library and `cryptography` alone."""
