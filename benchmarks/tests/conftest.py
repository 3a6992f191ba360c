"""What several tests of readers start from."""

from pathlib import Path

import pytest

OURS = Path(__file__).resolve().parent / "formats"  # of readers that came later


@pytest.fixture
def folder(shared_data: Path, tmp_path: Path) -> Path:
    """A real file of each tool: those beside the repository, and our own."""
    for path in [*(shared_data / "benchmarks" / "formats").iterdir(), *OURS.glob("*")]:
        (tmp_path / path.name).symlink_to(path)
    return tmp_path
