import dataclasses
from collections.abc import Collection

import pytest

from feedback.facts import (
    CHARACTER_SETS,
    ENGINES,
    FEATURES,
    FLAVOURS,
    PLUGINS,
    Facts,
    facts_of,
    read,
)
from feedback.models import ServerWeek


def facts(**values: str) -> Facts:
    return facts_of({"VERSION": "11.4.2-MariaDB", **values})


@pytest.mark.parametrize(
    ("text", "series", "version", "flavour"),
    [
        ("10.11.19-MariaDB-0+deb12u1", "10.11", "10.11.19", "mariadb"),
        ("5.5.5-10.6.18-MariaDB-log", "10.6", "10.6.18", "mariadb"),
        ("11.4.2-7-MariaDB-enterprise", "11.4", "11.4.2", "enterprise"),
        ("8.0.36-28 Percona Server", "8.0", "8.0.36", "percona"),
        ("12.1.1", "12.1", "12.1.1", "other"),
        ("99.1.1-MariaDB", "other", "other", "mariadb"),
        ("10.11.1234-MariaDB", "other", "other", "mariadb"),
        ("=cmd|' /C calc'!A0", "other", "other", "other"),
        ("١٠.١١.١", "other", "other", "other"),
    ],
)
def test_versions(text: str, series: str, version: str, flavour: str) -> None:
    found = facts_of({"VERSION": text})
    assert (found.series, found.version, FLAVOURS[found.flavour]) == (series, version, flavour)


@pytest.mark.parametrize(
    ("distribution", "system", "release"),
    [
        ("os-release: Debian GNU/Linux 12 (bookworm)", "Debian", "Debian 12"),
        ("os-release: Debian GNU/Linux trixie/sid", "Debian", "Debian"),
        ("lsb: Ubuntu 22.04.4 LTS", "Ubuntu", "Ubuntu 22.04"),
        ("os-release: Ubuntu Core", "Ubuntu", "Ubuntu"),
        ("redhat: CentOS Linux release 7.9.2009 (Core)", "RHEL and kin", "CentOS 7"),
        ("os-release: Red Hat Enterprise Linux 9.4 (Plow)", "RHEL and kin", "RHEL 9"),
        ("os-release: Rocky Linux 8.10 (Green Obsidian)", "RHEL and kin", "Rocky Linux 8"),
        ("os-release: AlmaLinux 9.4 (Seafoam Ocelot)", "RHEL and kin", "AlmaLinux 9"),
        ("os-release: Oracle Linux Server 8.9", "RHEL and kin", "Oracle Linux 8"),
        ("os-release: Fedora Linux 40 (Server Edition)", "Fedora", "Fedora 40"),
        ("os-release: Amazon Linux 2023.4", "Amazon Linux", "Amazon Linux 2023"),
        ("os-release: Alpine Linux v3.19", "Alpine", "Alpine 3.19"),
        ("os-release: openSUSE Leap 15.6", "SUSE", "openSUSE Leap 15.6"),
        ("os-release: SUSE Linux Enterprise Server 15 SP5", "SUSE", "SLES 15"),
        ("os-release: My Own Distribution of Acme", "Linux, other", "Linux, other"),
        ("", "Linux, other", "Linux, other"),
    ],
)
def test_distributions(distribution: str, system: str, release: str) -> None:
    found = facts(
        UNAME_DISTRIBUTION=distribution, UNAME_SYSNAME="Linux", UNAME_RELEASE="6.1.0-acme"
    )
    assert (found.system, found.distribution) == (system, release)


