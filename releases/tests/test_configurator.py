"""Every output, for every system: a file that its reader understands, and nothing to break out."""

from __future__ import annotations

import base64
import configparser
import subprocess
from dataclasses import replace
from datetime import date

import pytest
import yaml

from releases import configurator
from releases.configurator.choice import address, tame
from releases.distributions import DISTRIBUTIONS

FINGERPRINT = "199369E5404BD5FC7D2FE43BCBCB082A1BB943DB"
KEY = configurator.Key("k-keyring", FINGERPRINT, "-----BEGIN-----\nabc\n-----END-----\n", b"\x99")
NEXT = configurator.Key("k-next", FINGERPRINT[::-1], "next\n", b"\x98")
CASES = [
    (slug, output.slug)
    for slug, system in DISTRIBUTIONS.items()
    for output in configurator.outputs_for(system.tool)
]


def choice(slug: str) -> configurator.Choice:
    system = DISTRIBUTIONS[slug]
    return configurator.Choice(
        product="p",
        title="P 1",
        name="1",
        system=system.name,
        tool=system.tool,
        codename=system.codename,
        architecture="a",
        address="https://x/y",
        site="https://x",
        keys=(KEY,),
        package="p-server",
        generated_on=date(2026, 1, 2),
        has_modules=system.has_modules,
        image=system.image,
        warnings=("Not for\nproduction.",),
    )


def text(slug: str, output: str, **changes: object) -> str:
    chosen = replace(choice(slug), **changes)  # type: ignore[arg-type]
    return configurator.plain_text(chosen, configurator.OUTPUTS[output])


@pytest.mark.parametrize(("slug", "output"), CASES)
def test_every_output_of_every_system_is_whole(slug: str, output: str) -> None:
    pieces = configurator.OUTPUTS[output].write(choice(slug))
    said = "".join(piece.text for piece in pieces)
    assert "None" not in said
    assert len({(piece.kind, piece.path) for piece in pieces}) == len(pieces)
    assert all(piece.text.endswith("\n") for piece in pieces)
    if output not in {"keyring", "key"}:
        assert "p-server" in said


@pytest.mark.parametrize(("slug", "output"), CASES)
def test_commands_are_read_by_a_shell(slug: str, output: str) -> None:
    for piece in configurator.OUTPUTS[output].write(choice(slug)):
        if not piece.path:
            subprocess.run(["sh", "-n"], input=piece.text, text=True, check=True)


HOSTILE_TITLE = "P \n$(id)`id`\"'{{ x }}\\ # %{y} <b> |; é"


@pytest.mark.parametrize(("slug", "output"), CASES)
def test_a_name_of_ours_cannot_break_out_either(slug: str, output: str) -> None:
    tamed = text(slug, output, title="P (id) id x y b é")
    assert text(slug, output, title=HOSTILE_TITLE) == tamed
    package = "p; $(touch x) '`id`"
    shell = "sudo() { for word; do printf '[%s]\\n' \"$word\"; done; }\n"
    for piece in configurator.OUTPUTS[output].write(replace(choice(slug), package=package)):
        if piece.kind == "install":
            done = subprocess.run(
                ["sh", "-c", shell + piece.text], capture_output=True, text=True, check=True
            )
            assert f"[{package}]" in done.stdout
        elif piece.path.endswith("yml"):
            assert package in yaml.safe_load(piece.text)[-1]["name"]


def test_titles_and_addresses_are_tamed() -> None:
    assert tame("a\u2028b\tc{{d}}") == "a b c d"
    assert address("https://x/a b'$(c)é") == "https://x/a%20b%27%24%28c%29%C3%A9"
    assert address("https://x.org:8/a+b~c%2b/") == "https://x.org:8/a+b~c%2b/"


def test_all_keys_are_installed_while_keys_change() -> None:
    both = {"keys": (KEY, NEXT)}
    path = "/usr/share/keyrings/p-archive-keyring.pgp"
    assert f"Signed-By: {path}\n" in text("debian-12", "sources", **both)
    assert f"signed-by={path}]" in text("debian-12", "list", **both)
    assert "gpgkey=https://x/keys/p-archive-keyring.asc\n" in text("rhel-9", "repo", **both)
    config = yaml.safe_load(text("debian-12", "cloud-init", **both))
    assert config["write_files"][0]["path"] == path
    assert base64.b64decode(config["write_files"][0]["content"]) == b"\x99\x98"
    config = yaml.safe_load(text("sles-15", "cloud-init", **both))
    assert config["write_files"][0]["content"] == KEY.armored + NEXT.armored
    for output in ["dockerfile", "ansible", "cloud-init", "key"]:
        assert NEXT.spaced in text("rhel-9", output, **both)


