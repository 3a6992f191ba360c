"""What is executed for each case of the ready suites, and what must come back. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.suites import CaseDefinition, ready_suites


@dataclass(frozen=True, slots=True)
class Work:
    """One case as operations of a driver.

    ``times`` is how many operations the case's figure is for: its unit is seconds for so many, or
    operations per second where it is 0. ``expected`` is how the check of each result begins.
    ``rows`` is how many rows an operation is, where the unit is rows.
    ``setup`` are statements before each process; ``ops`` fixes the operations of a sample.
    """

    sql: str
    expected: str
    times: int = 0
    binds: str = ""
    setup: Sequence[str] = ()
    ops: int = 0
    most_samples: int = 100
    rows: int = 0


BIG_BINDS: Final = ";".join(
    [
        *("i:7", "i:12345", "i:1234567", "i:123456789", "i:1234567890123"),
        *("d:1.5", "d:2.25", "s:10", "s:19", "s:50", "s:100", "s:250"),
        *("s:1000", "s:5000", "s:20000", "s:30000", "s:33000"),
    ]
)
_BIG_BYTES: Final = 1 + 5 + 7 + 9 + 13 + 3 + 4 + 10 + 19 + 50 + 100 + 250 + 1000 + 5000 + 83000
_LENGTHS: Final = " + ".join(["LENGTH(?)"] * 17)

_TABLE: Final = "id INT PRIMARY KEY AUTO_INCREMENT, n INT NOT NULL, s VARCHAR(100) NOT NULL"
_FRESH: Final = (
    "CREATE DATABASE IF NOT EXISTS connector_bench",
    "USE connector_bench",
    "DROP TABLE IF EXISTS written",
    f"CREATE TABLE written ({_TABLE}) ENGINE=MyISAM",
    "DROP TABLE IF EXISTS kept",
    f"CREATE TABLE kept ({_TABLE}) ENGINE=MyISAM",
    "INSERT INTO kept (n, s) SELECT seq, REPEAT('x', 50) FROM seq_1_to_1000",
)
_OPERATIONS: Final = 100_000  # what a figure of embedded_vs_client_server is for

CONNECT: Final = "CONNECT"  # no SQL: the programs make a connection and close it
_BATCH: Final = 100  # rows of one statement of a bulk load, or of a batch
_BATCHED: Final = (
    "DROP TABLE IF EXISTS batched",
    "CREATE TABLE batched (s VARCHAR(100) NOT NULL) ENGINE=InnoDB",
)


def _load(columns: str) -> Work:
    """A load that is short enough for one sample: statements of many rows, as dumps have them."""
    values = ", ".join(f"({number * 7919 % 1000}, '{'x' * 80}')" for number in range(_BATCH))
    fresh = ("DROP TABLE IF EXISTS loaded", f"CREATE TABLE loaded ({columns}) ENGINE=InnoDB")
    return Work(
        f"INSERT INTO loaded (n, s) VALUES {values}",
        "0 x 0",
        setup=("USE connector_bench", *fresh),
        ops=100,
        most_samples=1,
        rows=_BATCH,
    )


WORKS: Final[Mapping[tuple[str, str], Work]] = {
    ("fast_queries", "do_1"): Work("DO 1", "0 x 0"),
    ("fast_queries", "select_1"): Work("SELECT 1", "1 x 1: 1"),
    ("protocol", "one_small_row"): Work("SELECT * FROM one_small_row", "1 x 15: 1", 10_000),
    ("protocol", "one_big_row"): Work("SELECT * FROM one_big_row", "1 x 17: 1", 10_000),
    ("protocol", "many_rows"): Work(
        "SELECT big_rows.* FROM big_rows, seq_1_to_500", "5000 x 17: ", 1, ops=1, most_samples=1
    ),
    ("protocol", "stmt_params"): Work(
        f"SELECT {_LENGTHS}", f"1 x 1: {_BIG_BYTES}", 1_000, binds=BIG_BINDS
    ),
    ("embedded_vs_client_server", "insert"): Work(
        f"INSERT INTO written (n, s) VALUES (1, '{'x' * 50}')", "0 x 0", _OPERATIONS, setup=_FRESH
    ),
    ("embedded_vs_client_server", "update"): Work(
        "UPDATE kept SET n = n + 1 WHERE id = 500", "0 x 0", _OPERATIONS, setup=_FRESH
    ),
    ("embedded_vs_client_server", "select"): Work(
        "SELECT id, n, s FROM kept WHERE id = 500", "1 x 3: 500", _OPERATIONS, setup=_FRESH
    ),
    ("parallel_load", "bulk_load"): _load("n INT NOT NULL, s VARCHAR(100) NOT NULL, KEY (n)"),
    ("parallel_load", "bulk_load_auto_increment"): _load(f"{_TABLE}, KEY (n)"),
    ("connectors", "do_1"): Work("DO 1", "0 x 0"),
    ("connectors", "select_1"): Work("SELECT 1", "1 x 1: 1"),
    ("connectors", "connect"): Work(CONNECT, "0 x 0"),
    ("connectors", "insert_batch"): Work(
        "INSERT INTO batched (s) VALUES (?)",
        "0 x 0",
        binds=";".join(["s:100"] * _BATCH),
        setup=("USE connector_bench", *_BATCHED),
    ),
    ("connectors", "select_1000_rows"): Work("SELECT seq FROM seq_1_to_1000", "1000 x 1: 1"),
    ("connectors", "select_100_cols"): Work(
        f"SELECT {', '.join(str(number) for number in range(1, 101))}", "1 x 100: 1"
    ),
    ("connectors", "do_1000_params"): Work(
        f"DO {', '.join('?' * 1000)}",
        "0 x 0",
        binds=";".join(f"i:{number}" for number in range(1000)),
    ),
}

# Cases of the ready suites that this runner cannot do, and why: a result like any other.
CANNOT: Final[Mapping[tuple[str, str], str]] = {
    ("fleet_query", "ask_1000_servers"): "a thousand servers do not fit on one machine",
    ("build_and_link_options", "server_speed"): "needs builds of the server, not drivers",
}

_SMALL: Final = (
    "id INT PRIMARY KEY, t TINYINT, sm SMALLINT, me MEDIUMINT, bi BIGINT, f FLOAT, d DOUBLE, "
    "de DECIMAL(20, 4), da DATE, dt DATETIME, ye YEAR, c CHAR(50), v1 VARCHAR(100), "
    "v2 VARCHAR(250), v3 VARCHAR(20)"
)
_SMALL_VALUES: Final = (
    "1, 7, 12345, 1234567, 1234567890123, 1.5, 2.25, 1234567.8901, '2013-06-01', "
    "'2013-06-01 12:34:56', 2013, REPEAT('c', 50), REPEAT('v', 90), REPEAT('w', 230), 'end'"
)
_BIG: Final = f"{_SMALL}, b1 MEDIUMTEXT, b2 MEDIUMTEXT"
TABLES: Final = (
    "DROP TABLE IF EXISTS one_small_row, one_big_row, big_rows",
    f"CREATE TABLE one_small_row ({_SMALL}) ENGINE=InnoDB",
    f"INSERT INTO one_small_row VALUES ({_SMALL_VALUES})",
    f"CREATE TABLE one_big_row ({_BIG}) ENGINE=InnoDB",
    f"INSERT INTO one_big_row VALUES ({_SMALL_VALUES}, REPEAT('b', 40000), REPEAT('d', 50000))",
    f"CREATE TABLE big_rows ({_BIG}) ENGINE=InnoDB",
    # ten rows of 72 to 108 KB, each sent five hundred times
    f"INSERT INTO big_rows SELECT {_SMALL_VALUES.replace('1,', 'seq,', 1)}, "
    "REPEAT('b', 36000), REPEAT('d', 32000 + 4000 * seq) FROM seq_1_to_10",
)


def definition_of(suite: str, case: str) -> CaseDefinition:
    return next(one for one in ready_suites()[suite].cases if one.slug == case)


def cases_of(suite: str) -> list[str]:
    return [one.slug for one in ready_suites()[suite].cases]
