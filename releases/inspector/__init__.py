"""Reads an uploaded package in a process of its own: see `releases/sandbox.py`."""
