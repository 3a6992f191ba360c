"""docs/tutorials/council.md: a motion from its draft to the resolution, and a sealed vote."""

from __future__ import annotations

import re

from playwright.sync_api import Browser

from scripts.screenshots.person import Person

TITLE = "Build every release for arm64"
TEXT = "The council resolves that every release is built for amd64 and arm64, from the next one on."


def walk(browser: Browser) -> None:
    with Person(browser, "Dana") as dana, Person(browser, "Hiro") as hiro:
        motion = _draft(dana)
        hiro.open(motion)
        hiro.press("Second it")
        hiro.sees("You seconded the motion.")
        _discuss(dana, hiro, motion)
        _open_the_vote(dana, motion)
        with Person(browser, "Kemi") as kemi:
            for person in (dana, hiro, kemi):
                _vote(person, motion, picture=person is hiro)
        dana.open(motion)
        dana.sees("Carried")
        dana.picture("council-result", height=1100)
        _elect(dana)


def _draft(dana: Person) -> str:
    dana.open("/governance/")
    dana.follow("Propose a motion")
    dana.page.get_by_role("radio", name=re.compile("Formal votes")).check()
    dana.fill("Title", TITLE)
    dana.fill("Summary", "Machines with arm64 are as common by now; our packages should be too.")
    dana.page.get_by_label(re.compile("^Text")).fill(TEXT)
    dana.press("Preview")
    dana.sees("Preview, not kept yet")
    dana.press("Keep the draft")
    dana.sees("Only the body reads it.")
    dana.picture("council-draft", height=1000)
    return dana.path


def _discuss(dana: Person, hiro: Person, motion: str) -> None:
    dana.open(motion)
    dana.press("Open the discussion")
    hiro.open(motion)
    hiro.page.locator("#say textarea").fill("Who tests the packages for arm64 before they go out?")
    hiro.press("Say it")
    hiro.sees("Who tests the packages")
    discussion = hiro.page.get_by_role("heading", name="Discussion").first
    hiro.picture("council-discussion", discussion, height=460)


def _open_the_vote(dana: Person, motion: str) -> None:
    dana.open(motion)
    dana.follow("Open the vote")
    dana.picture("council-open", height=900)
    dana.press("Open the vote now")
    dana.sees("The vote is open.")


def _vote(person: Person, motion: str, *, picture: bool) -> None:
    person.open(motion)
    person.page.get_by_role("radio", name=re.compile("^Yes")).check()
    person.press("Review my vote")
    person.sees("Your vote: Yes")
    if picture:
        person.picture("council-vote")
    person.press("Cast my vote")
    person.page.get_by_text("Your vote counts: Yes").or_(
        person.page.get_by_text("Carried")
    ).first.wait_for()


def _elect(dana: Person) -> None:
    page = dana.page
    dana.open("/governance/elections/council-seats/vote/")
    for place, number in enumerate(
        page.get_by_role("textbox", name=re.compile("^Number for")).all()[:2], 1
    ):
        number.fill(str(place))
    dana.picture("council-ballot")
    dana.press("Review my ballot")
    dana.press("Cast my ballot")
    with page.expect_download():
        dana.press("Save the recovery file")
    dana.press("Ask for the credential and cast")
    dana.sees("You have voted")
    dana.picture("council-voted", height=1000)
