"""Servers of others that carry our files: how they are probed, chosen, and told what to fetch."""
