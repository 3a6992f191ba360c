"""The bundle of everything that was decided, and what checks it without the portal.

Knows no Django: these modules are in every bundle, beside those of `governance.tally`.
"""
