"""Advisories as other programs read them. Pure: facts in, documents out."""
