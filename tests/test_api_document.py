"""schemathesis asks every address of the OpenAPI document: good data and bad, with every token.

No answer of 5xx, no status, media type, header or body that the document does not tell, nothing
taken that its schema forbids, no other method than the told ones, and nothing without its token.
The numbers of a large run are in docs/proofs/api.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack import Stack

FOLDER = Path(__file__).resolve().parent
SEED = 20261122
TOKENS = """
import datetime as dt, json
from django.utils import timezone
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope, owner_may, scopes_of
now = timezone.now()
end = now + dt.timedelta(days=1)
people = list(User.objects.order_by("pk"))
def token(user, scopes):
    return issue_token(actor=user, name="asked", scopes=scopes, expires_at=end)[1]
best = max(people, key=lambda user: len(scopes_of(user, at=now)))
made = {"all": token(best, scopes_of(best, at=now))}
for scope in TokenScope:
    owner = next(user for user in people if owner_may(user, scope, at=now))
    made[scope.value] = token(owner, [scope])
print(json.dumps(made))
"""


def tokens(stack: Stack) -> dict[str, str]:
    printed = stack.manage("shell", "--verbosity=0", "--command", TOKENS)
    return dict(json.loads(printed.strip().splitlines()[-1]))


def ask(stack: Stack, token: str, examples: int, *words: str) -> None:
    """One run of schemathesis; its report is the message of a failure."""
    command = [
        *(
            sys.executable,
            "-m",
            "schemathesis.cli",
            "--config-file",
            str(FOLDER / "schemathesis.toml"),
        ),
        *("run", f"{stack.url}/api/v1/openapi.json", "--no-color", f"--seed={SEED}"),
        *(f"--max-examples={examples}", "--generation-database=:memory:", "--workers=1"),
        *("--request-timeout=30", *words),
    ]
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(FOLDER),
        "SCHEMATHESIS_HOOKS": "schemathesis_bodies",
        "PORTAL_TOKEN": token,
    }
    done = subprocess.run(
        command, cwd=stack.folder, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]


@pytest.mark.proof
def test_every_answer_is_one_that_the_document_tells(stack: Stack) -> None:
    made = tokens(stack)
    ask(stack, made.pop("all"), 4, "--phases=examples,coverage,fuzzing")
    for raw in made.values():
        ask(stack, raw, 3, "--phases=fuzzing", "--include-path-regex=^/api/v1/")


@pytest.mark.proof_full
def test_many_answers_are_such_that_the_document_tells(stack: Stack) -> None:
    made = tokens(stack)
    ask(stack, made.pop("all"), 300, "--phases=examples,coverage,fuzzing,stateful")
    for raw in made.values():
        ask(stack, raw, 100, "--phases=coverage,fuzzing", "--include-path-regex=^/api/v1/")
