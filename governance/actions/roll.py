"""The roll of an election: drawn on the record date, mended by rulings on objections."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import begin_round, locked
from governance.actions.sweep import sweep
from governance.elections import dispute_letters, enfranchised, readers
from governance.models import Contest, Election, ElectionRound, Objection, RollEntry, RuleSet
from governance.motions import franchise
from governance.refusals import NotAllowed, Refusal, allowed
from governance.tally.rules import Membership
from portal.accounts.models import User
from portal.lib import audit, outbox
from portal.members.electorate import Candidate
from portal.members.models import Organisation

Answer = Objection.Answer


def draw_due(*, at: datetime | None = None) -> int:
    """Draw the rolls whose record date has come; how many."""
    due = Election.objects.to_draw(clock.now(at)).values_list("pk", flat=True)
    return sweep(list(due), lambda pk: draw_roll(election_id=pk, at=at))


@transaction.atomic
def draw_roll(*, election_id: int, at: datetime | None = None) -> bool:
    """Write down who may vote in each contest, as it was on the record date; whether this call did.

    Everybody on it gets a letter, and may look for themselves and others.
    """
    election = locked(Election(pk=election_id))
    moment = clock.now(at)
    if not Election.objects.to_draw(moment).filter(pk=election.pk).exists():
        return False
    rules = RuleSet.objects.of_body(election.body, timezone.localdate(election.record_at))
    membership = rules.membership if rules else Membership()
    organisations = _organisations()
    written = 0
    for contest in election.contests.all():
        voters = [
            each
            for each in enfranchised.askable(contest, election.record_at)
            if each.answer.may_vote
        ]
        active = franchise.active(voters, membership, election.record_at)
        rows = [
            _entry(contest, each, organisations, voter=each.answer.voter)
            for each in active
            if each.answer.voter is not None
        ]
        written += len(RollEntry.objects.bulk_create(rows))
    election.roll_drawn_at = moment
    election.save(update_fields=["roll_drawn_at"])
    begin_round(election, ElectionRound.Kind.ROLL_SHOWN, moment)
    audit.record(actor=None, verb="election.roll_drawn", subject=election, voters=written)
    return True


@transaction.atomic
def object_to_roll(
    *,
    actor: User,
    contest: Contest,
    kind: Objection.Kind,
    key: str,
    text: str,
    at: datetime | None = None,
) -> Objection:
    """Say that somebody is missing on the roll, or stands there wrongly, and why."""
    contest.election = locked(contest.election)
    moment = clock.now(at)
    allowed(enfranchised.not_to_object(actor, contest.election, moment))
    if not text.strip():
        raise Refusal(_("Say why, so that it can be ruled on."))
    entry = contest.roll.filter(key=key, removed_at__isnull=True).first()
    if kind == Objection.Kind.REMOVE:
        if entry is None:
            raise Refusal(_("Nobody of this name is on the roll."))
        name = entry.name
    else:
        if entry is not None:
            raise Refusal(_("%(name)s is on the roll already.") % {"name": entry.name})
        name = _own(contest, key, actor, moment).name
    if contest.objections.filter(kind=kind, key=key, answer="").exists():
        raise Refusal(_("This objection was made already and waits for its ruling."))
    objection = Objection.objects.create(
        contest=contest, kind=kind, key=key, name=name, text=text, made_by=actor, made_at=moment
    )
    audit.record(actor=actor, verb="objection.made", subject=objection, kind=kind)
    return objection


@transaction.atomic
def rule_on_objection(
    *,
    actor: User,
    objection: Objection,
    answer: Objection.Answer,
    reason: str,
    at: datetime | None = None,
) -> Objection:
    """Grant or refuse it, with the reason; what is granted changes the roll."""
    contest = Contest.objects.get(pk=objection.contest_id)
    contest.election = locked(Election(pk=contest.election_id))
    moment = clock.now(at)
    objection = Objection.objects.get(pk=objection.pk)
    objection.contest = contest
    allowed(enfranchised.not_to_rule(actor, objection, moment))
    if not reason.strip():
        raise Refusal(_("Give the reason: everybody reads it."))
    if answer == Answer.GRANTED:
        _change_roll(objection, moment)
    objection.answer, objection.answer_reason = answer, reason.strip()
    objection.answered_by, objection.answered_at = actor, moment
    objection.save()
    audit.record(actor=actor, verb="objection.ruled", subject=objection, answer=answer)
    outbox.enqueue_all([_ruled(objection)])
    return objection


def _ruled(objection: Objection) -> outbox.Letter:
    """To who objected."""
    election = objection.contest.election
    return dispute_letters.objection_ruled(
        readers.reader(objection.made_by),
        readers.of(election),
        reference=str(objection.pk),
        objection=f"{objection.contest}: {objection}",
        is_granted=objection.answer == Answer.GRANTED,
        ruling=objection.answer_reason,
        signed_by=str(objection.answered_by),
        link=readers.link(election, f"objections/{objection.pk}/"),
    )


def _change_roll(objection: Objection, at: datetime) -> None:
    contest = objection.contest
    before = contest.roll.filter(key=objection.key)
    if objection.kind == Objection.Kind.REMOVE:
        before.update(removed_at=at)
        return
    if before.update(removed_at=None, added_by_objection=True):
        return
    asked = _own(contest, objection.key, objection.made_by, at)
    entry = _entry(contest, asked, _organisations(), voter=objection.made_by_id)
    entry.voter_name = str(objection.made_by)
    entry.added_by_objection = True
    entry.save()


def _own(contest: Contest, key: str, user: User, at: datetime) -> Candidate:
    """The vote of this name that the person asks for, as the register knows it."""
    for each in franchise.asked_of(user, at):
        if each.key == key and each.answer.constituency.value == contest.constituency:
            return each
    raise NotAllowed(_("Only who would cast the vote can say that it is missing."))


def _organisations() -> dict[str, Organisation]:
    return {each.slug: each for each in Organisation.objects.all()}


def _entry(
    contest: Contest, candidate: Candidate, organisations: dict[str, Organisation], *, voter: int
) -> RollEntry:
    return RollEntry(
        contest=contest,
        key=candidate.key,
        name=candidate.name,
        organisation=organisations.get(candidate.key.removeprefix("organisation:")),
        voter_id=voter,
        voter_name=candidate.answer.voter_name,
        reasons=candidate.as_record()["reasons"],
    )
