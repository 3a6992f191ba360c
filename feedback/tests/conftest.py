from collections.abc import Iterator

import pytest
from django.db import connection

from feedback.tests.clients import PEPPER, running_receiver
from portal.lib import kept


def database_url() -> str:
    """libpq's address of the database that this test uses."""
    values = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    return " ".join(f"{name}={values[name]}" for name in names if values.get(name))


@pytest.fixture(autouse=True)
def _pepper(settings: pytest.FixtureRequest) -> None:
    settings.FEEDBACK_PEPPER = PEPPER.decode()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _nothing_drawn_before() -> None:
    kept.SHELF.clear()


@pytest.fixture
def receiver(transactional_db: None) -> Iterator[int]:
    """The port of a receiver that stores into the test's database."""
    with running_receiver(database_url()) as port:
        yield port
