"""A key is changed while clients use the repositories: real apt, dnf and zypper, each with the old
key, the new key, and both; before, during and after. The keys are those of one product, by the
command.
"""

from __future__ import annotations

import time
from pathlib import Path

import pysequoia
import pytest

from releases.signer import certificate
from tests.key_change import Clients, key, public, publish, tend
from tests.publisher import Publisher
from tests.stack import Stack

DAY = 86_400
PRODUCT = "rotatedb"
SERVER = f"{PRODUCT}-server"
RPM_SYSTEMS = ("rhel-9", "opensuse-16")
STRICT = "pkg_gpgcheck=1\n"  # as the generator's addrepo --gpgcheck-strict


@pytest.mark.proof
def test_clients_with_either_key_or_both_install_while_the_key_changes(
    stack: Stack, tmp_path: Path
) -> None:
    publisher, clients = Publisher(stack, PRODUCT), Clients(stack, PRODUCT, tmp_path)
    now = int(time.time())
    # The first key was given a later end: a client may still have it as it was, expired.
    first = certificate.generate("Old <old@example.org>", created=now - 90 * DAY)
    plain = certificate.read(first)
    ends = {"past": now - DAY, "future": now + 300 * DAY}
    forms = {
        name: certificate.written(plain, signed=now - 80 * DAY, expires=end)
        for name, end in ends.items()
    }
    (tmp_path / "old.pgp").write_bytes(forms["future"])
    key(stack, "import", "rotate-old", str(tmp_path / "old.pgp"), "--for", PRODUCT, "--at-once")
    publish(publisher, tmp_path, "12.3.0", *RPM_SYSTEMS)
    expired = bytes(pysequoia.Tsk.from_bytes(forms["past"]).extract_certificate())
    told = clients.apt(expired).run("update")
    assert told.returncode != 0
    assert "EXPKEYSIG" in told.stderr

    # Announced: the keyring packages bring the new key to clients that know the old one.
    key(stack, "add", "rotate-new", "--for", PRODUCT, "--algorithm", "ed25519")
    tend(publisher)
    old, new = public(stack, "exampledb-rotate-old"), public(stack, "exampledb-rotate-new")
    assert public(stack, f"{PRODUCT}-archive-keyring") == old + new
    apt, dnf = clients.apt(old), clients.dnf(old)
    assert apt.run("update").returncode == 0
    assert apt.run("install", f"{PRODUCT}-archive-keyring").returncode == 0
    keyring = apt.root / f"usr/share/keyrings/{PRODUCT}-archive-keyring.pgp"
    assert keyring.read_bytes() == old + new
    installed = dnf.run("install", f"{PRODUCT}-release")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    rpm_keys = dnf.root / f"etc/pki/rpm-gpg/RPM-GPG-KEY-{PRODUCT}"
    assert rpm_keys.read_text().count("BEGIN PGP PUBLIC KEY BLOCK") == 2
    assert f"[{PRODUCT}-12.3]" in (dnf.root / f"etc/yum.repos.d/{PRODUCT}.repo").read_text()
    sets = [(old,), (new,), (old, new)]
    before = [clients.apt_installs(*keys) for keys in sets]
    before += [clients.dnf_installs(*keys) for keys in sets]
    before += [clients.zypper_installs(*keys) for keys in sets]
    assert before == [True, False, True] * 3

    # Both sign: indices are good with either key; an rpm holds one signature, still the old key's.
    key(stack, "activate", "rotate-new")
    publish(publisher, tmp_path, "12.3.1", *RPM_SYSTEMS)
    assert [clients.apt_installs(*keys) for keys in sets] == [True, True, True]
    assert [clients.dnf_reads(*keys) for keys in sets] == [True, True, True]
    assert [clients.dnf_installs(*keys) for keys in sets] == [True, False, True]
    # zypper reads the last signature alone: the old key's, which everybody has.
    assert [clients.zypper_installs(*keys) for keys in sets] == [True, False, True]
    assert clients.zypper_installs(old, new, extra=STRICT)

    # The new key alone.
    key(stack, "retire", "rotate-old")
    publish(publisher, tmp_path, "12.3.2", *RPM_SYSTEMS)
    after = [clients.apt_installs(*keys) for keys in sets]
    after += [clients.dnf_installs(*keys) for keys in sets]
    after += [clients.zypper_installs(*keys) for keys in sets]
    assert after == [False, True, True] * 3
    assert clients.zypper_installs(new, extra=STRICT)
    # Clients that took the keyring packages go on; older rpms stay installable with both keys.
    keyring_client = clients.apt(keyring.read_bytes())
    assert keyring_client.run("update").returncode == 0
    older = clients.dnf(old, new).run("install", f"{SERVER}-12.3.0")
    assert older.returncode == 0, older.stdout + older.stderr
