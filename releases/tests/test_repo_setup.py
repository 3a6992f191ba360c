"""The set-up script, run by three shells without root: every option, and the tables it reads."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from releases import repo_setup
from releases.configurator import OUTPUTS, Choice, Key, plain_text
from releases.distributions import DISTRIBUTIONS
from releases.repo_setup import KeyringRow, NameRow, PlaceRow, ProductRow, Tables
from tests.programs import need

SHELLS = {"dash": ["dash"], "bash": ["bash", "--posix"], "busybox": ["busybox", "sh"]}
APT, DNF, ZYPPER = "debian-12", "rhel-9", "sles-15"
TABLES = Tables(
    site="https://db.example.org",
    default_product="p",
    products=(ProductRow("p", "11.8", "p-server", "P $(id)"), ProductRow("q", "4.0", "q", "Q")),
    names=(
        NameRow("p", "11.8", "series", "stable", date(2090, 1, 1)),
        NameRow("p", "latest", "alias", "stable", date(2090, 1, 1)),
        NameRow("p", "12.0.1", "version", "alpha", None),
        NameRow("p", "12.0.0", "version", "withdrawn", None),
        NameRow("p", "10.6", "series", "old-stable", date(2020, 1, 31)),
        NameRow("q", "4.0", "series", "stable", None),
    ),
    places=(
        *[
            PlaceRow("p", "11.8", slug, ("amd64", "arm64"))
            for slug, found in DISTRIBUTIONS.items()
            if found.is_deb
        ],
        *[
            PlaceRow("p", "11.8", slug, ("x86_64", "aarch64"))
            for slug, found in DISTRIBUTIONS.items()
            if not found.is_deb
        ],
        PlaceRow("p", "latest", APT, ("amd64",)),
        PlaceRow("p", "12.0.1", APT, ("amd64",)),
        PlaceRow("p", "12.0.0", APT, ("amd64",)),
        PlaceRow("p", "10.6", APT, ("amd64",)),
        PlaceRow("q", "4.0", DNF, ("x86_64",)),
    ),
    keyrings=(
        KeyringRow("p", "a" * 64, "b" * 64, ("F" * 40, "E" * 40)),
        KeyringRow("q", "c" * 64, "d" * 64, ("F" * 40,)),
    ),
)


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script; its machine is a folder."""
    folder = tmp_path_factory.mktemp("machine")
    text = repo_setup.render(TABLES, "2026-11-21")
    (folder / "repo_setup").write_text(text.replace("config=/etc\n", f"config={folder}\n"))
    return folder / "repo_setup"


def run(
    script: Path, *options: str, shell: Sequence[str] = ("dash",)
) -> subprocess.CompletedProcess[str]:
    need(shell[0])
    command = [*shell, str(script), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def written(script: Path, *options: str, **how: Sequence[str]) -> str:
    done = run(script, *options, "--write-to-stdout", **how)
    assert done.returncode == 0, done.stderr
    return done.stdout


def system(slug: str, arch: str = "x86_64") -> list[str]:
    found = DISTRIBUTIONS[slug]
    return [f"--os-type={found.family}", f"--os-version={found.release}", f"--arch={arch}"]


def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    (shellcheck,) = need("shellcheck")
    done = subprocess.run([shellcheck, "--shell=sh", script], capture_output=True, check=False)
    assert done.stdout.decode() == ""
    assert done.returncode == 0


@pytest.mark.parametrize("slug", DISTRIBUTIONS)
def test_it_writes_what_the_generator_writes(script: Path, slug: str) -> None:
    found = DISTRIBUTIONS[slug]
    architecture = "amd64" if found.is_deb else "x86_64"
    area = f"repo/11.8/{found.family}"
    if not found.is_deb:
        area = f"yum/11.8/{found.family}/{found.release}/{architecture}"
    choice = Choice(
        product="p",
        title="P $(id) 11.8",
        name="11.8",
        system=found.name,
        tool=found.tool,
        codename=found.codename,
        architecture=architecture,
        address=f"https://db.example.org/{area}",
        site="https://db.example.org",
        keys=(Key("k", "F" * 40),),
        package="p-server",
        generated_on=date(2026, 11, 21),
        has_modules=found.has_modules,
    )
    output = {"apt": "sources", "dnf": "repo", "zypper": "zypper-repo"}[found.tool]
    text = written(script, *system(slug))
    assert plain_text(choice, OUTPUTS[output]).startswith(text)
    assert "P (id) 11.8" in text


@pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS)
def test_three_shells_agree(script: Path, shell: Sequence[str]) -> None:
    for slug in (APT, DNF, ZYPPER):
        usual = written(script, *system(slug))
        assert written(script, *system(slug), shell=shell) == usual
        assert written(script, *system(slug, "amd64"), shell=shell) == usual
    listed = run(script, "--list", shell=shell)
    assert listed.stdout == run(script, "--list").stdout
    assert "p                        10.6           debian-12 " in listed.stdout
    assert "series, old-stable, ended 2020-01-31\n" in listed.stdout
    assert run(script, "--version", shell=shell).stdout == "repo_setup 2026-11-21\n"
    helped = run(script, "--help", shell=shell)
    assert (helped.returncode, helped.stderr) == (0, "")
    for option in ["help", "version", "list", "product", "server-version", "os-type"]:
        assert f"--{option}" in helped.stdout
    refused = run(script, "--server-version=9", *system(APT), shell=shell)
    assert (refused.returncode, refused.stdout) == (1, "")


