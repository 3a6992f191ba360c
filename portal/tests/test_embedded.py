import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from portal import embedded

pytestmark = pytest.mark.proof
ROOT = Path(__file__).resolve().parent.parent.parent

OWNER = """
import os, sys, time
from pathlib import Path
from portal import embedded
environ = {}
with embedded.provided(Path(sys.argv[1]), environ, durable=False) as servers:
    pids = [server.process.pid for server in servers]
    print(environ["DATABASE_URL"], environ["REDIS_URL"], *pids, flush=True)
    time.sleep(120)
"""


def start_owner(state: Path) -> tuple[subprocess.Popen[str], list[str]]:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(state)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout
    return owner, owner.stdout.readline().split()


def test_what_is_named_already_stays_as_it_is(tmp_path: Path) -> None:
    environ = {"DATABASE_URL": "postgresql://mine", "REDIS_URL": "redis://mine"}

    with embedded.provided(tmp_path / "var", environ) as servers:
        assert servers == []

    assert environ == {"DATABASE_URL": "postgresql://mine", "REDIS_URL": "redis://mine"}
    assert not (tmp_path / "var").exists()


def test_data_outlives_a_stop_and_a_second_process_is_given_the_running_servers(
    tmp_path: Path,
) -> None:
    for start in (1, 2):
        first: dict[str, str] = {}
        with embedded.provided(tmp_path, first, durable=True) as servers:
            assert [server.name for server in servers] == ["postgres", "redis"]
            second: dict[str, str] = {}
            with embedded.provided(tmp_path, second) as others:
                assert others == []
                assert second == first
            with psycopg.connect(first["DATABASE_URL"]) as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
                connection.execute("INSERT INTO kept VALUES (1)")
                row = connection.execute("SELECT count(*) FROM kept").fetchone()
                assert row == (start,)
            with redis.Redis.from_url(first["REDIS_URL"]) as client:
                assert client.incr("kept") == start
        assert not any(psutil.pid_exists(server.process.pid) for server in servers)


def test_the_servers_end_with_an_owner_that_is_killed_and_the_folder_can_be_used_again(
    tmp_path: Path,
) -> None:
    owner, (_, _, *pids) = start_owner(tmp_path)
    servers = [psutil.Process(int(pid)) for pid in pids]

    owner.send_signal(signal.SIGKILL)
    owner.wait()

    environ: dict[str, str] = {}
    with (
        embedded.provided(tmp_path, environ, durable=False),
        psycopg.connect(environ["DATABASE_URL"]) as connection,
    ):
        assert connection.execute("SELECT 1").fetchone() == (1,)
    _, alive = psutil.wait_procs(servers, timeout=10)
    assert alive == []


def test_a_stale_lock_that_names_a_strangers_process_is_removed_and_the_stranger_lives(
    tmp_path: Path,
) -> None:
    with embedded.provided(tmp_path, {}, durable=False):
        pass
    with subprocess.Popen(["sleep", "60"]) as stranger:
        lock = tmp_path / "postgres" / "data" / "postmaster.pid"
        lock.write_text(f"{stranger.pid}\n{lock.parent}\n")

        with embedded.provided(tmp_path, {}, durable=False) as servers:
            assert len(servers) == 2

        assert stranger.poll() is None
        stranger.kill()


def test_a_password_is_asked_and_only_the_owner_can_read_it(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    with embedded.provided(tmp_path, environ, durable=False):
        for path in tmp_path.glob("*/password"):
            assert path.stat().st_mode & 0o077 == 0
        assert (tmp_path / "services.json").stat().st_mode & 0o077 == 0
        address = environ["DATABASE_URL"].rpartition("@")[2]
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(f"postgresql://portal:wrong@{address}")
        with (
            redis.Redis(port=int(environ["REDIS_URL"].rpartition(":")[2].split("/")[0])) as guest,
            pytest.raises(redis.AuthenticationError),
        ):
            guest.ping()


def test_data_of_another_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    data = tmp_path / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("15\n")

    with (
        pytest.raises(embedded.EmbeddedServiceError, match="written by PostgreSQL 15"),
        embedded.provided(tmp_path, {"REDIS_URL": "redis://mine"}),
    ):
        pytest.fail("it started")


def test_a_server_that_does_not_start_tells_the_end_of_its_log(tmp_path: Path) -> None:
    with embedded.provided(tmp_path, {"REDIS_URL": "redis://mine"}, durable=False):
        pass
    (tmp_path / "postgres" / "data" / "postgresql.conf").write_text("no such option = 1\n")

    with (
        pytest.raises(embedded.EmbeddedServiceError, match=r"(?s)did not start.*syntax error"),
        embedded.provided(tmp_path, {"REDIS_URL": "redis://mine"}),
    ):
        pytest.fail("it started")


def test_an_owner_whose_servers_do_not_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "START_SECONDS", 0.3)
    with (tmp_path / "services.lock").open("w") as lock:
        assert embedded._take(lock.fileno())

        with (
            pytest.raises(embedded.EmbeddedServiceError, match="Another process holds"),
            embedded.provided(tmp_path, {}),
        ):
            pytest.fail("it started")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be somebody else")
def test_an_ordinary_account_can_start_them_too(tmp_path: Path) -> None:
    """Its Python must be one that the account can read, so the system's own is asked."""
    python = Path("/usr/bin/python3")
    if not python.exists():
        pytest.skip("needs a Python that every account can run, /usr/bin/python3")
    state = tmp_path / "var"
    state.mkdir()
    for folder in [*list(tmp_path.parents)[:2], tmp_path]:
        folder.chmod(0o755)
    os.chown(state, 1, 1)
    script = (
        "import os, sys; sys.path[:0] = sys.argv[2].split(':');"
        "os.setgroups([]); os.setgid(1); os.setuid(1);" + OWNER.replace("time.sleep(120)", "pass")
    )
    search = ":".join([str(ROOT), *[path for path in sys.path if "site-packages" in path]])

    done = subprocess.run(
        [str(python), "-c", script, str(state), search],
        cwd="/",
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
        check=False,
    )

    if "ModuleNotFoundError" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("the account cannot read this environment")
    assert done.returncode == 0, done.stderr
    assert (state / "postgres" / "data").stat().st_uid == 1


def test_a_free_port_can_be_listened_on() -> None:
    assert 1024 < embedded.free_port() < 65536
