"""What is done in the demonstration, and the day on which it was."""

from collections.abc import Callable
from datetime import datetime

Act = tuple[datetime, Callable[[], object]]
