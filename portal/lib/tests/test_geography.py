from pathlib import Path

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet

from portal.lib import geography
from portal.lib.countries import COUNTRIES


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
    countries: Path, address: str, country: str
) -> None:
    assert geography.country_of(address, countries) == country


def test_a_replaced_database_counts_from_then_on(countries: Path) -> None:
    assert geography.country_of("192.0.2.77", countries) == "DE"
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True)
    writer.insert_network(IPSet(["192.0.2.0/24"]), {"country": {"iso_code": "FR"}})
    writer.to_db_file(str(countries.with_suffix(".new")))
    countries.with_suffix(".new").replace(countries)
    assert geography.country_of("192.0.2.77", countries) == "FR"


def test_without_a_database_nobody_is_anywhere(tmp_path: Path) -> None:
    assert geography.country_of("192.0.2.77", None) == ""
    path = tmp_path / "missing.mmdb"
    assert geography.country_of("192.0.2.77", path) == ""
    path.write_bytes(b"not a database")
    assert geography.country_of("192.0.2.77", path) == ""


def test_every_country_lies_on_one_continent() -> None:
    codes = {code for code, _name in COUNTRIES}
    assert codes == set(geography.CONTINENT_OF)
    assert sum(len(found.split()) for found in geography.CONTINENTS.values()) == len(codes)
    assert geography.continent_of("NO") == "EU"
    assert geography.continent_of("") == ""
