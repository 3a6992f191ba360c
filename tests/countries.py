"""A database of countries, in the format that operators provide."""

from pathlib import Path

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet

NETWORKS = {
    "192.0.2.0/24": {"country": {"iso_code": "DE"}, "continent": {"code": "EU"}},
    "198.51.100.0/24": {"registered_country": {"iso_code": "BR"}},
    "203.0.113.0/24": {"country": {"iso_code": "??"}},
    "2001:db8::/32": {"country": {"iso_code": "JP"}},
}


@pytest.fixture
def countries(tmp_path: Path) -> Path:
    """A real database in the format of MaxMind, of the networks reserved for documentation."""
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True, database_type="Test-Country")
    for network, record in NETWORKS.items():
        writer.insert_network(IPSet([network]), record)
    path = tmp_path / "countries.mmdb"
    writer.to_db_file(str(path))
    return path