@pytest.mark.parametrize(
    ("values", "system", "release"),
    [
        ({"UNAME_SYSNAME": "FreeBSD", "UNAME_RELEASE": "14.1-RELEASE"}, "FreeBSD", "FreeBSD 14"),
        ({"UNAME_SYSNAME": "Windows Server 2022"}, "Windows", "Windows Server 2022"),
        ({"VERSION_COMPILE_OS": "Win64"}, "Windows", "Windows"),
        ({"UNAME_SYSNAME": "Darwin", "UNAME_RELEASE": "23.4.0"}, "macOS", "macOS"),
        ({"UNAME_SYSNAME": "Plan 9"}, "other", "other"),
        ({}, "other", "other"),
    ],
)
def test_systems_without_a_distribution(values: dict[str, str], system: str, release: str) -> None:
    found = facts(**values)
    assert (found.system, found.distribution) == (system, release)


@pytest.mark.parametrize(
    ("machine", "name"),
    [
        ("x86_64", "x86_64"),
        ("AMD64", "x86_64"),
        ("arm64", "aarch64"),
        ("i686", "x86"),
        ("riscv64", "riscv64"),
        ("<b>", "other"),
        ("", "other"),
    ],
)
def test_architectures(machine: str, name: str) -> None:
    assert facts(UNAME_MACHINE=machine).architecture == name
    assert facts(VERSION_COMPILE_MACHINE=machine).architecture == name


def test_sizes_fall_into_buckets() -> None:
    found = facts(CPU_COUNT="12", MEM_TOTAL=str(25 * 2**30), UPTIME=str(45 * 86_400))
    assert (found.cpu_bucket, found.memory_bucket, found.uptime_bucket) == (8, 16, 30)
    huge = facts(CPU_COUNT="99999", MEM_TOTAL="9" * 18, UPTIME="9" * 18)
    assert (huge.cpu_bucket, huge.memory_bucket, huge.uptime_bucket) == (256, 1024, 365)
    nothing = facts(CPU_COUNT="-3", MEM_TOTAL="x")
    assert (nothing.cpu_bucket, nothing.memory_bucket, nothing.uptime_bucket) == (0, 0, 0)


@pytest.mark.parametrize(
    ("collation", "name"),
    [
        ("utf8mb4_uca1400_ai_ci", "utf8mb4"),
        ("latin1_swedish_ci", "latin1"),
        ("utf8mb4x", "other"),
    ],
)
def test_collations_are_grouped_by_character_set(collation: str, name: str) -> None:
    assert CHARACTER_SETS[facts(COLLATION_SERVER=collation).character_set] == name


def test_features_and_engines_are_bits_of_their_tables() -> None:
    found = facts(
        FEATURE_JSON="7", HAVE_SSL="YES", SLAVES_CONNECTED="2", THREAD_HANDLING="pool-of-threads"
    )
    names = {name for bit, name in enumerate(FEATURES) if found.features >> bit & 1}
    assert names == {"JSON functions", "TLS", "replication", "thread pool"}
    engines = facts_of({"VERSION": "11.4.2", "INNODB USED": "3", "ARIA USED": "0"}).engines
    assert [name for bit, name in enumerate(ENGINES) if engines >> bit & 1] == ["InnoDB"]


@pytest.mark.parametrize(
    ("column", "table"), [("features", FEATURES), ("engines", ENGINES), ("plugins", PLUGINS)]
)
def test_every_bit_fits_its_column_with_the_sign_left_free(
    column: str, table: Collection[str]
) -> None:
    widest = ServerWeek._meta.get_field(column).get_internal_type()
    assert len(table) <= {"IntegerField": 31, "BigIntegerField": 63}[widest]


def test_short_reports_have_no_facts() -> None:
    assert read({"FEEDBACK_WHEN": "startup"}).started
    assert read({"FEEDBACK_WHEN": "shutdown"}).stopped
    assert read({"FEEDBACK_WHEN": "startup"}).facts is None


def test_every_text_of_the_facts_fits_its_column() -> None:
    found = dataclasses.asdict(facts(UNAME_DISTRIBUTION="os-release: openSUSE Leap 15.6"))
    for name, value in found.items():
        length = getattr(ServerWeek._meta.get_field(name), "max_length", None)
        assert length is None or len(str(value)) <= length
