"""What is kept: suites and their cases, runs and their results, what was computed of them."""

from benchmarks.models.case import Case
from benchmarks.models.comparison import Comparison
from benchmarks.models.ledger import LedgerLine
from benchmarks.models.line import ChangeMark, Line
from benchmarks.models.mapping import NameMapping
from benchmarks.models.result import Result, Samples
from benchmarks.models.run import Original, Run, State, Trust
from benchmarks.models.signer import CiKey, Signer
from benchmarks.models.statistics import Statistics
from benchmarks.models.suite import Suite

__all__ = [
    "Case",
    "ChangeMark",
    "CiKey",
    "Comparison",
    "LedgerLine",
    "Line",
    "NameMapping",
    "Original",
    "Result",
    "Run",
    "Samples",
    "Signer",
    "State",
    "Statistics",
    "Suite",
    "Trust",
]
