"""No secret stands in the repository, and none is written into a log of a real run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from tests.stack import Stack

ROOT = Path(__file__).resolve().parent.parent
# As their makers write them, so that scanners find them. Split, or this file would be found.
SECRETS = {
    "private key": "-----BEGIN [A-Z ]*PRIVATE KEY" + "( BLOCK)?-----\\s+[A-Za-z0-9+/=:]{20}",
    "key of Stripe": "[sr]k_live_" + "[A-Za-z0-9]{16}",
    "webhook secret of Stripe": "whsec_" + "[A-Za-z0-9+/]{24}",
    "key of AWS": "AKIA" + "[0-9A-Z]{16}",
    "token of GitHub": "gh[pousr]_" + "[A-Za-z0-9]{30}|github_pat_" + "[A-Za-z0-9_]{40}",
    "token of GitLab": "glpat-" + "[\\w-]{20}",
    "token of Slack": "xox[abposr]-" + "[0-9A-Za-z-]{10}",
    "token of a package index": "pypi-" + "AgEIcHlwaS5vcmc[\\w-]{20}|npm_" + "[A-Za-z0-9]{36}",
    "token of the portal": "\\bfp_" + "[\\w-]{43}",
    "password in an address": "(?:postgres(?:ql)?|rediss?|amqp)://[^:/@\\s]+:"
    + "(?!(?:password|secret|example|portal|x+|\\.+|\\$|<|\\{))[^@/\\s]{8,}@(?!(?:127|localhost))",
}
# The settings that are secrets; their values are made anew for each run of a stack.
SETTINGS = ("SECRET_KEY", "FEEDBACK_PEPPER", "METRICS_TOKEN", "STRIPE_WEBHOOK_SECRET")


def files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def secrets_in(text: str) -> list[str]:
    return [name for name, shape in SECRETS.items() if re.search(shape, text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("key = 'sk_" + "live_51H8abcdefghijklmn'", ["key of Stripe"]),
        ("postgresql://portal:" + "hunter2hunter2@db.example/portal", ["password in an address"]),
        ("postgresql://portal:password@db/portal", []),
        ("-----BEGIN " + "PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA", ["private key"]),
    ],
)
def test_a_secret_is_known_by_its_shape(text: str, found: list[str]) -> None:
    assert secrets_in(text) == found


def test_no_secret_is_in_the_repository() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    found = {
        str(path.relative_to(ROOT)): kinds
        for path in files()
        if path.is_file() and (kinds := secrets_in(path.read_bytes().decode("utf-8", "ignore")))
    }
    assert found == {}


@pytest.mark.proof
def test_no_secret_is_written_into_a_log(stack: Stack) -> None:
    """Passwords, tokens and keys go through every door; then all logs are read."""
    said = {name: stack.env[name] for name in SETTINGS if stack.env.get(name)}
    said["password of the database"] = urlsplit(stack.env["DATABASE_URL"]).password or ""
    frank = stack.sign_in("frank@example.org")
    said |= {"password": stack.password, "session": frank.cookies["sessionid"]}
    said |= {"wrong password": "a-wrong-password-73", "address": "frank@example.org"}
    visitor = requests.Session()
    wrong = {"login": "frank@example.org", "password": said["wrong password"]}
    stack.post(visitor, "/accounts/login/", wrong)
    stack.post(visitor, "/accounts/password/reset/", {"email": "charlie@example.org"})
    asked = {"name": "scan", "scopes": "benchmarks:upload", "days": "7"}
    made = stack.post(frank, "/accounts/tokens/new/", asked)
    token = re.search(r"fp_[\w-]{30,}", made.text)
    assert token is not None
    said["token"] = token[0]
    for bearer in (said["token"], said["METRICS_TOKEN"]):
        for path in ("/api/v1/benchmarks/runs", "/metrics", "/nowhere/"):
            requests.post(
                stack.url + path,
                headers={"Authorization": f"Bearer {bearer}"},
                data=b"{",
                timeout=30,
            )
    logs = {name: stack.log(name) for name in stack.children}
    assert "Forbidden" in logs["web"] or "Not Found" in logs["web"]
    told = {
        f"{what} in {name}"
        for name, text in logs.items()
        for what, value in said.items()
        if value and value in text
    }
    assert told == set()
