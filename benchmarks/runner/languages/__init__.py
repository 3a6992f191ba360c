"""How drivers of a language are installed and started: a module with the same names for each.

`install(driver)` fetches and builds, `missing(driver)` says why it cannot be started (or nothing),
`command(driver)` and `environment(driver)` start a measurement, `words(driver, job)` is what it is
told beyond the job.
"""

from collections.abc import Mapping
from types import ModuleType

from benchmarks.runner.languages import c, go, java, node, python

LANGUAGES: Mapping[str, ModuleType] = {
    "python": python,
    "c": c,
    "java": java,
    "node": node,
    "go": go,
}

__all__ = ["LANGUAGES"]
