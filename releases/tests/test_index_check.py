"""A publication that does not say what the database says is not switched to."""

from __future__ import annotations

import datetime as dt

from releases.actions import publication as actions
from releases.actions.repository import queue_publication
from releases.models import IndexBuild, Publication
from releases.tests.many import enter
from releases.tests.shelf import START, Shelf


def test_an_index_that_does_not_say_what_the_database_says_is_not_switched_to(
    apt_shelf: Shelf,
) -> None:
    package, *_ = apt_shelf.named("a")
    package.stanzas = {"packages": package.stanzas["packages"].replace("Size: ", "Size: 1")}
    package.save(update_fields=["stanzas"])
    apt_shelf.add([package])
    assert "is not what the repository holds" in refused(apt_shelf)


def test_a_stanza_that_cannot_be_read_is_not_switched_to(yum_shelf: Shelf) -> None:
    package, *_ = yum_shelf.named("a")
    package.stanzas = dict.fromkeys(package.stanzas, "<package>")
    package.save(update_fields=["stanzas"])
    yum_shelf.add([package])
    assert "metadata" in refused(yum_shelf)


def test_a_member_that_nobody_entered_in_time_is_counted(apt_shelf: Shelf) -> None:
    apt_shelf.add(apt_shelf.named("a"))
    apt_shelf.publish()
    late = apt_shelf.named("late")
    apt_shelf.add(apt_shelf.named("b"))

    def enter_late() -> None:
        publication = apt_shelf.repository.publications.get(state="built")
        enter(apt_shelf.repository, publication, late)

    assert "lists 2 packages, the repository holds 3" in refused(apt_shelf, enter_late)


def refused(shelf: Shelf, meanwhile: object = None) -> str:
    """Why the check does not let the waiting publication pass."""
    publication = queue_publication(repository=shelf.repository)
    at = START + dt.timedelta(seconds=2 * publication.serial)
    assert actions.build_publication(publication_id=publication.pk, at=at)
    if callable(meanwhile):
        meanwhile()
    assert actions.sign_publication(publication_id=publication.pk, signer=shelf.signer)
    assert not actions.switch_publication(publication_id=publication.pk, at=at)
    publication.refresh_from_db()
    assert publication.state == Publication.State.FAILED
    assert not IndexBuild.objects.filter(serial=publication.serial).exists()
    return publication.reason
