"""Ballot papers of a contest as the files that other counting programs read and write."""
