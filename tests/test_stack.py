"""The real processes together: all ready, each named when it is missing, logins work."""

import pytest
import requests

from portal import processes
from tests.stack import Stack

pytestmark = pytest.mark.proof


def test_every_process_of_the_table_answers_and_is_named(stack: Stack) -> None:
    answer = requests.get(f"{stack.url}/health/ready", timeout=10)

    needed = {process.name for process in processes.needed(stack.env)}
    assert answer.status_code == 200
    assert set(answer.json()["parts"]) == needed | {"database", "redis"}


def test_a_dead_process_makes_the_installation_unready_by_name(stack: Stack) -> None:
    stack.kill("receiver")

    asked = stack.readiness()
    answer = requests.get(asked.full_url, headers=dict(asked.header_items()), timeout=10)

    assert answer.status_code == 503
    missing = [name for name, part in answer.json()["parts"].items() if not part["ready"]]
    assert missing == ["receiver"]


def test_a_process_that_was_killed_is_ready_again_after_its_start(stack: Stack) -> None:
    for name in ("web", "signer", "worker"):
        stack.kill(name)
        stack.start(name)
    stack.wait_ready()


def test_a_person_of_the_demonstration_signs_in_with_password_and_code(stack: Stack) -> None:
    page = stack.sign_in("frank@example.org").get(f"{stack.url}/staff/", timeout=10)

    assert page.status_code == 200
    assert page.url == f"{stack.url}/staff/"
