import shutil
from pathlib import Path

import pytest

from portal.postgres_programs import reachable, shared_copy

PARTS = ["server/install", "server.libs"]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "private"
    for part in PARTS:
        (folder / part).mkdir(parents=True)
    (folder / "server/install/postgres").write_text("program")
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "shared").mkdir()
    return tmp_path / "shared"


def test_a_folder_below_a_private_one_is_not_reachable(programs: Path) -> None:
    programs.chmod(0o700)
    assert not reachable(programs / "server")
    assert reachable(Path("/usr/bin"))


def test_the_copy_is_made_once_and_others_may_read_it(programs: Path, place: Path) -> None:
    copy = shared_copy(programs, PARTS, place)
    assert (copy / "server/install/postgres").read_text() == "program"
    assert (copy / "server.libs").is_dir()
    assert copy.stat().st_mode & 0o777 == 0o755
    assert shared_copy(programs, PARTS, place) == copy
    assert list(place.iterdir()) == [copy]


def test_another_version_of_the_folder_is_another_copy(programs: Path, place: Path) -> None:
    first = shared_copy(programs, PARTS, place)
    (programs / "server.libs" / "newer").touch()
    assert shared_copy(programs, PARTS, place) != first


@pytest.mark.parametrize("trap", ["link", "open to all"])
def test_what_somebody_else_put_there_is_refused(programs: Path, place: Path, trap: str) -> None:
    copy = shared_copy(programs, PARTS, place)
    shutil.rmtree(copy)
    if trap == "link":
        copy.symlink_to(programs)
    else:
        copy.mkdir()
        copy.chmod(0o777)
    with pytest.raises(PermissionError, match="not made by us"):
        shared_copy(programs, PARTS, place)
