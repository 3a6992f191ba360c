"""What makes two machines the same for a comparison. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_GIGABYTE = 10**9


def fingerprint(environment: Mapping[str, Any]) -> str:
    """A hash of processor, memory and virtualisation; empty when the processor is not known.

    Kernel, libraries and server are conditions of a run, not the machine.
    """
    cpu = environment.get("cpu") or {}
    if not cpu.get("model"):
        return ""
    facts = {
        "class": environment.get("machine_class"),
        "virtualization": environment.get("virtualization"),
        "memory": round((environment.get("memory_bytes") or 0) / _GIGABYTE),
        **{key: cpu.get(key) for key in ("model", "arch", "cores", "threads")},
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def in_words(environment: Mapping[str, Any]) -> str:
    """A machine in one line: "16 cores, 64 GB, AMD EPYC"; empty when nothing is known."""
    cpu = environment.get("cpu") or {}
    memory = environment.get("memory_bytes")
    parts = [
        environment.get("machine_class"),
        cpu.get("model"),
        f"{cpu['cores']} cores" if cpu.get("cores") else None,
        f"{memory / _GIGABYTE:.0f} GB" if memory else None,
    ]
    return ", ".join(str(part) for part in parts if part)


def server_in_words(environment: Mapping[str, Any]) -> str:
    """Product and version of the database server, as far as told."""
    server = environment.get("server") or {}
    return " ".join(str(server[key]) for key in ("product", "version") if server.get(key))


def server_major(environment: Mapping[str, Any]) -> str:
    """Product and the first two parts of its version, which is what a series is."""
    server = environment.get("server") or {}
    version = str(server.get("version", "")).split(".")[:2]
    return f"{server.get('product', '')} {'.'.join(version)}".strip()
