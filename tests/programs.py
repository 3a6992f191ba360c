"""System programs that real-client tests need: skipped where absent, a failure in CI."""

import os
import shutil

import pytest


def need(*names: str) -> list[str]:
    """Paths of the programs; skips the test where one is missing, fails it when CI=true."""
    found = [
        shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") for name in names
    ]
    missing = [name for name, path in zip(names, found, strict=True) if path is None]
    if missing:
        reason = f"needs {', '.join(missing)} (scripts/install_system_programs.sh installs them)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return [path for path in found if path is not None]
