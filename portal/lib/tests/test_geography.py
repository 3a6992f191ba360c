from pathlib import Path

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet
from pytest_django import Settings

from portal.lib import geography
from portal.lib.countries import COUNTRIES

NETWORKS = {
    "192.0.2.0/24": {"country": {"iso_code": "DE"}, "continent": {"code": "EU"}},
    "198.51.100.0/24": {"registered_country": {"iso_code": "BR"}},
    "203.0.113.0/24": {"country": {"iso_code": "??"}},
    "2001:db8::/32": {"country": {"iso_code": "JP"}},
}


@pytest.fixture
def database(tmp_path: Path, settings: Settings) -> Path:
    """A real database in the format of MaxMind, of the networks reserved for documentation."""
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True, database_type="Test-Country")
    for network, record in NETWORKS.items():
        writer.insert_network(IPSet([network]), record)
    path = tmp_path / "countries.mmdb"
    writer.to_db_file(str(path))
    settings.GEOIP_DATABASE = path
    return path


@pytest.mark.parametrize(
    ("address", "country"),
    [
        ("192.0.2.77", "DE"),
        ("198.51.100.1", "BR"),
        ("203.0.113.9", ""),
        ("2001:db8::17", "JP"),
        ("127.0.0.1", ""),
        ("no address", ""),
    ],
)
def test_the_database_of_the_operator_tells_the_country(
    database: Path, address: str, country: str
) -> None:
    assert geography.country_of(address) == country


def test_a_replaced_database_counts_from_then_on(database: Path) -> None:
    assert geography.country_of("192.0.2.77") == "DE"
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True)
    writer.insert_network(IPSet(["192.0.2.0/24"]), {"country": {"iso_code": "FR"}})
    writer.to_db_file(str(database.with_suffix(".new")))
    database.with_suffix(".new").replace(database)
    assert geography.country_of("192.0.2.77") == "FR"


def test_without_a_database_nobody_is_anywhere(settings: Settings, tmp_path: Path) -> None:
    settings.GEOIP_DATABASE = None
    assert geography.country_of("192.0.2.77") == ""
    settings.GEOIP_DATABASE = tmp_path / "missing.mmdb"
    assert geography.country_of("192.0.2.77") == ""
    settings.GEOIP_DATABASE.write_bytes(b"not a database")
    assert geography.country_of("192.0.2.77") == ""


def test_every_country_lies_on_one_continent() -> None:
    codes = {code for code, _name in COUNTRIES}
    assert codes == set(geography.CONTINENT_OF)
    assert sum(len(found.split()) for found in geography.CONTINENTS.values()) == len(codes)
    assert geography.continent_of("NO") == "EU"
    assert geography.continent_of("") == ""
