"""Members vote by the rules of their own class, and sign for their organisations."""

import pytest

from governance.actions.body import save_body
from governance.actions.closing import close_motion
from governance.actions.consent import open_consent, settle_due
from governance.actions.letter_round import promise_due
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, RuleSet, Signature, Vote
from governance.refusals import NotAllowed, Refusal
from governance.tests.bundles import complaints, files_of, sealed
from governance.tests.conftest import DAY, FOUNDED, HOUR, START, make_rules
from governance.tests.rolls import ask, enrol, written
from governance.tests.written import in_writing, revoke, sign
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from releases.signer.local import LocalSigner
from tests.cast import make_person, sign_in

pytestmark = pytest.mark.django_db
MEMBERS = Motion.Electorate.MEMBERS
BEGUN = START - 20 * DAY


@pytest.fixture
def sam() -> User:
    """Speaks for Acme and Bolt."""
    return make_person("sam")


@pytest.fixture
def tia() -> User:
    """Speaks for Cog."""
    return make_person("tia")


@pytest.fixture(autouse=True)
def roll(board: Body, sam: User, tia: User, monkeypatch: pytest.MonkeyPatch) -> None:
    enrol(monkeypatch, [("acme", sam), ("bolt", sam), ("cog", tia)])


@pytest.fixture
def own() -> RuleSet:
    """Of the class: two thirds of all members must say yes, in two days or more."""
    body = Body(
        slug="members",
        name="Corporate members",
        kind=Body.Kind.MEMBERSHIP,
        constituency="members",
        purpose="Vote.",
        since=FOUNDED,
    )
    save_body(actor=None, body=body)
    return make_rules(
        body,
        name="Votes of members",
        quorum_base="eligible",
        pass_base="fixed",
        threshold="two_thirds",
        minimum_hours=48,
        consent="as_if_present",
        consent_clause="Bylaw 3.9",
        consent_days=60,
    )


def test_the_rules_of_the_class_count_and_the_page_says_so(
    own: RuleSet, board: Body, directors: list[User], sam: User, tia: User
) -> None:
    draft = written(board, directors, MEMBERS)
    page = sign_in(directors[0]).get(draft.get_absolute_url()).content.decode()
    assert "Votes of members" in page
    assert "(Corporate members)" in page
    motion = ask(board, directors)
    assert motion.rule_set == own
    cast_vote(actor=sam, motion=motion, choice=Vote.Choice.YES, number=1, at=START + HOUR)
    cast_vote(actor=tia, motion=motion, choice=Vote.Choice.NO, at=START + HOUR)
    close_motion(motion_id=motion.pk, at=START + 3 * DAY)
    motion.refresh_from_db()
    assert motion.state == Motion.State.FAILED, "one of three is no two thirds"


def test_its_time_is_that_of_the_class(own: RuleSet, board: Body, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="must be after"):
        ask(board, directors, days=1)


def test_a_class_without_rules_is_counted_by_those_of_the_body(
    board: Body, directors: list[User]
) -> None:
    motion = ask(board, directors)
    assert motion.rule_set is not None
    assert motion.rule_set.body == board


def test_members_sign_by_their_own_rules_for_each_organisation(
    own: RuleSet, board: Body, directors: list[User], sam: User, tia: User, signer: LocalSigner
) -> None:
    draft = written(board, directors, MEMBERS, BEGUN)
    consent = open_consent(actor=directors[0], motion=draft, deadline=BEGUN + 70 * DAY, at=BEGUN)
    assert consent.needed == 2
    promise_due()
    mails = OutboxMail.objects.filter(key__startswith="consent_opened:")
    assert sorted(mail.recipient for mail in mails) == [sam.email, sam.email, tia.email]
    with pytest.raises(NotAllowed):
        sign(consent, directors[1], at=BEGUN + HOUR)
    sign(consent, tia, at=BEGUN + HOUR)
    revoke(consent, tia, at=BEGUN + 2 * HOUR)
    sign(consent, sam, at=BEGUN + 3 * HOUR)
    told = [(each.voter.label, each.act) for each in Signature.objects.order_by("pk")]
    assert told == [
        ("Cog (Tia)", "sign"),
        ("Cog (Tia)", "revoke"),
        ("Acme (Sam)", "sign"),
        ("Bolt (Sam)", "sign"),
    ]
    motion = Motion.objects.get(pk=draft.pk)
    assert motion.state == Motion.State.ADOPTED
    promise_due()
    ended = OutboxMail.objects.filter(key__startswith="consent_ended:")
    assert ended.count() == 3, "who did not sign gets the notice too"
    page = sign_in(tia).get(motion.get_absolute_url()).content.decode()
    assert "Acme (Sam)" in page
    bundle = sealed(signer)
    assert complaints(bytes(bundle.packed or b"")) == []
    assert f"records/motions/{motion.slug}.json" in files_of(bundle)


def test_signatures_of_members_lapse_sixty_days_after_the_first(
    own: RuleSet, board: Body, directors: list[User], sam: User, tia: User
) -> None:
    RuleSet.objects.filter(pk=own.pk).update(pass_base="fixed", threshold="three_quarters")
    draft = written(board, directors, MEMBERS)
    consent = open_consent(actor=directors[0], motion=draft, deadline=START + 90 * DAY, at=START)
    assert consent.needed == 3
    sign(consent, tia)
    sign(consent, sam, at=START + 61 * DAY)
    assert settle_due(at=START + 62 * DAY) == 0
    assert settle_due(at=START + 90 * DAY) == 1
    assert Motion.objects.get(pk=draft.pk).state == Motion.State.FAILED


def test_what_the_class_does_not_sign_is_not_asked_for(
    own: RuleSet, board: Body, directors: list[User]
) -> None:
    RuleSet.objects.filter(pk=own.pk).update(consent="none")
    in_writing(board)
    RuleSet.objects.filter(pk=own.pk).update(consent="none")
    draft = written(board, directors, MEMBERS)
    with pytest.raises(Refusal, match="not decided in writing"):
        open_consent(actor=directors[0], motion=draft, deadline=START + 9 * DAY, at=START)


def test_the_signing_page_names_the_organisations(
    own: RuleSet, board: Body, directors: list[User], sam: User
) -> None:
    draft = written(board, directors, MEMBERS)
    ada = sign_in(directors[0])
    page = ada.get(f"{draft.get_absolute_url()}consent/").content.decode()
    assert "as many have signed as would carry it" in page
    assert "Who will be asked" in page
    open_consent(actor=directors[0], motion=draft, deadline=START + 9 * DAY, at=START - HOUR)
    asked = sign_in(sam).get(f"{draft.get_absolute_url()}sign/").content.decode()
    assert "for Acme, for Bolt" in asked