def test_names_products_and_codenames(script: Path) -> None:
    assert "/repo/latest/debian\n" in written(script, "--server-version=latest", *system(APT))
    assert "/yum/q/4.0/rhel/9/x86_64\n" in written(script, "--product=q", *system(DNF))
    noble = ["--os-type=ubuntu", "--os-version=noble", "--arch=arm64"]
    assert "Suites: noble\nComponents: main\nArchitectures: arm64\n" in written(script, *noble)
    rocky = ["--os-type=rocky", "--os-version=9.6", "--arch=aarch64"]
    assert "/rhel/9/aarch64\n" in written(script, *rocky)
    assert "/sles/15/" in written(script, "--os-type=sles", "--os-version=15.7", "--arch=amd64")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--server-version=9.9"], "is not published; --list"),
        (["--server-version=latest", "--os-type=ubuntu", "--os-version=24.04"], "there is: 11.8"),
        (["--product=q", "--os-type=fedora", "--os-version=44"], "there is: nothing"),
        (["--product=z"], "there is no product z"),
        (["--arch=s390x"], "is built for amd64,arm64, not for s390x"),
        (["--os-type=plan9"], "nothing is published for plan9"),
        (["--os-version=5"], "nothing is published for debian 5"),
        (["--server-version=$(reboot)"], "digits, letters, dots and hyphens alone"),
        (["--server-version=../../x", "--skip-verify"], "digits, letters, dots and hyphens alone"),
    ],
)
def test_what_is_not_there_is_an_error(script: Path, options: list[str], said: str) -> None:
    done = run(script, *system(APT), *options, "--write-to-stdout")
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_ends_are_told_unless_they_are_skipped(script: Path) -> None:
    old = ["--server-version=10.6", *system(APT)]
    assert "no longer supported since 2020-01-31" in run(script, *old, "--write-to-stdout").stderr
    assert run(script, *old, "--skip-eol-check", "--write-to-stdout").stderr == ""
    bullseye = [*system("debian-11"), "--write-to-stdout"]
    assert "Debian 11 is no longer supported by its makers" in run(script, *bullseye).stderr
    assert run(script, *bullseye, "--skip-os-eol-check").stderr == ""
    alpha = run(script, "--server-version=12.0.1", *system(APT), "--write-to-stdout")
    assert "is not for production: its maturity is alpha" in alpha.stderr
    withdrawn = run(script, "--server-version=12.0.0", *system(APT), "--write-to-stdout")
    assert "P (id) 12.0.0 was withdrawn; its page says why" in withdrawn.stderr
    assert "production" not in withdrawn.stderr


def test_an_unknown_option_is_ignored_and_an_unknown_version_can_be_forced(script: Path) -> None:
    done = run(script, *system(APT), "--write-to-stdout", "--mariadb-maxscale-version=2", "x")
    assert done.returncode == 0
    assert done.stderr.count("is ignored") == 2
    forced = written(script, *system(APT), "--server-version=13.0", "--skip-verify")
    assert "/repo/13.0/debian\n" in forced
    assert "Signed-By: /usr/share/keyrings/p-archive-keyring.pgp\n" in forced


def test_the_machine_says_what_it_is(script: Path) -> None:
    release = script.with_name("os-release")

    def found(text: str) -> str:
        release.write_text(text)
        return run(script, "--arch=x86_64", "--write-to-stdout").stdout

    assert "for Debian 12," in found('ID=debian\nVERSION_ID="12"\n')
    assert "for RHEL 9," in found(
        'ID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.6"\n'
    )
    mint = 'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"\nUBUNTU_CODENAME=noble\n'
    assert "for Ubuntu 24.04," in found(mint)
    assert "for openSUSE Leap 16," in found('ID="opensuse-leap"\nVERSION_ID="16.0"\n')
    release.unlink()
    assert "say --os-type= and --os-version=" in run(script, "--write-to-stdout").stderr


def test_no_word_of_a_table_can_end_it() -> None:
    bad = "x\nEND\n$(id) 'a' \\ b"
    tables = Tables(
        site="https://x/'$(id)",
        default_product=bad,
        products=(ProductRow(bad, bad, bad, bad),),
        names=(NameRow(bad, bad, "series", "stable", None),),
        places=(PlaceRow(bad, bad, bad, (bad,)),),
        keyrings=(KeyringRow(bad, bad, bad, (bad,)),),
    )
    text = repo_setup.render(tables, bad)
    plain = repo_setup.render(TABLES, "1")
    assert text.count("\nEND\n") == plain.count("\nEND\n")
    assert "$(id)" not in text
    assert "xENDidab xENDidab xENDidab x END (id) a b\n" in text
