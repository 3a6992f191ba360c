"""From the values of a report to the typed facts that are counted. Pure.

Nothing that a sender wrote becomes a label: every text goes through a table or a pattern of this
module, and what none of them knows is `other`. To add a distribution: a line in DISTRIBUTIONS.
To add a feature, an engine or a plugin: a line at the END of its table; its place is its bit for
ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

Values = Mapping[str, str]
OTHER: Final = "other"
_NEWEST_SERIES: Final = 30

_VERSION: Final = re.compile(r"(?:5\.5\.5-)?(\d{1,2})\.(\d{1,2})\.(\d{1,3})(?!\d)", re.ASCII)
_SOURCE: Final = re.compile(r"^[a-z][a-z_-]{1,20}: +", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d{1,18}", re.ASCII)
_CHARACTER_SET: Final = re.compile(r"(utf8mb4|utf8mb3|utf8|latin1|latin2|ascii|binary)(?:_|$)")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a server is. Buckets are lower bounds; features and engines are bits of their table."""

    flavour: int  # the place in FLAVOURS
    series: str
    version: str
    architecture: str
    system: str
    distribution: str
    character_set: int  # the place in CHARACTER_SETS
    cpu_bucket: int
    memory_bucket: int
    uptime_bucket: int
    features: int
    engines: int
    plugins: int
    replication: int  # the place in REPLICATION
    galera_nodes: int  # of the cluster; 0 is no cluster
    tls: int  # the place in TLS


@dataclass(frozen=True, slots=True)
class Reading:
    """A report as it was understood; `facts` only from a full one."""

    facts: Facts | None
    started: bool
    stopped: bool
    uptime: int = 0  # seconds
    connections: int = 0  # since the start


def read(values: Values) -> Reading:
    """What a report says. Startup and shutdown reports name the moment and nothing else."""
    moment = values.get("FEEDBACK_WHEN", "").strip().lower()
    facts = facts_of(values) if values.get("VERSION") else None
    return Reading(
        facts,
        started=moment == "startup",
        stopped=moment == "shutdown",
        uptime=_number(values.get("UPTIME", "")),
        connections=_number(values.get("CONNECTIONS", "")),
    )


