"""Small real packages in pure Python, for the demonstration and tests: always the same bytes.

Each installs one text file. dpkg and rpm install them like any other package.
"""

from releases.demonstration_packages.deb import build_deb
from releases.demonstration_packages.rpm import build_rpm

__all__ = ["build_deb", "build_rpm"]
