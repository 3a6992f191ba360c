"""Writing .deb and .rpm files in pure Python, always the same bytes from the same input.

dpkg and rpm install them like any other package. They run no scripts.
"""

from releases.packaging.contents import PackagedFile
from releases.packaging.deb import build_deb
from releases.packaging.rpm import build_rpm

__all__ = ["PackagedFile", "build_deb", "build_rpm"]
