"""Writing the manifest of an election, signing it, and handing it over to registrar and box.

Once two officers have signed, nothing of it changes any more; until then it can be taken back.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.actions.keyholder import locked_holder
from governance.actions.sweep import sweep
from governance.box.client import BallotBox
from governance.elections import compose, keeping_keys, key_letters, running
from governance.elections.compose import OfficeKeys
from governance.models import Candidacy, Election, ElectionOfficer, RollEntry
from governance.refusals import Refusal, allowed
from governance.registrar.client import Registrar
from governance.sealed import manifest
from governance.sealed.wire import WireError, to_bytes
from portal.accounts.models import User
from portal.lib import audit


def fetch_keys(election: Election, registrar: Registrar, box: BallotBox) -> OfficeKeys:
    """Asked before anything is locked: making a key takes a second."""
    if not election.is_sealed:
        return OfficeKeys()
    names = [contest.id_on_the_board for contest in election.contests.all()]
    return OfficeKeys(box.key(election.name), {name: registrar.key(name) for name in names})


@transaction.atomic
def write_manifest(
    *, actor: User, election: Election, keys: OfficeKeys, at: datetime | None = None
) -> Election:
    """Number the candidates and the roll, and write down everything that officers sign."""
    election = locked(election)
    moment = clock.now(at)
    allowed(running.not_to_edit(actor, election, moment))
    todo = keeping_keys.missing(election, moment)
    if election.state != Election.State.ANNOUNCED or todo:
        raise Refusal(
            " ".join(f"{each.by}: {each.text}" if each.by else each.text for each in todo)
            or _("It has to be announced first.")
        )
    _number(election)
    text = manifest.write(compose.manifest_of(election, keys))
    manifest.read(text)
    election.manifest, election.manifest_sha256 = text.decode(), manifest.digest(text)
    election.state = Election.State.PREPARED
    election.save(update_fields=["manifest", "manifest_sha256", "state"])
    key_letters.to_sign(election)
    audit.record(
        actor=actor,
        verb="election.manifest_written",
        subject=election,
        sha256=election.manifest_sha256,
        at=moment.isoformat(),
    )
    return election


@transaction.atomic
def take_back_manifest(*, actor: User, election: Election, at: datetime | None = None) -> Election:
    """Before the last officer has signed: something is wrong and has to be mended first."""
    election = locked(election)
    allowed(running.not_to_run(actor, election.body, clock.now(at)))
    if election.state != Election.State.PREPARED:
        raise Refusal(_("There is no manifest that waits for signatures."))
    RollEntry.objects.filter(contest__election=election).update(number=None)
    Candidacy.objects.filter(contest__election=election).update(number=None)
    election.officers.update(signature="", signed_at=None)
    election.manifest = election.manifest_sha256 = ""
    election.state = Election.State.ANNOUNCED
    election.save(update_fields=["manifest", "manifest_sha256", "state"])
    audit.record(actor=actor, verb="election.manifest_taken_back", subject=election)
    return election


@transaction.atomic
def sign_manifest(
    *, actor: User, officer: ElectionOfficer, signature: str, at: datetime | None = None
) -> Election:
    """Keep an officer's signature; with the last one the election is frozen."""
    holder, moment = locked_holder(officer, at)
    election = holder.election
    allowed(keeping_keys.not_to_sign(holder, actor))
    if moment >= election.opens_at:
        raise Refusal(_("Voting was to be open by now. Take the manifest back and move the dates."))
    public = manifest.Officer(holder.name, holder.key, holder.nonce_sha256)
    if not manifest.is_signed(public, election.manifest.encode(), _bytes(signature)):
        raise Refusal(_("This is no signature of this manifest by your key."))
    holder.signature, holder.signed_at = signature, moment
    holder.save(update_fields=["signature", "signed_at"])
    audit.record(
        actor=actor, verb="election.manifest_signed", subject=election, officer=holder.place
    )
    if not election.officers.filter(signature="").exists():
        election.state, election.frozen_at = Election.State.FROZEN, moment
        election.save(update_fields=["state", "frozen_at"])
        audit.record(actor=None, verb="election.frozen", subject=election)
    return election


def hand_over_due(*, registrar: Registrar, box: BallotBox, at: datetime | None = None) -> int:
    """Tell registrar and box of elections they do not know yet; of how many."""
    due = list(Election.objects.to_hand_over().values_list("pk", flat=True))
    return sweep(due, lambda pk: hand_over(pk, registrar=registrar, box=box, at=at))


def hand_over(
    election_id: int, *, registrar: Registrar, box: BallotBox, at: datetime | None = None
) -> bool:
    """Both take the same manifest as often as it comes, so nothing is lost where this dies."""
    election = Election.objects.get(pk=election_id)
    if election.is_sealed:
        text, signed = election.manifest.encode(), signatures(election)
        registrar.open(text, signed)
        box.open(text, signed)
    waiting = Election.objects.to_hand_over().filter(pk=election_id)
    return bool(waiting.update(handed_over_at=clock.now(at)))


def signatures(election: Election) -> list[bytes]:
    """Of the officers under the manifest, in their order."""
    return [to_bytes(each.signature) for each in election.officers.order_by("place")]


def _number(election: Election) -> None:
    """Candidates from 0 and voters from 1, in the order of their names."""
    for contest in election.contests.all():
        for number, standing in enumerate(contest.candidacies.standing()):
            Candidacy.objects.filter(pk=standing.pk).update(number=number)
        voters = RollEntry.objects.filter(contest=contest).standing()
        entries = list(voters.order_by("name", "key"))
        for number, entry in enumerate(entries, start=1):
            entry.number = number
        RollEntry.objects.bulk_update(entries, ["number"], batch_size=1000)


def _bytes(text: str) -> bytes:
    try:
        return to_bytes(text)
    except WireError as error:
        raise Refusal(_("This is no signature.")) from error
