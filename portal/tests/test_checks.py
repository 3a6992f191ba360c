import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

ROOT = Path(__file__).resolve().parent.parent.parent


def found(*, deploy: bool = False) -> dict[str, str]:
    messages = run_checks(include_deployment_checks=deploy)
    return {
        message.id: str(message.hint)
        for message in messages
        if message.id and message.id.startswith("portal.")
    }


@pytest.fixture(autouse=True)
def good_settings(settings: Settings) -> None:
    settings.FEEDBACK_PEPPER = "p" * 40
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.BASE_URL = "http://localhost:8000"


def test_good_settings_pass() -> None:
    assert found() == {}


@pytest.mark.parametrize(
    ("name", "value", "identity"),
    [
        ("SECRET_KEY", "", "portal.E001"),
        ("SECRET_KEY", "short", "portal.E001"),
        ("FEEDBACK_PEPPER", "", "portal.E002"),
        ("DATABASE_URL", "", "portal.E003"),
        ("REDIS_URL", "", "portal.E004"),
        ("BASE_URL", "portal.example.org", "portal.E005"),
        ("BASE_URL", "https://portal.example.org/path", "portal.E005"),
        ("BASE_URL", "https://elsewhere.example.org", "portal.E006"),
        ("ALLOWED_HOSTS", ["localhost", "*"], "portal.E007"),
        ("STRIPE_SECRET_KEY", "sk_test_1", "portal.E008"),
        ("STATE_DIR", Path(__file__) / "no-folder", "portal.E009"),
        ("SELLER_COUNTRY", "FINLAND", "portal.E010"),
        ("SELLER_VAT_RATE_BP", 2550, "portal.E010"),
        ("BENCHMARK_CI_KEYS", ["github", "evil.example"], "portal.E011"),
    ],
)
def test_a_setting_that_would_fail_later_is_an_error_with_a_hint(
    settings: Settings, name: str, value: object, identity: str
) -> None:
    settings.STRIPE_WEBHOOK_SECRET = ""
    setattr(settings, name, value)

    messages = found()

    assert list(messages) == [identity]
    assert messages[identity]


@pytest.mark.parametrize(
    ("name", "value", "identity"),
    [
        ("BASE_URL", "http://localhost", "portal.W001"),
        ("EMAIL_HOST", "", "portal.W002"),
        ("DEMONSTRATION", True, "portal.W003"),
        ("STRIPE_SECRET_KEY", "", "portal.W004"),
        ("DEBUG", True, "portal.W005"),
    ],
)
def test_what_is_unwise_for_a_public_site_is_a_warning_of_check_deploy(
    settings: Settings, name: str, value: object, identity: str
) -> None:
    settings.BASE_URL, settings.ALLOWED_HOSTS = "https://localhost", ["localhost"]
    settings.EMAIL_HOST, settings.DEMONSTRATION = "mail.example.org", False
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = "sk_live_1", "whsec_1"
    setattr(settings, name, value)

    assert list(found(deploy=True)) == [identity]
    assert identity not in found()


def test_a_worker_without_gpgv_is_a_warning_of_check_deploy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_words, **_more: None)
    assert "gpgv" in found(deploy=True)["portal.W006"]


def production() -> dict[str, str]:
    """What docs/operations.md tells an operator to set."""
    lines = (ROOT / "deploy" / "production.env.example").read_text().splitlines()
    pairs = [line.split("=", 1) for line in lines if line and not line.startswith("#")]
    return {name: value.strip('"') for name, value in pairs} | {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "k9-abcdefghijklm" * 4,
        "FEEDBACK_PEPPER": "p4_" * 20,
        "METRICS_TOKEN": "m7-" * 20,
        "STRIPE_SECRET_KEY": "sk_test_1",
        "STRIPE_WEBHOOK_SECRET": "whsec_1",
        "DATABASE_URL": os.environ["DATABASE_URL"],
        "REDIS_URL": os.environ["REDIS_URL"],
    }


@pytest.mark.proof
def test_check_deploy_has_no_warning_with_the_settings_of_production(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=production() | {"STATE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.proof
def test_without_its_secrets_a_production_command_stops_and_says_what_to_set(
    tmp_path: Path,
) -> None:
    environ = production() | {"STATE_DIR": str(tmp_path)}
    del environ["FEEDBACK_PEPPER"]

    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "Set FEEDBACK_PEPPER or FEEDBACK_PEPPER_FILE" in done.stderr
