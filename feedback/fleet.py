"""A made-up fleet of servers over a year, as the reports it would post. Pure and seeded.

The demonstration, tests and measurements send these bodies through the code that reads real ones.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar

Choice = TypeVar("Choice")

SEED: Final = 2013
WEEKS: Final = 53
BOUNDARY: Final = b"--------------------------ba4f3696b39f"

# Series, its patch release a year ago, and the weeks until each further one.
PATCHES: Final[Mapping[str, tuple[int, int]]] = {
    "10.5": (29, 60),
    "10.6": (21, 13),
    "10.11": (14, 13),
    "11.4": (8, 13),
    "11.8": (4, 13),
    "12.1": (1, 26),
}
OLD_SERIES: Final = {"10.5": 5, "10.6": 24, "10.11": 36, "11.4": 26, "11.8": 9}
NEW_SERIES: Final = {"10.11": 14, "11.4": 27, "11.8": 47, "12.1": 12}
NEXT_SERIES: Final = {
    "10.5": "10.11",
    "10.6": "10.11",
    "10.11": "11.4",
    "11.4": "11.8",
    "11.8": "12.1",
}
SYSTEMS: Final[Mapping[tuple[str, str, str], int]] = {
    ("Linux", "os-release: Debian GNU/Linux 12 (bookworm)", "debian-linux-gnu"): 22,
    ("Linux", "os-release: Debian GNU/Linux 11 (bullseye)", "debian-linux-gnu"): 8,
    ("Linux", "os-release: Debian GNU/Linux 13 (trixie)", "debian-linux-gnu"): 4,
    ("Linux", "os-release: Ubuntu 24.04.1 LTS", "debian-linux-gnu"): 16,
    ("Linux", "os-release: Ubuntu 22.04.5 LTS", "debian-linux-gnu"): 12,
    ("Linux", "os-release: Rocky Linux 9.4 (Blue Onyx)", "Linux"): 8,
    ("Linux", "os-release: AlmaLinux 9.4 (Seafoam Ocelot)", "Linux"): 6,
    ("Linux", "os-release: Red Hat Enterprise Linux 8.10 (Ootpa)", "Linux"): 5,
    ("Windows Server 2022", "", "Win64"): 6,
    ("Windows Server 2019", "", "Win64"): 3,
    ("Linux", "os-release: Alpine Linux v3.20", "Linux"): 5,
    ("Linux", "os-release: openSUSE Leap 15.6", "Linux"): 3,
    ("FreeBSD", "", "FreeBSD14.1"): 2,
}
MACHINES: Final = {"x86_64": 815, "aarch64": 160, "ppc64le": 12, "s390x": 7, "riscv64": 6}
# Feature key: the share of servers that use it a year ago and now, in percent.
USED: Final[Mapping[str, tuple[int, int]]] = {
    "FEATURE_CHECK_CONSTRAINT": (34, 36),
    "FEATURE_DYNAMIC_COLUMNS": (2, 1),
    "FEATURE_FULLTEXT": (13, 12),
    "FEATURE_GIS": (5, 6),
    "FEATURE_INSERT_RETURNING": (4, 6),
    "FEATURE_INVISIBLE_COLUMNS": (2, 3),
    "FEATURE_JSON": (26, 30),
    "FEATURE_SUBQUERY": (88, 88),
    "FEATURE_SYSTEM_VERSIONING": (6, 8),
    "FEATURE_TIMEZONE": (42, 42),
    "FEATURE_TRIGGER": (37, 36),
    "FEATURE_WINDOW_FUNCTIONS": (16, 19),
    "FEATURE_XML": (3, 3),
    "partition used": (16, 15),
    "SLAVES_CONNECTED": (33, 34),
    "WSREP_CLUSTER_SIZE": (6, 7),
    "MyISAM used": (41, 36),
    "Aria used": (92, 93),
    "MEMORY used": (24, 22),
    "ARCHIVE used": (3, 3),
    "SPIDER used": (1, 1),
    "ROCKSDB used": (3, 4),
    "Columnstore used": (4, 5),
}
SWITCHED: Final[Mapping[str, tuple[int, int]]] = {
    "HAVE_SSL": (60, 69),
    "LOG_BIN": (48, 50),
    "EVENT_SCHEDULER": (14, 14),
    "PERFORMANCE_SCHEMA": (21, 24),
    "INNODB_ENCRYPT_TABLES": (5, 7),
    "RPL_SEMI_SYNC_MASTER_STATUS": (7, 8),
    "SLAVE_RUNNING": (21, 23),
}
LIBRARIES: Final = ("OpenSSL 3.0.17 1 Jul 2025", "OpenSSL 1.1.1w 11 Sep 2023", "WolfSSL 5.7.2")
PLUGINS: Final = {"unix_socket": 86, "server_audit": 14, "file_key_management": 7}


@dataclass(slots=True)
class Server:
    """A server of the fleet: what stays as it is, and what it runs now."""

    name: str
    joined: int  # the week of its first report, counted from the first week of the fleet
    left: int
    system: tuple[str, str, str]
    machine: str
    series: str
    lag: int  # weeks behind the newest patch release
    memory: int  # GB
    weekday: int
    traits: dict[str, float] = field(default_factory=dict)
    restarted: int = 0

    @property
    def uid(self) -> str:
        """base64 of a SHA-1, as servers make theirs."""
        return base64.b64encode(hashlib.sha1(self.name.encode()).digest()).decode()  # noqa: S324


def fleet(size: int, seed: int = SEED) -> list[Server]:
    """So many servers; two fifths of them join in the course of the year, some leave."""
    random = Random(seed)  # noqa: S311 - made-up servers
    return [_server(random, f"demonstration-{seed}-{number}") for number in range(size)]


def _server(random: Random, name: str) -> Server:
    joined = 0 if random.random() < 0.6 else random.randrange(1, WEEKS - 1)
    names = [*USED, *SWITCHED]
    return Server(
        name=name,
        joined=joined,
        left=WEEKS if random.random() < 0.93 else random.randrange(joined + 1, WEEKS + 1),
        system=_choose(random, SYSTEMS),
        machine=_choose(random, MACHINES),
        series=_choose(random, NEW_SERIES if joined else OLD_SERIES),
        lag=random.choice([0, 1, 2, 4, 8, 16, 30]),
        memory=random.choice([1, 2, 4, 4, 8, 8, 16, 32, 64, 128]),
        weekday=random.randrange(7),
        traits={key: random.random() * 100 for key in names},
    )


def _choose(random: Random, weights: Mapping[Choice, int]) -> Choice:
    return random.choices(list(weights), list(weights.values()))[0]


def reports(servers: list[Server], week: int, random: Random) -> Iterator[tuple[int, bytes]]:
    """What the fleet posts in one week: (weekday, body), upgrades and restarts included."""
    for server in servers:
        if not server.joined <= week < server.left:
            continue
        upgrades = server.series in NEXT_SERIES and random.random() < 0.007
        if upgrades:
            server.series = NEXT_SERIES[server.series]
        if upgrades or week == server.joined or random.random() < 0.03:
            server.restarted = week
            yield server.weekday, body(server.uid, {"FEEDBACK_WHEN": "startup"})
        yield server.weekday, body(server.uid, values(server, week))


def version(server: Server, week: int) -> str:
    """The patch release that the server runs: the newest one, `lag` weeks late."""
    first, every = PATCHES[server.series]
    return f"{server.series}.{first + max(0, week - server.lag) // every}"


def values(server: Server, week: int) -> dict[str, str]:
    """A full report of the server."""
    system, distribution, build = server.system
    done = week / WEEKS
    result = {
        "VERSION": f"{version(server, week)}-MariaDB",
        "VERSION_COMMENT": "mariadb.org binary distribution",
        "VERSION_COMPILE_MACHINE": server.machine,
        "VERSION_COMPILE_OS": build,
        "COLLATION_SERVER": "utf8mb4_uca1400_ai_ci",
        "CPU_COUNT": str(max(1, server.memory // 4)),
        "MEM_TOTAL": str(server.memory * 2**30),
        "UPTIME": str(max(1, week - server.restarted) * 7 * 86_400),
        "QUESTIONS": str(1_000 * (week + 1)),
        "InnoDB used": "40",
        "VERSION_SSL_LIBRARY": LIBRARIES[sum(server.name.encode()) % len(LIBRARIES)],
        **{f"{plugin} version": "1.0" for plugin in _plugins(server)},
        "Uname_sysname": system,
        "Uname_release": "14.1-RELEASE" if system == "FreeBSD" else "6.1.0-25",
        "Uname_machine": server.machine,
        "Uname_distribution": distribution,
    }
    for key, (before, now) in USED.items():
        result[key] = str(int(server.traits[key] < before + (now - before) * done))
    if server.series == "12.1":  # a name that no table knows: staff decides about it
        result["FEATURE_VECTOR"] = str(int(server.traits["FEATURE_JSON"] < 20))
    if int(result["WSREP_CLUSTER_SIZE"]):
        result["WSREP_CLUSTER_SIZE"] = "3"
    for key, (before, now) in SWITCHED.items():
        is_on = server.traits[key] < before + (now - before) * done
        result[key] = ("YES" if key == "HAVE_SSL" else "ON") if is_on else "OFF"
    return result


def _plugins(server: Server) -> list[str]:
    """Loaded by so many percent of the servers."""
    number = sum(server.name.encode()) % 100
    return [plugin for plugin, percent in PLUGINS.items() if number < percent]


def body(uid: str, values: Mapping[str, str]) -> bytes:
    """The body that the plugin posts: one part, its delimiter after a bare line feed."""
    lines = "".join(f"{key}\t{value}\n" for key, value in values.items())
    head = b'Content-Disposition: form-data; name="data"; filename="-"\r\n'
    head += b"Content-Type: application/octet-stream\r\n\r\n"
    text = f"FEEDBACK_SERVER_UID\t{uid}\n{lines}FEEDBACK_USER_INFO\t\n".encode()
    return b"--" + BOUNDARY + b"\r\n" + head + text + b"\n--" + BOUNDARY + b"--\r\n"


def strays(week: int, random: Random) -> Iterator[bytes]:
    """What else arrives in a week: test runs, a proxy, servers without a name, nonsense."""
    for number in range(random.randrange(4, 9)):
        values = {"VERSION": "12.1.1-MariaDB", "FEEDBACK_USER_INFO": "mysql-test"}
        yield body(f"test-{week}-{number}", values)
    yield body(f"{week:040x}", {"PRODUCT": "maxscale", "VERSION": "24.02.3"})
    yield body("unknown", {"VERSION": "10.11.19-MariaDB"})
    if random.random() < 0.2 or week == WEEKS - 1:
        yield body(f"nonsense-{week}", {"MESSAGE": "nothing to be read here"})
