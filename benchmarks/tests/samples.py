"""Where samples of this app's pages stand, once the demonstration is loaded."""

from django.urls import reverse
from django.utils import timezone

from benchmarks import keys
from benchmarks.actions.upload import Said, upload_run
from benchmarks.demonstration import MEASURED
from benchmarks.models import Result, Run, Signer, State, Suite, Trust
from portal.accounts.models import User


def run() -> Run:
    return Run.objects.filter(state=State.PUBLISHED)[0]


def page_of_run() -> str:
    return run().get_absolute_url()


def waiting() -> Run:
    """A run without an account, as a stranger sends it; the same one each time."""
    raw = (MEASURED / "mariadb_client.json").read_bytes()
    kept = upload_run(actor=None, raw=raw, said=Said(title="Sent"), at=timezone.now())
    return kept.run


def claimable() -> str:
    run = waiting()
    token = keys.new_claim()
    Run.objects.filter(pk=run.pk).update(claim_hash=keys.hashed(token))
    return keys.claim_of(run, token)


def revocable() -> str:
    owner = User.objects.filter(is_active=True).order_by("pk")[0]
    signer, _made = Signer.objects.get_or_create(
        owner=owner,
        kind=Signer.Kind.CI,
        name="acme/bench",
        issuer="https://gitlab.com",
        repository="acme/bench",
        public_key=b"",
    )
    return reverse("benchmarks:revoke_signer", args=[signer.pk])


def page_of_suite() -> str:
    return Suite.objects.all()[0].get_absolute_url()


def page_of_machine() -> str:
    run = Run.objects.published().exclude(machine="")[0]
    return reverse("benchmarks:machine", args=[run.machine])


def badge() -> str:
    return f"{reverse('benchmarks:badge')}?suite=fast_queries&case=do_1&subject=PyMySQL"


def connector() -> str:
    return (
        Result.objects.filter(run__state=State.PUBLISHED)
        .exclude(run__trust=Trust.PUBLISHED)[0]
        .connector
    )


SAMPLES = {
    "benchmarks:connector": lambda: reverse("benchmarks:connector", args=[connector()]),
    "benchmarks:mark": lambda: reverse("benchmarks:mark", args=[connector()]),
    "benchmarks:suite": page_of_suite,
    "benchmarks:definition": lambda: f"{page_of_suite()}definition.json",
    "benchmarks:define": lambda: reverse("benchmarks:define", args=[Suite.objects.all()[0].slug]),
    "benchmarks:machine": page_of_machine,
    "benchmarks:badge": badge,
    "benchmarks:run": page_of_run,
    "benchmarks:original": lambda: reverse("benchmarks:original", args=[run().uid]),
    "benchmarks:withdraw": lambda: reverse("benchmarks:withdraw", args=[run().uid]),
    "benchmarks:supersede": lambda: reverse("benchmarks:supersede", args=[run().uid]),
    "benchmarks:claim": claimable,
    "benchmarks:delete": lambda: keys.deletion_of(waiting()),
    "benchmarks:revoke_signer": revocable,
    "benchmarks:decide": lambda: reverse("benchmarks:decide", args=[run().uid]),
}
