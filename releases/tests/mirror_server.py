"""A mirror on this machine: a folder behind TLS, with a certificate authority of its own."""

from __future__ import annotations

import datetime as dt
import ipaddress
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

RANGE = re.compile(r"bytes=(\d+)-(\d+)")


class Authority:
    """Signs the certificates of servers on the loopback; `ca` is what clients trust."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        self.ca = folder / "ca.pem"
        built = self._builder(self.name, self.key).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.ca.write_bytes(_pem(built.sign(self.key, hashes.SHA256())))

    def server_context(self, *names: str) -> ssl.SSLContext:
        """What a server for these names (or addresses) presents."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        built = self._builder(subject, key).add_extension(
            x509.SubjectAlternativeName([_alternative(name) for name in names]), critical=False
        )
        path = self.folder / f"{names[0]}.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        path.write_bytes(private + _pem(built.sign(self.key, hashes.SHA256())))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def client_context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.ca))

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey
    ) -> x509.CertificateBuilder:
        now = dt.datetime.now(dt.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=30))
        )


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


class Handler(SimpleHTTPRequestHandler):
    """The files of a folder; what was asked for is noted at the server."""

    server: MirrorServer

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.server.raw is not None:
            self.wfile.write(self.server.raw)
        elif wanted := RANGE.fullmatch(self.headers.get("Range", "")):
            self._send_part(int(wanted[1]), int(wanted[2]))
        else:
            super().do_GET()

    def _send_part(self, first: int, last: int) -> None:
        """A part of a file, as servers of files answer."""
        self.server.ranges.append(self.headers["Range"])
        path = Path(self.translate_path(self.path))
        data = path.read_bytes() if path.is_file() else b""
        part = data[first : last + 1]
        if not part:
            self.send_error(416 if path.is_file() else 404)
            return
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_words: object) -> None:
        """Tests read `asked` instead."""


class MirrorServer(ThreadingHTTPServer):
    """Serves `folder`, or `raw` to every question when that is set."""

    daemon_threads = True

    def __init__(self, folder: Path, context: ssl.SSLContext) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )
        self.folder = folder
        self.asked: list[str] = []
        self.ranges: list[str] = []
        self.raw: bytes | None = None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}/"

    def handle_error(self, *_words: object) -> None:
        """A client that hangs up early is part of the tests."""


@contextmanager
def serving(folder: Path, context: ssl.SSLContext) -> Iterator[MirrorServer]:
    folder.mkdir(parents=True, exist_ok=True)
    server = MirrorServer(folder, context)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