def test_apt_follows_keys_through_their_package_where_there_is_one() -> None:
    for output in ["sources", "list", "dockerfile", "ansible", "cloud-init", "script"]:
        said = text("debian-12", output, has_keyring=True)
        installs = said.rpartition("p-server")[2]
        assert "p-archive-keyring" in installs.replace(".pgp", ""), output
        assert "p-archive-keyring" not in text("debian-12", output).rpartition("p-server")[2]
    pieces = configurator.OUTPUTS["sources"].write(replace(choice("debian-12"), has_keyring=True))
    assert pieces[-1].text.startswith("sudo apt purge p-archive-keyring\n")


@pytest.mark.parametrize(
    "slug", [slug for slug, system in DISTRIBUTIONS.items() if not system.is_deb]
)
def test_a_repo_file_checks_packages_and_metadata(slug: str) -> None:
    system = DISTRIBUTIONS[slug]
    output = "repo" if system.tool == "dnf" else "zypper-repo"
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text(slug, output))
    section = parser["p-1"]
    assert section["gpgcheck"] == section["repo_gpgcheck"] == "1"
    if system.tool == "dnf":
        assert section["metadata_expire"] == "6h"
    assert ("module_hotfixes" in section) == (system.family == "rhel")


@pytest.mark.parametrize("slug", DISTRIBUTIONS)
def test_ansible_tasks_are_a_list_of_modules_with_known_arguments(slug: str) -> None:
    known = {
        "ansible.builtin.get_url": {"url", "dest", "mode", "force"},
        "ansible.builtin.copy": {"dest", "content", "mode"},
        "ansible.builtin.rpm_key": {"key", "fingerprint"},
        "ansible.builtin.apt": {"name", "state", "update_cache"},
        "ansible.builtin.dnf": {"name", "state"},
        "community.general.zypper": {"name", "state"},
    }
    tasks = yaml.safe_load(text(slug, "ansible"))
    for task in tasks:
        assert task.pop("name")
        ((module, arguments),) = task.items()
        assert set(arguments) == known[module]
    (content,) = [
        task["ansible.builtin.copy"]["content"] for task in tasks if "ansible.builtin.copy" in task
    ]
    assert content.startswith("# P 1 for ")


@pytest.mark.parametrize("slug", DISTRIBUTIONS)
def test_cloud_init_writes_the_same_files(slug: str) -> None:
    said = text(slug, "cloud-init")
    assert said.startswith("#cloud-config\n")
    config = yaml.safe_load(said)
    assert set(config) <= {"write_files", "package_update", "packages", "runcmd"}
    usual = configurator.outputs_for(DISTRIBUTIONS[slug].tool)[0]
    if usual.slug == "zypper":
        usual = configurator.OUTPUTS["zypper-repo"]
    (file,) = [piece for piece in usual.write(choice(slug)) if piece.kind == "file"]
    written = {entry["path"]: entry["content"] for entry in config["write_files"]}
    assert written[file.path] == file.text


def test_zypper_is_told_where_a_newer_key_will_be_found() -> None:
    """addrepo has no word for it, and without it a machine could not follow a change of keys."""
    said = text("opensuse-16", "zypper")
    found = choice("opensuse-16")
    assert f"echo gpgkey={found.keyring_address('asc')} |" in said
    assert f"sudo tee -a /etc/zypp/repos.d/{found.repository}.repo" in said


def test_the_script_is_told_a_product_that_is_not_the_usual_one() -> None:
    assert "--product" not in text("debian-12", "script")
    assert "--product=p" in text("debian-12", "script", is_default=False)


def test_systems_end_on_their_day() -> None:
    system = DISTRIBUTIONS["debian-11"]
    assert not system.is_ended(date(2026, 8, 30))
    assert system.is_ended(date(2026, 8, 31))
    assert not DISTRIBUTIONS["sles-16"].is_ended(date(2090, 1, 1))
