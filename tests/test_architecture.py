"""What import-linter cannot say about the direction of imports."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ACTIONS = sorted(
    path
    for app in ("portal", "releases", "governance", "feedback", "benchmarks")
    for path in (ROOT / app).rglob("actions/*.py")
)
HTTP = {"django.http", "django.shortcuts", "django.views", "django.urls"}


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_action_knows_no_http(path: Path) -> None:
    imported = {
        name
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not imported & HTTP


def test_only_what_the_worker_runs_reaches_the_signer() -> None:
    """Strangers reach web; whoever takes it over must not find a way to signatures."""
    reaching = {
        str(path.relative_to(ROOT))
        for app in ("portal", "releases", "governance", "feedback", "benchmarks")
        for path in (ROOT / app).rglob("*.py")
        if "tests" not in path.parts and "SocketSigner" in path.read_text()
    }
    assert reaching == {"portal/heartbeat.py", "releases/signing.py", "releases/tasks.py"}
    callers = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "releases").rglob("*.py")
        if "tests" not in path.parts and "tasks.signer" in path.read_text()
    ]
    assert callers == []
