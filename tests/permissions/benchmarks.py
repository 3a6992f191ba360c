import json
from itertools import count

from django.utils import timezone

from benchmarks import keys
from benchmarks.actions.signer import register_repository
from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import Run
from benchmarks.tests.uploads import hyperfine
from portal.accounts.models import User
from tests.permissions import EVERYBODY, SIGNED_IN, STAFF, Cast, Page

NUMBERS = count(1)
MAINTAINERS = STAFF | {"maintainer"}


def uploaded(actor: User | None) -> Run:
    raw = json.dumps(hyperfine([1.0] * 5)).encode()
    return upload_run(actor=actor, raw=raw, said=Said(), at=timezone.now()).run


def public(cast: Cast) -> str:
    return uploaded(cast["charlie"]).get_absolute_url()


def waiting(cast: Cast) -> str:
    return f"/benchmarks/moderation/{uploaded(None).uid}/"


def claimable(cast: Cast) -> str:
    raw = json.dumps(hyperfine([float(next(NUMBERS))] * 5)).encode()  # a claim is told once
    kept = upload_run(actor=None, raw=raw, said=Said(), at=timezone.now())
    return keys.claim_of(kept.run, kept.claim)


def deletable(cast: Cast) -> str:
    return keys.deletion_of(uploaded(None))


def superseded(cast: Cast) -> str:
    """A run with a second one of the same uploader that could take its place."""
    raw = json.dumps(hyperfine([2.0] * 5)).encode()
    upload_run(actor=cast["charlie"], raw=raw, said=Said(), at=timezone.now())
    return f"{public(cast)}supersede/"


def signer(cast: Cast) -> str:
    found = register_repository(
        actor=cast["charlie"],
        issuer="https://gitlab.com",
        repository="acme/bench",
        at=timezone.now(),
    )
    return f"/benchmarks/signers/{found.pk}/revoke/"


def suite(cast: Cast) -> str:
    return uploaded(cast["charlie"]).suite.get_absolute_url()


def machine(cast: Cast) -> str:
    run = uploaded(cast["charlie"])
    Run.objects.filter(pk=run.pk).update(machine="a" * 64)
    return f"/benchmarks/machines/{'a' * 64}/"


def badge(cast: Cast) -> str:
    return f"/benchmarks/badge.svg?suite={uploaded(cast['charlie']).suite.slug}&case=x&subject=x"


def connector(cast: Cast) -> str:
    return f"/benchmarks/connectors/{uploaded(cast['charlie']).results.all()[0].connector}/"


PAGES = {
    "benchmarks:list": Page(EVERYBODY),
    "benchmarks:compare": Page(EVERYBODY),
    "benchmarks:client": Page(EVERYBODY),
    "benchmarks:methodology": Page(EVERYBODY),
    "benchmarks:upload": Page(EVERYBODY),
    "benchmarks:suite": Page(EVERYBODY, sample=suite),
    "benchmarks:definition": Page(EVERYBODY, sample=lambda cast: f"{suite(cast)}definition.json"),
    "benchmarks:define_new": Page(MAINTAINERS),
    "benchmarks:define": Page(
        MAINTAINERS,
        sample=lambda cast: f"/benchmarks/suites/{uploaded(cast['charlie']).suite.slug}/",
    ),
    "benchmarks:badges": Page(EVERYBODY),
    "benchmarks:badge": Page(EVERYBODY, sample=badge),
    "benchmarks:compatibility": Page(EVERYBODY),
    "benchmarks:machines": Page(EVERYBODY),
    "benchmarks:machine": Page(EVERYBODY, sample=machine),
    "benchmarks:connector": Page(EVERYBODY, sample=connector),
    "benchmarks:mark": Page(
        MAINTAINERS,
        sample=lambda cast: f"{connector(cast)}mark/",
        method="POST",
        data={"version": ""},
    ),
    "benchmarks:run": Page(EVERYBODY, sample=public),
    "benchmarks:original": Page(EVERYBODY, sample=lambda cast: f"{public(cast)}original"),
    "benchmarks:withdraw": Page(
        {"charlie"} | MAINTAINERS, sample=lambda cast: f"{public(cast)}withdraw/", method="POST"
    ),
    "benchmarks:supersede": Page({"charlie"} | MAINTAINERS, sample=superseded, method="POST"),
    "benchmarks:claim": Page(SIGNED_IN, sample=claimable, method="POST"),
    "benchmarks:delete": Page(EVERYBODY, sample=deletable, method="POST"),
    "benchmarks:signers": Page(SIGNED_IN),
    "benchmarks:revoke_signer": Page({"charlie"}, sample=signer, method="POST"),
    "benchmarks:moderation": Page(MAINTAINERS),
    "benchmarks:decide": Page(
        MAINTAINERS, sample=waiting, method="POST", data={"decision": "accept"}
    ),
    "api:benchmark_upload": Page(EVERYBODY, method="POST"),  # without a token into quarantine
    "api:benchmark_preview": Page(EVERYBODY, method="POST"),
    "api:benchmark_run": Page(
        EVERYBODY, sample=lambda cast: f"/api/v1{public(cast).removesuffix('/')}"
    ),
}
