"""The arithmetic of benchmarks: what one result says, and what two say against each other.

Pure: lists of numbers in, dataclasses out. Samples inside one process are not independent, so all
inference stands on the medians of processes. numpy and scipy are imported inside the functions:
they cost 100 MB and more than a second, which only the worker should pay.
"""

from benchmarks.statistics.compare import Contrast, Side, contrast
from benchmarks.statistics.describe import FEWEST, RANKED, Description, describe
from benchmarks.statistics.draws import DRAWS, seed_of
from benchmarks.statistics.judge import Finding, Verdict, detectable, holm, judge, processes_needed

__all__ = [
    "DRAWS",
    "FEWEST",
    "RANKED",
    "Contrast",
    "Description",
    "Finding",
    "Side",
    "Verdict",
    "contrast",
    "describe",
    "detectable",
    "holm",
    "judge",
    "processes_needed",
    "seed_of",
]
