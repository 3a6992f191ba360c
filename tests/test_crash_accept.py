"""The worker is killed at each step of accepting uploads: then all are accepted, once each."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from tests.held import Step, held, is_reached
from tests.package_clients import build_deb
from tests.publisher import Publisher, wait_for
from tests.stack import Stack

SLUG = "acceptdb"
PATIENCE = 120  # seconds: a sweep comes after 15, on a busy machine later
STEPS = [
    Step("the bytes are kept, their rows are new", "releases_blob", "INSERT"),
    Step("a file of the release is new", "releases_file", "INSERT"),
    Step("a package is new", "releases_package", "INSERT"),
    Step("an upload is accepted", "releases_upload", "UPDATE", "NEW.state = 'accepted'"),
    Step("the log tells of it", "lib_auditentry", "INSERT", "NEW.verb = 'upload.accept'"),
]


@pytest.fixture(scope="module")
def publisher(_running_stack: Stack) -> Publisher:
    return Publisher(_running_stack, SLUG)


@pytest.mark.proof
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_uploads_survive_the_death_of_the_worker_at_each_step_of_their_acceptance(
    publisher: Publisher, stack: Stack, tmp_path: Path, step: Step
) -> None:
    version = f"12.3.{STEPS.index(step)}"
    publisher.draft(version)
    packages = [build_deb(tmp_path, f"{SLUG}-{part}", version) for part in ("a", "b", "c")]
    words = publisher.client(version, "--distribution", "debian-12", *packages)

    stack.kill("worker")  # so that all of them wait, and are settled together
    client = subprocess.Popen(words, env=publisher.environ, stderr=subprocess.DEVNULL)
    waiting = [("received", None, 0)] * len(packages)
    wait_for(lambda: rows(stack, version) == waiting, PATIENCE)
    with held(stack, step):
        stack.start("worker")
        wait_for(lambda: is_reached(stack), PATIENCE)
        stack.kill("worker")
        assert rows(stack, version) == waiting
    stack.start("worker")

    assert client.wait(PATIENCE) == 0
    sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in packages]
    wait_for(
        lambda: sorted(rows(stack, version)) == sorted(("accepted", sha256, 1) for sha256 in sums)
    )


def rows(stack: Stack, version: str) -> list[tuple[object, ...]]:
    """State, bytes and number of packages of each upload."""
    return stack.sql(
        "SELECT u.state, b.sha256, count(p.id) FROM releases_upload u"
        " JOIN releases_release r ON r.id = u.release_id JOIN releases_series s"
        " ON s.id = r.series_id JOIN releases_product d ON d.id = s.product_id"
        " LEFT JOIN releases_file f ON f.id = u.file_id LEFT JOIN releases_blob b"
        " ON b.id = f.blob_id LEFT JOIN releases_package p ON p.file_id = f.id"
        " WHERE d.slug = %s AND r.version = %s GROUP BY u.id, b.sha256",
        (SLUG, version),
    )
