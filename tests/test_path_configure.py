"""Every output of the generator is followed to the letter on a fresh machine, with real clients.

One stack publishes one series for every system; each output is taken from the page's JSON, run in a
copy-on-write copy of this machine, and must leave the package installed and, after "remove it
again", no trace of the repository. The packages have no dependencies, so that Debian's apt, dnf and
zypper install what was built for any system of theirs.
"""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml

from releases.distributions import DISTRIBUTIONS, FAMILIES
from tests.machine import Machine, machine
from tests.package_clients import deb_architecture
from tests.programs import need
from tests.stack import Stack

PRODUCT, SERIES, PACKAGE = "exampledb", "12.1", "exampledb-server"
KEYRING_PACKAGE = f"{PRODUCT}-archive-keyring"
KEYRING = f"/usr/share/keyrings/{KEYRING_PACKAGE}.pgp"
SHOWN = f"/usr/share/{PACKAGE}/VERSION"
LOAD = f"""
from django.utils import timezone
from portal.accounts import demonstration as people
from releases import demonstration
from releases.demonstration_plan import SERIES
planned = next(one for one in SERIES if (one.product, one.name) == ("{PRODUCT}", "{SERIES}"))
demonstration.load_series(planned, people.person(people.FRANK).joined_at)
"""
TEND = "from releases.tasks import tend_keys; tend_keys()"  # what beat asks for
COMING = "SELECT count(*) FROM releases_publication WHERE state IN ('queued', 'built', 'signed')"
UNFINISHED = "SELECT count(*) FROM releases_repository WHERE current_id IS NULL"
EXTRA = ["list", "zypper-repo", "dockerfile", "ansible", "cloud-init", "script", "keyring", "key"]
THOROUGH = {"apt": "debian-12", "dnf": "rhel-9", "zypper": "opensuse-16"}
CASES = [
    *[(slug, "") for slug in DISTRIBUTIONS if slug != "debian-11"],
    *[(slug, output) for slug in THOROUGH.values() for output in EXTRA],
]
SCRATCH = "/root"  # of the machine
PROGRAMS = {"apt": "apt-get", "dnf": "dnf", "zypper": "zypper"}

pytestmark = pytest.mark.proof


@pytest.fixture
def published(stack: Stack) -> Stack:
    """The stack with every system's repository of one series."""
    if stack.sql("SELECT 1 FROM releases_series WHERE name = %s", (SERIES,)):
        return stack
    stack.manage("shell", "--verbosity=0", "--command", LOAD)
    deadline = time.monotonic() + 300
    while stack.sql(UNFINISHED) != [(0,)] or not has_script(stack):
        assert time.monotonic() < deadline, stack.log("worker")[-3000:]
        time.sleep(1)
    stack.manage("shell", "--verbosity=0", "--command", TEND)
    while stack.sql(COMING) != [(0,)]:
        assert time.monotonic() < deadline, stack.log("worker")[-3000:]
        time.sleep(0.5)
    return stack


def has_script(stack: Stack) -> bool:
    found = requests.get(f"{stack.url}/repo_setup", timeout=30)
    return all(f"{PRODUCT} {name} rhel-9 " in found.text for name in (SERIES, "11.8"))


