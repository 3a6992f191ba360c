"""Where an address is, as far as a country, and on which continent a country lies. No Django.

The country comes from a database that the operator provides (GEOIP_DATABASE, in the format of
MaxMind); without it nobody is anywhere. The address is looked up and forgotten.
"""

from __future__ import annotations

import ipaddress
import logging
import os
from functools import lru_cache
from pathlib import Path
from typing import Final

import maxminddb

logger = logging.getLogger(__name__)

# The division of the United Nations' standard M49, with the Americas in two, as usual.
CONTINENTS: Final = {
    "AF": "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY "
    "MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW",
    "AN": "AQ",
    "AS": "AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM "
    "MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE",
    "EU": "AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI "
    "LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA",
    "NA": "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX "
    "NI PA PM PR SV SX TC TT US VC VG VI",
    "OC": "AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS",
    "SA": "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE",
}
CONTINENT_OF: Final = {
    country: continent for continent, found in CONTINENTS.items() for country in found.split()
}


def continent_of(country: str) -> str:
    """The continent of a country by its ISO 3166 code: "EU", "" when unknown."""
    return CONTINENT_OF.get(country, "")


def country_of(address: str, database: Path | None) -> str:
    """The ISO 3166 code of the country that an address belongs to, "" when unknown."""
    if database is None:
        return ""
    try:
        reader = _reader(database, os.stat(database).st_mtime_ns)
        found = reader.get(ipaddress.ip_address(address))
    except (OSError, ValueError, maxminddb.InvalidDatabaseError) as error:
        logger.warning("the country of an address cannot be told: %s", type(error).__name__)
        return ""
    return _code(found)


@lru_cache(maxsize=2)
def _reader(path: Path, _changed: int) -> maxminddb.Reader:
    """The database, opened anew when its file was replaced."""
    return maxminddb.open_database(path)


def _code(found: object) -> str:
    """The country in a record: where the address is, else where it is registered."""
    if not isinstance(found, dict):
        return ""
    for part in ("country", "registered_country"):
        code = (found.get(part) or {}).get("iso_code", "")
        if code in CONTINENT_OF:
            return str(code)
    return ""
