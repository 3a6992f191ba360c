"""The environment of an installation on one's own machine."""

import os
from pathlib import Path

from portal import local


def given(state: Path, **more: str) -> dict[str, str]:
    return {"STATE_DIR": str(state), **more}


def test_secrets_are_made_once_and_are_for_their_owner_only(tmp_path: Path) -> None:
    state = tmp_path / "state"
    first = local.environment(given(state))
    assert local.environment(given(state)) == first
    made = [first[name] for name in local.SECRETS + local.DEMONSTRATION_SECRETS]
    assert len(set(made)) == len(made)
    assert (state / "environment.json").stat().st_mode & 0o077 == 0


def test_what_was_set_stays(tmp_path: Path) -> None:
    found = local.environment(
        given(
            tmp_path,
            PORT="8123",
            FEEDBACK_PEPPER="mine",
            METRICS_TOKEN_FILE="/run/secrets/metrics",
            ALLOWED_HOSTS="portal.example.org",
        )
    )
    assert found["BASE_URL"] == "http://localhost:8123"
    assert found["FEEDBACK_PEPPER"] == "mine"
    assert "METRICS_TOKEN" not in found
    assert found["ALLOWED_HOSTS"] == "portal.example.org"


def test_a_second_terminal_knows_the_ports_of_the_run(tmp_path: Path) -> None:
    run = local.environment(given(tmp_path, PORT="8124", TWIN_PORT="8125"))
    local.remember(run)
    local.remember(run)
    second = local.environment(given(tmp_path))
    assert second["PORT"] == "8124"
    assert second["TWIN_URL"] == "http://127.0.0.1:8125", "reconcile asks it"
    assert local.environment(given(tmp_path, TWIN_PORT="8126"))["TWIN_PORT"] == "8126"
    assert second["SECRET_KEY"] == run["SECRET_KEY"]


def test_with_a_secret_key_nothing_is_guessed(tmp_path: Path) -> None:
    for name in ("SECRET_KEY", "SECRET_KEY_FILE"):
        environ = given(tmp_path / "state", **{name: "x"})
        before = dict(environ)
        with local.installation(environ):
            assert environ == before
    assert not (tmp_path / "state").exists()


def test_without_one_a_command_gets_an_installation(tmp_path: Path) -> None:
    services = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    environ = given(tmp_path, **services)
    with local.installation(environ):
        assert environ["SECRET_KEY"]
        assert environ["DEMONSTRATION"] == "yes"
        assert {name: environ[name] for name in services} == services