def ask(stack: Stack, slug: str, **query: str) -> Any:
    """The generator's answer for this machine's processor."""
    chosen = {"product": PRODUCT, "series": SERIES, "distribution": slug}
    query = chosen | {"arch": deb_architecture(), "as": "json"} | query
    answer = requests.get(f"{stack.url}/repositories/", params=query, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(("slug", "output"), CASES)
def test_an_output_installs_the_package(
    published: Stack, tmp_path: Path, slug: str, output: str
) -> None:
    need(PROGRAMS[DISTRIBUTIONS[slug].tool])
    found = ask(published, slug)
    output = output or next(iter(found["formats"]))
    if output not in found["formats"]:
        pytest.skip(f"{output} is not for {slug}")
    pieces = found["formats"][output]
    with machine(tmp_path / "machine") as fresh:
        fresh.write("/etc/os-release", os_release(slug))
        FOLLOW.get(output, follow)(fresh, pieces)
        if output in {"keyring", "key"}:
            return
        assert fresh.read(SHOWN).startswith(f"{PRODUCT} 12.1.3")
        if DISTRIBUTIONS[slug].is_deb:
            fresh.run(f"dpkg --verify {KEYRING_PACKAGE}")
        removed = [piece["text"] for piece in pieces if piece["kind"] == "remove"]
        for text in removed:
            fresh.run(text)
            left = fresh.run(f"grep -rl {PRODUCT} /etc/apt /etc/yum.repos.d /etc/zypp", check=False)
            assert left.stdout == ""
            assert not fresh.has(KEYRING)
            keys = fresh.run("rpm -q gpg-pubkey", check=False).stdout
            assert found["keys"][0]["fingerprint"][-8:].lower() not in keys


def follow(fresh: Machine, pieces: list[dict[str, str]]) -> None:
    """Step by step, as a person does who reads the page; the optional pin too."""
    for piece in pieces:
        if piece["path"]:
            fresh.write(piece["path"], piece["text"])
        elif piece["kind"] != "remove":
            fresh.run(piece["text"])


def os_release(slug: str) -> str:
    """What such a machine says of itself; one of those built to be like RHEL."""
    system = DISTRIBUTIONS[slug]
    name = {"rhel": "rocky"}.get(system.family, FAMILIES[system.family].os_release_ids[0])
    version = system.release if system.tool == "apt" else f"{system.release}.0"
    return f'ID="{name}"\nVERSION_ID="{version}"\nVERSION_CODENAME={system.codename}\n'


def follow_dockerfile(fresh: Machine, pieces: list[dict[str, str]]) -> None:
    """What a builder does: instructions, lines joined by backslashes, RUN through /bin/sh -c."""
    (piece,) = pieces
    lines = [line for line in piece["text"].splitlines() if not line.startswith("#")]
    instructions = "\n".join(lines).replace("\\\n", "").splitlines()
    assert instructions[0].startswith("FROM ")
    for instruction in instructions[1:]:
        word, _, command = instruction.partition(" ")
        assert word == "RUN"
        fresh.write(f"{SCRATCH}/run", command)
        fresh.run(f'/bin/sh -c "$(cat {SCRATCH}/run)"')


def follow_ansible(fresh: Machine, pieces: list[dict[str, str]]) -> None:
    """ansible-playbook on the machine itself, twice: the second time nothing changes."""
    need("ansible-playbook")
    (piece,) = pieces
    if "community.general" in piece["text"]:
        pytest.skip("Debian's ansible-core has no community.general")
    fresh.write(f"{SCRATCH}/tasks.yml", piece["text"])
    play = [{"hosts": "localhost", "connection": "local", "tasks": [{"import_tasks": "tasks.yml"}]}]
    fresh.write(f"{SCRATCH}/play.yml", json.dumps(play))
    run = f"cd {SCRATCH} && ANSIBLE_LOCALHOST_WARNING=0 ansible-playbook play.yml"
    fresh.run(run)
    again = fresh.run(run).stdout
    assert re.search(r"changed=[01] ", again), again


def follow_cloud_init(fresh: Machine, pieces: list[dict[str, str]]) -> None:
    """What cloud-init does with these keys: files, then packages, then commands."""
    (piece,) = pieces
    config = yaml.safe_load(piece["text"])
    for entry in config["write_files"]:
        fresh.write(f"{SCRATCH}/content", entry["content"])
        decode = "base64 -d" if entry.get("encoding") == "b64" else "cat"
        path = entry["path"]
        fresh.run(f"mkdir -p {path.rpartition('/')[0]}; {decode} <{SCRATCH}/content >{path}")
    install = "apt-get update && apt-get install" if "apt" in piece["text"] else "dnf install"
    for package in config.get("packages", []):
        fresh.run(f"{install} -y {package}")
    for words in config.get("runcmd", []):
        fresh.run(" ".join(words))


def follow_key(fresh: Machine, pieces: list[dict[str, str]]) -> None:
    """The fingerprint that gpg prints is the one beside it."""
    text = f"cd {SCRATCH}\n" + "".join(
        piece["text"] for piece in pieces if piece["kind"] != "remove"
    )
    printed = re.sub(r"\s", "", fresh.run(text).stdout)
    (told,) = re.findall(r"# Key fingerprint: ([0-9A-F ]+)", text)
    assert told.replace(" ", "") in printed
    fresh.run(next(piece["text"] for piece in pieces if piece["kind"] == "remove"))


FOLLOW: dict[str, Callable[[Machine, list[dict[str, str]]], None]] = {
    "dockerfile": follow_dockerfile,
    "ansible": follow_ansible,
    "cloud-init": follow_cloud_init,
    "keyring": follow_key,
    "key": follow_key,
}


def test_the_set_up_script_on_a_machine(published: Stack, tmp_path: Path) -> None:
    """As root: wget alone, its old files, its checks, its options."""
    need("wget", "busybox")
    text = requests.get(f"{published.url}/repo_setup", timeout=30).text
    sources = "/etc/apt/sources.list.d/exampledb.sources"
    with machine(tmp_path / "machine") as fresh:
        fresh.write("/etc/os-release", os_release("debian-12"))
        fresh.write(f"{SCRATCH}/repo_setup", text)
        fresh.write(sources, "# by hand\n")
        fresh.run("mv /usr/bin/curl /usr/bin/no-curl")
        script = f"sh {SCRATCH}/repo_setup --server-version={SERIES}"

        told = fresh.run(f"{script} --skip-key-import", check=False)
        assert told.returncode != 0, "apt-get update takes no index without its key"
        assert not fresh.has(KEYRING)
        assert fresh.read(f"{sources}.old_1") == "# by hand\n"
        fresh.run(f"busybox {script}")
        assert fresh.has(KEYRING)
        assert not fresh.has(f"{sources}.old_2")
        fresh.run("apt-get install -y exampledb-server")
        fresh.run(f"sh {SCRATCH}/repo_setup --server-version=11.8")
        assert fresh.read(f"{sources}.old_2").startswith("# ExampleDB 12.1")

        kept = fresh.read(sources)
        forced = fresh.run(f"{script} --server-version=99", check=False)
        assert "99 is not published" in forced.stderr
        wrong = text.replace("\nsite='", "\nsite='http://localhost:1/x")
        fresh.write(f"{SCRATCH}/nowhere", wrong)
        assert (
            "cannot read http://localhost:1/"
            in fresh.run(f"sh {SCRATCH}/nowhere", check=False).stderr
        )
        changed = re.sub(r"\b[0-9a-f]{64}\b", "0" * 64, text)
        fresh.write(f"{SCRATCH}/changed", changed)
        refused = fresh.run(f"sh {SCRATCH}/changed --server-version={SERIES}", check=False)
        assert "are not those this script knows; fetch the newest script" in refused.stderr
        assert fresh.read(sources) == kept


def test_the_signature_of_the_script_is_by_the_key_of_downloads(
    published: Stack, tmp_path: Path
) -> None:
    (gpg,) = need("gpg")
    for name in ["repo_setup", "repo_setup.asc"]:
        answer = requests.get(f"{published.url}/{name}", timeout=30)
        (tmp_path / name).write_bytes(answer.content)
    ((key,),) = published.sql(
        "SELECT armored FROM releases_signingkey WHERE for_files AND scope = ''"
    )
    command = [gpg, "--homedir", str(tmp_path), "--batch"]
    subprocess.run([*command, "--import"], input=key.encode(), check=True, capture_output=True)
    signed = [str(tmp_path / "repo_setup.asc"), str(tmp_path / "repo_setup")]
    done = subprocess.run([*command, "--verify", *signed], capture_output=True, check=False)
    assert b"Good signature" in done.stderr, done.stderr
