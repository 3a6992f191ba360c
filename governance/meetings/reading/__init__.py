"""From Markdown to the record of a meeting; pure. Everything that is wrong is told at once, with
its line, so that one look at the file mends all of it.
"""

from governance.meetings.reading.document import faults_of, read
from governance.meetings.reading.problem import Fault, Problem, Reader, ReadingError

__all__ = ["Fault", "Problem", "Reader", "ReadingError", "faults_of", "read"]
