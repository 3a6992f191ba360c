import time

import pytest

from benchmarks import privacy


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (
            "mariadb -ueve -psecret -h db7.example.org -e 'DO 1'",
            "mariadb -u<user> -p<password> -h<host> -e 'DO 1'",
        ),
        ("mariadb -h localhost -u eve -e 'DO 1'", "mariadb -h localhost -u<user> -e 'DO 1'"),
        (
            "mysql --user=eve --password='se cret' --host=10.1.2.3",
            "mysql --user=<user> --password=<password> --host=<host>",
        ),
        ("MYSQL_PWD=secret mysqlslap", "MYSQL_PWD=<password> mysqlslap"),
        ("run --token abc123 --api-key=k", "run --token <password> --api-key=<password>"),
        ("curl -H 'Authorization: Bearer abc'", "curl -H 'Authorization: Bearer <password>'"),
        (
            "load mysql://eve:secret@db7.example.org:3306/test",
            "load mysql://<host>:3306/test",
        ),
        ("load mariadb://127.0.0.1:3306/test", "load mariadb://127.0.0.1:3306/test"),
        ("ssh eve@build7.example.org make", "ssh <user>@<host> make"),
        ("/home/eve/src/bench.sh --socket=/tmp/my.sock", "bench.sh --socket=my.sock"),
        ("python3 ~/bench/run.py ./a/b ../c/d.sql", "python3 run.py b d.sql"),
        (r"C:\Users\eve\bench.exe -x", "bench.exe -x"),
        ("LD_PRELOAD=/usr/lib/libjemalloc.so.2 ./server", "LD_PRELOAD=libjemalloc.so.2 server"),
        ("gcc -I/home/eve/include -L/opt/lib", "gcc -Iinclude -Llib"),
        (
            "psql 'host=db7 user=eve password=x'",
            "psql 'host=<host> user=<user> password=<password>'",
        ),
        ("sshpass -p secret ssh eve@db7 ls", "sshpass -p <password> ssh <user>@<host> ls"),
        ("curl -u eve:secret https://x", "curl -u <user>:<password> https://x"),
        ("ssh -C build7.example.org make", "ssh -C <host> make"),
        (
            "sysbench --mysql-host=db7 --mysql-user=eve --mysql-password=secret run",
            "sysbench --mysql-host=<host> --mysql-user=<user> --mysql-password=<password> run",
        ),
        # what only looks private
        ("sort -u a b", "sort -u a b"),
        ("sleep 0.1", "sleep 0.1"),
        ("MariaDB DO 1/real_time/threads:1", "MariaDB DO 1/real_time/threads:1"),
        ("grep -p pattern -h file", "grep -p pattern -h file"),
        ("pkg:maven/org.mariadb.jdbc/mariadb-java-client@3.5.6",) * 2,
        ("tcp and/or unix, rows/s", "tcp and/or unix, rows/s"),
        ("https://example.org/results/7", "https://example.org/results/7"),
    ],
)
def test_a_command_line_loses_what_is_private_and_nothing_else(line: str, kept: str) -> None:
    assert privacy.clean(line) == kept


def test_private_keys_lose_their_value_at_any_depth() -> None:
    dirty = {
        "a": [{"hostname": "db7", "host_name": "x", "cores": 2}],
        "node": {"deep": "/home/eve/x"},
        "MYSQL_PWD": "secret",
        "github_token": "x",
        "tokens": 7,
    }
    assert privacy.cleaned(dirty) == {
        "a": [{"hostname": "<removed>", "host_name": "<removed>", "cores": 2}],
        "node": {"deep": "x"},
        "MYSQL_PWD": "<removed>",
        "github_token": "<removed>",
        "tokens": 7,
    }


def test_cleaning_twice_changes_nothing() -> None:
    once = privacy.clean("mariadb -ueve -psecret -h db7 /home/eve/x.sql --user=bob")
    assert privacy.clean(once) == once


@pytest.mark.parametrize(
    "piece", ["a", "a.", "a-", "+a", "~a", "/a", "a@", "x://", "=", " ", "-u "]
)
def test_a_long_text_is_cleaned_in_a_time_that_grows_with_its_length(piece: str) -> None:
    """A quadratic rule would need minutes for this."""
    start = time.process_time()
    privacy.clean("mysql " + piece * (400_000 // len(piece)))
    assert time.process_time() - start < 3
