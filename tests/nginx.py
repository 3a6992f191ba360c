"""The reverse proxy of docker-compose.yml: a real nginx with the file in deploy/nginx."""

from __future__ import annotations

import datetime as dt
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from portal.embedded import free_port
from tests.programs import need

TEMPLATE = Path(__file__).resolve().parent.parent / "deploy" / "nginx" / "portal.conf.template"
NAME = "portal.example.org"


@dataclass(frozen=True)
class Ports:
    """Where it listens on the loopback address."""

    http: int
    https: int


@contextmanager
def reverse_proxy(
    folder: Path, *, web: int, receiver: int, more_webs: Sequence[int] = ()
) -> Iterator[Ports]:
    """nginx in front of what listens on these two ports; its files lie in `folder`."""
    ports = Ports(free_port(), free_port())
    make_certificate(folder)
    values = {
        "WEB_SERVERS": "".join(
            f"server 127.0.0.1:{port} max_fails=0;" for port in (web, *more_webs)
        ),
        "ACCESS_LOG": f"{folder}/access.log",
        "RECEIVER_ADDRESS": f"127.0.0.1:{receiver}",
        "HTTP_PORT": f"127.0.0.1:{ports.http}",
        "HTTPS_PORT": f"127.0.0.1:{ports.https}",
        "SERVER_NAME": NAME,
        "TLS_FOLDER": str(folder),
    }
    site = re.sub(r"\$\{(\w+)\}", lambda name: values[name[1]], TEMPLATE.read_text())
    with nginx(folder, site, ports.http):
        yield ports


@contextmanager
def nginx(folder: Path, http: str, port: int) -> Iterator[None]:
    """Run nginx with this inside its http block, until it listens on `port`."""
    (program,) = need("nginx")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    owner = "user root;" if folder.stat().st_uid == 0 else ""
    configuration = folder / f"nginx-{port}.conf"
    log = f"{folder}/nginx-{port}.log"
    configuration.write_text(
        f"{owner} daemon off; pid {folder}/nginx-{port}.pid; error_log {log};"
        f"events {{}} http {{ access_log off; {temporary}\n{http} }}"
    )
    server = subprocess.Popen([program, "-e", log, "-c", configuration], stdin=subprocess.DEVNULL)
    try:
        await_port(port)
        yield
    finally:
        server.terminate()
        server.wait(10)


def await_port(port: int, patience: float = 20) -> None:
    """Return when somebody listens on a port of the loopback address."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"nothing listens on port {port}")


def make_certificate(folder: Path) -> None:
    """fullchain.pem and privkey.pem, signed by itself: a database server does not check it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
