"""What the table of distributions promises to everybody who reads it."""

import pytest

from releases.distributions import DISTRIBUTIONS, FAMILIES, Distribution
from releases.naming import guess

SYSTEMS = list(DISTRIBUTIONS.values())


@pytest.mark.parametrize("system", SYSTEMS, ids=DISTRIBUTIONS)
def test_a_system_belongs_to_a_family_that_is_described(system: Distribution) -> None:
    assert system.family in FAMILIES, "add a row to FAMILIES in releases/distributions.py"


@pytest.mark.parametrize("system", SYSTEMS, ids=DISTRIBUTIONS)
def test_a_package_that_carries_the_usual_mark_is_for_that_system_alone(
    system: Distribution,
) -> None:
    mark = FAMILIES[system.family].marks[0] + system.release.replace(".", "")
    name = f"db_1.2+{mark}_amd64.deb" if system.is_deb else f"db-1.2-1.{mark}.x86_64.rpm"
    assert guess(name).distributions == (system.slug,)


def test_every_family_that_is_described_has_a_system() -> None:
    assert {system.family for system in SYSTEMS} == FAMILIES.keys()
