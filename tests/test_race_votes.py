"""Fifty people vote in the running portal as the deadline passes, while a worker counts."""

from __future__ import annotations

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
import requests

from tests.stack import Stack

VOTERS = 50
LENGTH = 30.0  # seconds of the vote: everybody opens the page in them
APART = 0.03  # seconds between one voter and the next; two thirds of them come in time
ADDRESS = "/governance/motions/now-or-never/"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Voter:
    """Somebody at the page of the vote, with the choice made."""

    def __init__(self, stack: Stack, email: str, cookies: dict[str, str]) -> None:
        self.stack, self.email = stack, email
        self.session = requests.Session()
        self.session.cookies.update(cookies)
        self.token = ""

    def prepare(self) -> None:
        page = self.session.get(self.stack.url + ADDRESS, timeout=30)
        found = TOKEN.search(page.text)
        said = re.sub(r"<[^>]*>|\s+", " ", page.text)
        assert found, f"{self.email} sees no form at {page.url}: {said[:1500]}"
        self.token = found[1]

    def vote(self, at: float, together: Barrier) -> str:
        """Cast it at that moment; what the portal answered."""
        together.wait()
        time.sleep(max(0.0, at - time.time()))
        form = {"csrfmiddlewaretoken": self.token, "choice": "yes", "confirmed": "yes"}
        headers = {"Referer": self.stack.url + ADDRESS}
        url = f"{self.stack.url}{ADDRESS}vote/"
        answer = self.session.post(url, data=form, headers=headers, timeout=60)
        if "Your vote counts: Yes" in answer.text:
            return "acknowledged"
        if "Your vote was not counted. The vote closed on" in answer.text:
            return "refused"
        return f"{answer.status_code}: {answer.text[:200]}"


@pytest.mark.proof
def test_each_of_fifty_votes_at_the_deadline_counts_or_is_refused(
    stack: Stack, tmp_path: Path
) -> None:
    """Never both, never neither; the result counts exactly those that were acknowledged."""
    told = tmp_path / "told.json"
    in_stack(stack, f"assemble({VOTERS}, {str(told)!r})")
    crowd = [Voter(stack, email, own) for email, own in json.loads(told.read_text()).items()]
    in_stack(stack, f"open_for({LENGTH})")
    ((deadline,),) = stack.sql(
        "SELECT extract(epoch FROM deadline)::float8 FROM governance_motion WHERE slug = %s",
        ("now-or-never",),
    )
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(Voter.prepare, crowd))
    assert time.time() < deadline - VOTERS * APART, "this machine was too slow to open the pages"
    moments = [deadline + APART * (number - VOTERS * 2 // 3) for number in range(VOTERS)]
    together = Barrier(VOTERS)
    with ThreadPoolExecutor(VOTERS) as pool:
        answers = list(pool.map(lambda voter, at: voter.vote(at, together), crowd, moments))
    assert set(answers) == {"acknowledged", "refused"}
    counted = {voter.email for voter, each in zip(crowd, answers, strict=True) if each[0] == "a"}
    kept = stack.sql(
        "SELECT person.email, vote.cast_at < motion.deadline FROM governance_vote vote"
        " JOIN governance_rosterseat seat ON seat.id = vote.voter_id"
        " JOIN governance_motion motion ON motion.id = seat.motion_id"
        " JOIN accounts_user person ON person.id = seat.user_id WHERE motion.slug = %s",
        ("now-or-never",),
    )
    assert sorted(kept) == [(email, True) for email in sorted(counted)]
    result = result_of(stack)
    assert result["state"] in {"adopted", "void"}
    assert (result["count"]["yes"], result["count"]["absent"]) == (
        len(counted),
        VOTERS - len(counted),
    )


def result_of(stack: Stack) -> dict[str, Any]:
    """The public result, as soon as somebody has counted."""
    answer = requests.get(f"{stack.url}/governance/motions/now-or-never.json", timeout=30)
    answer.raise_for_status()
    result: dict[str, Any] = answer.json()
    return result


def in_stack(stack: Stack, words: str) -> None:
    stack.manage("shell", "--verbosity=0", "--command", f"from tests import crowd; crowd.{words}")
