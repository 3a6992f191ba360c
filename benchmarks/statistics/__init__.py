"""The arithmetic of benchmarks: what one result says, and what two say against each other.

Pure: lists of numbers in, dataclasses out. Samples inside one process are not independent, so all
inference stands on the medians of processes. numpy and scipy are imported inside the functions:
they cost 100 MB and more than a second, which only the worker should pay.
"""

from benchmarks.statistics.compare import Contrast, Side, contrast
from benchmarks.statistics.describe import DRAWS, FEWEST, Description, describe, seed_of
from benchmarks.statistics.judge import Finding, Verdict, holm, judge

__all__ = [
    "DRAWS",
    "FEWEST",
    "Contrast",
    "Description",
    "Finding",
    "Side",
    "Verdict",
    "contrast",
    "describe",
    "holm",
    "judge",
    "seed_of",
]
