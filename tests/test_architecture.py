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
