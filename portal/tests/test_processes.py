import json
import subprocess
import sys
from pathlib import Path

import pytest

from portal import local, processes

ROOT = Path(__file__).resolve().parent.parent.parent


def names(**environ: str) -> set[str]:
    return {process.name for process in processes.needed(environ)}


def test_the_door_is_needed_only_where_no_proxy_holds_the_public_port() -> None:
    assert "door" in names(PORT="8000")
    assert "door" not in names()


@pytest.mark.parametrize("yes", ["yes", "1", "true", "ON"])
def test_the_twin_plays_in_a_demonstration_without_stripe(yes: str, tmp_path: Path) -> None:
    key, empty = tmp_path / "key", tmp_path / "empty"
    key.write_text("sk_test_1\n")
    empty.write_text("")

    assert "twin" in names(DEMONSTRATION=yes)
    assert "twin" in names(DEMONSTRATION=yes, STRIPE_SECRET_KEY_FILE=str(empty))
    assert "twin" not in names(DEMONSTRATION=yes, STRIPE_SECRET_KEY="sk_test_1")
    assert "twin" not in names(DEMONSTRATION=yes, STRIPE_SECRET_KEY_FILE=str(key))
    assert "twin" not in names()


def test_addresses_follow_the_ports_unless_they_are_named() -> None:
    found = processes.resolved({"WEB_PORT": "9001", "RECEIVER_URL": "http://receiver:1"})

    assert found["WEB_URL"] == "http://127.0.0.1:9001"
    assert found["RECEIVER_URL"] == "http://receiver:1"
    for name in ("signer", "registrar", "box"):
        assert found[f"{name.upper()}_SOCKET"] == f"{found['STATE_DIR']}/{name}.sock"


def test_a_command_line_is_filled_in_from_the_environment() -> None:
    argv = processes.PROCESSES["worker"].argv({"WORKER_CONCURRENCY": "7"})

    assert argv[:3] == [sys.executable, "-m", "celery"]
    assert argv[argv.index("--concurrency") + 1] == "7"


def test_an_unknown_process_is_answered_with_the_names_of_the_table() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "portal.processes", "nothing"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "web, receiver, door" in done.stderr


def test_secrets_are_made_once_and_only_the_owner_can_read_them(tmp_path: Path) -> None:
    state = {"STATE_DIR": str(tmp_path / "var")}

    first, second = local.environment(state), local.environment(state)

    assert first == second
    assert len({first[name] for name in local.SECRETS}) == len(local.SECRETS)
    assert (tmp_path / "var" / "environment.json").stat().st_mode & 0o077 == 0


def test_a_secret_that_was_given_is_used_and_not_kept(tmp_path: Path) -> None:
    given = {"STATE_DIR": str(tmp_path), "SECRET_KEY": "mine", "METRICS_TOKEN_FILE": "/a/file"}

    found = local.environment(given)

    assert found["SECRET_KEY"] == "mine"
    assert "METRICS_TOKEN" not in found
    assert "mine" not in (tmp_path / "environment.json").read_text()


def test_the_port_of_the_last_run_is_remembered_for_other_commands(tmp_path: Path) -> None:
    local.remember(local.environment({"STATE_DIR": str(tmp_path), "PORT": "8123"}))

    assert local.environment({"STATE_DIR": str(tmp_path)})["BASE_URL"] == "http://localhost:8123"
    assert json.loads((tmp_path / "environment.json").read_text())["PORT"] == "8123"


def test_a_command_in_production_is_given_nothing(tmp_path: Path) -> None:
    environ = {"SECRET_KEY": "mine", "STATE_DIR": str(tmp_path)}

    with local.installation(environ):
        assert environ == {"SECRET_KEY": "mine", "STATE_DIR": str(tmp_path)}


def test_a_command_on_ones_own_machine_is_given_servers_and_secrets(tmp_path: Path) -> None:
    environ = {"STATE_DIR": str(tmp_path)}

    with local.installation(environ):
        assert environ["DATABASE_URL"].startswith("postgresql://")
        assert environ["REDIS_URL"].startswith("redis://")
        assert environ["SECRET_KEY"]
