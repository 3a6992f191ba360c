"""Bylaws as text: read into articles, compared, merged, corrected. Knows no Django."""