def facts_of(values: Values) -> Facts:
    """The facts of a full report; every value is optional."""
    series, version = _version(values.get("VERSION", ""))
    system, distribution = _system(values)
    return Facts(
        flavour=_flavour(values),
        series=series,
        version=version,
        architecture=_architecture(values),
        system=system,
        distribution=distribution,
        character_set=_character_set(values.get("COLLATION_SERVER", "")),
        cpu_bucket=_power_of_two(_number(values.get("CPU_COUNT", "")), MOST_PROCESSORS),
        memory_bucket=_power_of_two(_number(values.get("MEM_TOTAL", "")) // 2**30, MOST_MEMORY),
        uptime_bucket=_step(_number(values.get("UPTIME", "")) // 86_400, UPTIME_DAYS),
        features=_bits(FEATURES, values),
        engines=sum(
            1 << bit
            for bit, name in enumerate(ENGINES)
            if _number(values.get(f"{name.upper()} USED", "")) > 0
        ),
        plugins=sum(1 << bit for bit, key in enumerate(_PLUGIN_KEYS) if key in values),
        replication=_replication(values),
        galera_nodes=_galera_nodes(values),
        tls=_tls(values),
    )


# --- version and flavour -------------------------------------------------------------


def _version(text: str) -> tuple[str, str]:
    found = _VERSION.match(text)
    if found is None or not 5 <= int(found[1]) <= _NEWEST_SERIES:
        return OTHER, OTHER
    major, minor, patch = (int(part) for part in found.groups())
    return f"{major}.{minor}", f"{major}.{minor}.{patch}"


# As all such tables: text is stored as its place, so add at the END.
FLAVOURS: Final = (OTHER, "mariadb", "enterprise", "percona", "mysql")


def _flavour(values: Values) -> int:
    text = f"{values.get('VERSION', '')} {values.get('VERSION_COMMENT', '')}".lower()
    for word in ("enterprise", "mariadb", "percona", "mysql"):
        if word in text:
            return FLAVOURS.index(word)
    return FLAVOURS.index(OTHER)


# --- machine -------------------------------------------------------------------------

ARCHITECTURES: Final[Mapping[str, str]] = {
    "x86_64": "x86_64",
    "amd64": "x86_64",
    "x64": "x86_64",
    "amd64/x86": "x86_64",
    "aarch64": "aarch64",
    "arm64": "aarch64",
    "ppc64le": "ppc64le",
    "powerpc64le": "ppc64le",
    "s390x": "s390x",
    "riscv64": "riscv64",
    "loongarch64": "loongarch64",
    "i386": "x86",
    "i486": "x86",
    "i586": "x86",
    "i686": "x86",
    "x86": "x86",
    "armv6l": "arm",
    "armv7l": "arm",
    "armv8l": "arm",
}


def _architecture(values: Values) -> str:
    for key in ("UNAME_MACHINE", "VERSION_COMPILE_MACHINE"):
        name = values.get(key, "").strip().lower()
        if name in ARCHITECTURES:
            return ARCHITECTURES[name]
    return OTHER


# (what the system calls itself, how we call the system, how we call this release of it)
DISTRIBUTIONS: Final = [
    (re.compile(pattern, re.IGNORECASE | re.ASCII), system, label)
    for pattern, system, label in [
        (r"Debian GNU/Linux (\d{1,2})\b", "Debian", "Debian {}"),
        (r"Debian", "Debian", "Debian"),
        (r"Raspbian GNU/Linux (\d{1,2})\b", "Debian", "Raspbian {}"),
        (r"Ubuntu (\d\d\.\d\d)\b", "Ubuntu", "Ubuntu {}"),
        (r"Ubuntu", "Ubuntu", "Ubuntu"),
        (r"Red Hat Enterprise Linux[^\d]{0,30}(\d{1,2})\b", "RHEL and kin", "RHEL {}"),
        (r"Rocky Linux[^\d]{0,20}(\d{1,2})\b", "RHEL and kin", "Rocky Linux {}"),
        (r"AlmaLinux[^\d]{0,20}(\d{1,2})\b", "RHEL and kin", "AlmaLinux {}"),
        (r"CentOS[^\d]{0,30}(\d{1,2})\b", "RHEL and kin", "CentOS {}"),
        (r"Oracle Linux[^\d]{0,20}(\d{1,2})\b", "RHEL and kin", "Oracle Linux {}"),
        (r"Fedora[^\d]{0,20}(\d{2})\b", "Fedora", "Fedora {}"),
        (r"Amazon Linux[^\d]{0,20}(\d{1,4})\b", "Amazon Linux", "Amazon Linux {}"),
        (r"Alpine Linux v?(\d\.\d{1,2})\b", "Alpine", "Alpine {}"),
        (r"openSUSE Leap (\d\d\.\d)\b", "SUSE", "openSUSE Leap {}"),
        (r"openSUSE", "SUSE", "openSUSE"),
        (r"SUSE Linux Enterprise[^\d]{0,20}(\d\d)\b", "SUSE", "SLES {}"),
        (r"Arch Linux", "Arch Linux", "Arch Linux"),
        (r"Gentoo", "Gentoo", "Gentoo"),
        (r"FreeBSD (\d{1,2})\b", "FreeBSD", "FreeBSD {}"),
        (r"Windows Server (\d{4})\b", "Windows", "Windows Server {}"),
        (r"Win(?:dows|32|64)", "Windows", "Windows"),
        (r"Darwin|macOS|osx", "macOS", "macOS"),
        (r"Linux", "Linux, other", "Linux, other"),
    ]
]


def _system(values: Values) -> tuple[str, str]:
    """System and release: what the distribution says of itself, else kernel, else build."""
    named = _SOURCE.sub("", values.get("UNAME_DISTRIBUTION", ""))
    kernel = f"{values.get('UNAME_SYSNAME', '')} {values.get('UNAME_RELEASE', '')}"
    for text in (named, kernel, values.get("VERSION_COMPILE_OS", "")):
        for pattern, system, label in DISTRIBUTIONS:
            found = pattern.match(text.strip())
            if found:
                return system, label.format(*found.groups())
    return OTHER, OTHER


CHARACTER_SETS: Final = (
    *(OTHER, "utf8mb4", "utf8mb3", "utf8", "latin1", "latin2", "ascii", "binary"),
)


def _character_set(text: str) -> int:
    found = _CHARACTER_SET.match(text)
    return CHARACTER_SETS.index(found[1] if found else OTHER)


# --- buckets -------------------------------------------------------------------------

UPTIME_DAYS: Final = (0, 1, 7, 30, 90, 365)
MOST_PROCESSORS: Final = 256
MOST_MEMORY: Final = 1024  # GB


def _number(text: str) -> int:
    found = _NUMBER.match(text.strip())
    return int(found[0]) if found else 0


def _power_of_two(value: int, most: int) -> int:
    """The largest power of two that is not above `value`; 0 for nothing."""
    return min(1 << (value.bit_length() - 1), most) if value > 0 else 0


def _step(value: int, steps: tuple[int, ...]) -> int:
    return max(step for step in steps if step <= value)


# --- setup ---------------------------------------------------------------------------

# Text is stored as its place in these tables: add at the END.
# `other` is what is known of servers that were counted before the sides were told apart.
REPLICATION: Final = ("none", "source", "replica", "source and replica", OTHER)
TLS: Final = (
    *("off", OTHER, "OpenSSL 1.0", "OpenSSL 1.1", "OpenSSL 3.0", "OpenSSL 3.1 or later"),
    *("wolfSSL", "GnuTLS", "LibreSSL", "yaSSL", "Schannel"),
)
GALERA_NODES: Final = (1, 2, 3, 4, 6, 10)
_OPENSSL_3: Final = re.compile(r"OpenSSL (?:3\.[1-9]|[4-9])", re.ASCII)


def _replication(values: Values) -> int:
    is_source = _used("SLAVES_CONNECTED", "SLAVE_CONNECTIONS")(values)
    is_replica = _on("SLAVE_RUNNING")(values) or _used("SLAVES_RUNNING")(values)
    return is_source + 2 * is_replica


def _galera_nodes(values: Values) -> int:
    """Nodes of its cluster, at least; one that is switched on and alone has one."""
    nodes = _number(values.get("WSREP_CLUSTER_SIZE", ""))
    if not nodes and not _on("WSREP_ON")(values):
        return 0
    return _step(max(1, nodes), GALERA_NODES)


def _tls(values: Values) -> int:
    if not _on("HAVE_SSL")(values):
        return 0
    library = values.get("VERSION_SSL_LIBRARY", "")
    if _OPENSSL_3.match(library):
        return TLS.index("OpenSSL 3.1 or later")
    known = (place for place, name in enumerate(TLS) if library.lower().startswith(name.lower()))
    return next(known, TLS.index(OTHER))


# --- features, engines and plugins ---------------------------------------------------

Test = Callable[[Values], bool]


def _used(*keys: str) -> Test:
    return lambda values: any(_number(values.get(key, "")) > 0 for key in keys)


def _on(*keys: str) -> Test:
    return lambda values: any(values.get(key, "").upper() in {"ON", "YES"} for key in keys)


def is_used(value: str) -> bool:
    """Whether the value of a variable that we do not know says that something is on or used."""
    return _number(value) > 0 or value.strip().upper() in {"ON", "YES", "ACTIVE"}


FEATURES: Final[Mapping[str, Test]] = {
    "check constraints": _used("FEATURE_CHECK_CONSTRAINT"),
    "dynamic columns": _used("FEATURE_DYNAMIC_COLUMNS"),
    "full-text search": _used("FEATURE_FULLTEXT"),
    "spatial data": _used("FEATURE_GIS"),
    "insert returning": _used("FEATURE_INSERT_RETURNING"),
    "invisible columns": _used("FEATURE_INVISIBLE_COLUMNS"),
    "JSON functions": _used("FEATURE_JSON"),
    "subqueries": _used("FEATURE_SUBQUERY"),
    "system versioning": _used("FEATURE_SYSTEM_VERSIONING"),
    "application periods": _used("FEATURE_APPLICATION_TIME_PERIODS"),
    "time zones": _used("FEATURE_TIMEZONE"),
    "triggers": _used("FEATURE_TRIGGER"),
    "window functions": _used("FEATURE_WINDOW_FUNCTIONS"),
    "XML functions": _used("FEATURE_XML"),
    "custom aggregates": _used("FEATURE_CUSTOM_AGGREGATE_FUNCTIONS"),
    "partitions": _used("PARTITION USED"),
    "replication": lambda values: _replication(values) > 0,
    "semi-synchronous replication": _on(
        "RPL_SEMI_SYNC_MASTER_STATUS", "RPL_SEMI_SYNC_SLAVE_STATUS"
    ),
    "Galera": lambda values: _galera_nodes(values) > 0,
    "TLS": lambda values: _tls(values) > 0,
    "binary log": _on("LOG_BIN"),
    "event scheduler": _on("EVENT_SCHEDULER"),
    "performance schema": _on("PERFORMANCE_SCHEMA"),
    "thread pool": lambda values: values.get("THREAD_HANDLING", "") == "pool-of-threads",
    "encrypted tables": _on("INNODB_ENCRYPT_TABLES"),
}

ENGINES: Final = (
    "InnoDB",
    "MyISAM",
    "Aria",
    "MEMORY",
    "CSV",
    "MRG_MyISAM",
    "ARCHIVE",
    "BLACKHOLE",
    "FEDERATED",
    "SPIDER",
    "CONNECT",
    "ROCKSDB",
    "Columnstore",
    "SEQUENCE",
    "Mroonga",
    "S3",
    "OQGRAPH",
    "SPHINX",
)

PLUGINS: Final = (
    "server_audit",
    "ed25519",
    "parsec",
    "pam",
    "gssapi",
    "unix_socket",
    "caching_sha2_password",
    "simple_password_check",
    "cracklib_password_check",
    "password_reuse_check",
    "file_key_management",
    "hashicorp_key_management",
    "aws_key_management",
    "query_response_time",
    "METADATA_LOCK_INFO",
    "QUERY_CACHE_INFO",
    "DISKS",
    "LOCALES",
    "SQL_ERROR_LOG",
    "type_mysql_json",
    "WSREP_MEMBERSHIP",
    "provider_bzip2",
    "provider_lz4",
    "provider_lzma",
    "provider_lzo",
    "provider_snappy",
    "handlersocket",
)
_PLUGIN_KEYS: Final = tuple(f"{name.upper()} VERSION" for name in PLUGINS)


def _bits(tests: Mapping[str, Test], values: Values) -> int:
    return sum(1 << bit for bit, test in enumerate(tests.values()) if test(values))
