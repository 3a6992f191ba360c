"""Worker and signer are killed at each step of a publish in turn; clients never notice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import requests

from tests.held import Step, held, is_reached
from tests.package_clients import Apt, Dnf, build_deb, build_rpm, deb_architecture
from tests.publisher import Publisher, shown, wait_for
from tests.stack import Stack

SLUG = "crashdb"
PACKAGE = f"{SLUG}-server"
PATIENCE = 120  # seconds: a sweep comes after 15, on a busy machine later
STEPS = [
    Step("an rpm is signed", "releases_package", "UPDATE", "NEW.signed_at IS NOT NULL"),
    Step("the indices are on disk, their rows are new", "releases_indexbuild", "INSERT"),
    Step(
        "the table of contents is written",
        "releases_indexfile",
        "INSERT",
        "NEW.path IN ('Release', 'repodata/repomd.xml')",
    ),
    Step("the publication is built", "releases_publication", "UPDATE", "NEW.state = 'built'"),
    Step(
        "the signer has answered and logged, the signature is not kept yet",
        "releases_indexfile",
        "INSERT",
        "NEW.path IN ('InRelease', 'repodata/repomd.xml.asc')",
    ),
    Step("the publication is signed", "releases_publication", "UPDATE", "NEW.state = 'signed'"),
    Step("the one before is past", "releases_publication", "UPDATE", "NEW.state = 'past'"),
    Step("the publication is current", "releases_publication", "UPDATE", "NEW.state = 'current'"),
    Step(
        "the repository points at it",
        "releases_repository",
        "UPDATE",
        "NEW.current_id IS DISTINCT FROM OLD.current_id",
    ),
    Step("the log tells of it", "lib_auditentry", "INSERT", "NEW.verb = 'publication.switch'"),
]


class Machines:
    """A machine with apt and one with dnf, set up once from the generator's text."""

    def __init__(self, publisher: Publisher, folder: Path) -> None:
        deb = publisher.generator(distribution="debian-12", arch=deb_architecture()).text
        rpm = publisher.generator(distribution="rhel-9", arch="x86_64").text
        self.apt = Apt(folder / "apt")
        self.apt.configure(shown(deb, f"/etc/apt/sources.list.d/{SLUG}.sources"), key_of(deb))
        self.dnf = Dnf(folder / "dnf")
        self.dnf.configure(shown(rpm, f"/etc/yum.repos.d/{SLUG}.repo"))

    def offered(self) -> tuple[str, str]:
        """The newest version that each client sees in a whole, rightly signed repository."""
        update = self.apt.run("update")
        assert update.returncode == 0, update.stdout + update.stderr
        apt = self.apt.run("download", "--print-uris", PACKAGE).stdout
        cache = self.dnf.run("makecache", "--refresh")
        assert cache.returncode == 0, cache.stdout + cache.stderr
        dnf = self.dnf.run("repoquery", "--latest-limit=1", "--qf=%{version}", PACKAGE).stdout
        return apt.partition(f"{PACKAGE}_")[2].partition("_")[0], dnf.split()[-1]

    def install(self) -> None:
        for client in (self.apt, self.dnf):
            done = client.run("install", PACKAGE)
            assert done.returncode == 0, done.stdout + done.stderr


def key_of(page: str) -> bytes:
    address = re.search(r"http\S+\.pgp", page)
    assert address is not None
    return requests.get(address[0], timeout=30).content


def draft(publisher: Publisher, version: str, folder: Path) -> None:
    """A draft with a .deb and an .rpm, ready to be published."""
    folder.mkdir()
    publisher.draft(version)
    deb, rpm = build_deb(folder, PACKAGE, version), build_rpm(folder, PACKAGE, version)
    publisher.upload(version, "--distribution", "debian-12", deb)
    publisher.upload(version, "--distribution", "rhel-9", rpm)


def serials(publisher: Publisher) -> list[tuple[object, ...]]:
    """Repository and the serial of each publication that it ever showed."""
    return publisher.stack.sql(
        "SELECT r.distribution, r.architecture, p.serial FROM releases_publication p"
        " JOIN releases_repository r ON r.id = p.repository_id"
        " JOIN releases_series s ON s.id = r.series_id JOIN releases_product d"
        " ON d.id = s.product_id WHERE d.slug = %s AND p.state IN ('current', 'past')",
        (SLUG,),
    )


@pytest.fixture(scope="module")
def work(
    _running_stack: Stack, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Publisher, Machines]:
    """A product with one published version, and two machines that follow it."""
    publisher = Publisher(_running_stack, SLUG)
    draft(publisher, "12.3.0", tmp_path_factory.mktemp("first") / "12.3.0")
    publisher.publish("12.3.0")
    wait_for(lambda: publisher.states() == {"current"}, PATIENCE)
    # What the beat does every five minutes: new repositories get their keyring package once.
    _running_stack.manage("shell", "-c", "from releases.tasks import tend_keys; tend_keys()")
    wait_for(lambda: publisher.states() == {"current", "past"}, PATIENCE)
    return publisher, Machines(publisher, tmp_path_factory.mktemp("machines"))


EACH_STEP = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)


@pytest.mark.proof
@EACH_STEP
def test_a_publish_survives_the_death_of_worker_and_signer_at_each_of_its_steps(
    work: tuple[Publisher, Machines], stack: Stack, tmp_path: Path, step: Step
) -> None:
    publish_and_kill(stack, *work, tmp_path, step, ["worker", "signer"])


@pytest.mark.proof_full
@EACH_STEP
@pytest.mark.parametrize("victim", ["worker", "signer"])
def test_a_publish_survives_the_death_of_either_at_each_of_its_steps(
    work: tuple[Publisher, Machines], stack: Stack, tmp_path: Path, step: Step, victim: str
) -> None:
    publish_and_kill(stack, *work, tmp_path, step, [victim])


def publish_and_kill(
    stack: Stack,
    publisher: Publisher,
    machines: Machines,
    folder: Path,
    step: Step,
    victims: list[str],
) -> None:
    before = machines.offered()
    assert before[0] == before[1]
    version = f"12.3.{int(before[0].rpartition('.')[2]) + 1}"
    draft(publisher, version, folder / version)
    shown_before = serials(publisher)

    with held(stack, step):
        publisher.publish(version)
        wait_for(lambda: is_reached(stack), PATIENCE)
        for victim in victims:
            stack.kill(victim)
        assert set(machines.offered()) <= {before[0], version}
    for victim in victims:
        stack.start(victim)
    stack.wait_ready()

    wait_for(lambda: publisher.states() <= {"current", "past"}, PATIENCE)
    wait_for(lambda: machines.offered() == (version, version), PATIENCE)
    machines.install()
    new = set(serials(publisher)) - set(shown_before)
    assert len(new) == len({(system, processor) for system, processor, _ in new}), "shown once each"
