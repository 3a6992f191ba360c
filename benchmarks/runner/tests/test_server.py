"""A real run, small: our own server, PyMySQL or what is there, into the portal's format."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.readers import content, native
from benchmarks.runner.drivers import all_drivers
from benchmarks.runner.languages import LANGUAGES
from benchmarks.runner.server import ServerError, own_server, server_program

pytestmark = pytest.mark.proof


def there(slug: str) -> bool:
    driver = all_drivers()[slug]
    return not LANGUAGES[driver.language].missing(driver)


@pytest.fixture(autouse=True)
def _needs_a_server() -> None:
    try:
        server_program()
    except ServerError:
        pytest.skip("no MariaDB server is installed")


def test_our_own_server_leaves_nothing_behind() -> None:
    with own_server() as server:
        assert server.ask("SELECT 1") == [["1"]]
        folder = Path(server.socket).parent
        assert server.counters()["Questions"] > 0
    assert not folder.exists()


def test_what_a_driver_is_and_does_is_in_the_file(tmp_path: Path) -> None:
    found = [slug for slug in ("pymysql", "c-shared", "go-mysql") if there(slug)]
    if not found:
        pytest.skip("no driver is installed: python -m benchmarks.runner doctor --install")
    words = ["run", "--drivers", ",".join(found), "--cases", "select_1", "--prepare", "none"]
    words += ["--processes", "2", "--warmup", "0.02", "--samples", "2", "--seconds", "0.02"]
    subprocess.run(
        [sys.executable, "-m", "benchmarks.runner", *words, "--out", str(tmp_path), "--seed", "5"],
        check=True,
        timeout=120,
    )
    raw = (tmp_path / "fast_queries.json").read_bytes()
    read = native.read(content.opened(raw))
    assert json.loads(raw)["run"]["seed"] == 5
    for one in read.results:
        assert not one.error
        assert [len(process) for process in one.samples] == [2, 2]
        assert one.subject.implementation
        if one.metric == "throughput":
            assert one.evidence["result_check"] == "1 x 1: 1"
            assert one.evidence["questions_per_op"] == pytest.approx(1, abs=0.01)
            assert one.evidence["stmt_execute_per_op"] == 0


def test_the_programs_that_measure_can_be_built() -> None:
    if shutil.which("node"):
        for path in (Path(__file__).parents[1] / "work" / "node").glob("*.mjs"):
            subprocess.run(["node", "--check", str(path)], check=True, timeout=60)
