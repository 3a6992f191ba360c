"""Small uploads for tests."""

from typing import Any

ENVIRONMENT: dict[str, Any] = {
    "cpu": {"model": "Some CPU", "cores": 2},
    "memory_bytes": 16 * 10**9,
    "server": {"product": "mariadb", "version": "11.8.9"},
}


def hyperfine(*times: list[float], names: list[str] | None = None) -> dict[str, Any]:
    """A hyperfine export with one command for each list of times."""
    return {
        "results": [
            {
                "command": names[at] if names else f"command {at}",
                "mean": sum(one) / len(one),
                "times": one,
                "exit_codes": [0] * len(one),
            }
            for at, one in enumerate(times)
        ]
    }


def native(
    samples: list[list[float]],
    *,
    uid: int = 1,
    case: str = "select_1",
    environment: dict[str, Any] | None = None,
    params: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The portal's own format with one result."""
    return {
        "schema": "bench-upload/1",
        "run": {
            "id": f"6d1b3c1e-0000-4000-8000-{uid:012}",
            "started_at": "2026-11-21T00:22:20Z",
            "tool": {"name": "bench", "suite": "connectors@1"},
        },
        "environment": ENVIRONMENT if environment is None else environment,
        "results": [
            {
                "case": case,
                "subject": {"name": "Connector/C", "version": f"3.4.{uid}"},
                "metric": "throughput",
                "unit": "op/s",
                "params": params or {},
                "samples": samples,
            }
        ],
    }
