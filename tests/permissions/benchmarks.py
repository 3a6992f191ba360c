import json

from django.utils import timezone

from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import Run
from benchmarks.tests.uploads import hyperfine
from portal.accounts.models import User
from tests.permissions import EVERYBODY, STAFF, Cast, Page


def uploaded(actor: User | None) -> Run:
    raw = json.dumps(hyperfine([1.0] * 5)).encode()
    return upload_run(actor=actor, raw=raw, said=Said(), at=timezone.now()).run


def public(cast: Cast) -> str:
    return uploaded(cast["charlie"]).get_absolute_url()


def waiting(cast: Cast) -> str:
    return f"/benchmarks/moderation/{uploaded(None).uid}/"


def suite(cast: Cast) -> str:
    return uploaded(cast["charlie"]).suite.get_absolute_url()


def machine(cast: Cast) -> str:
    run = uploaded(cast["charlie"])
    Run.objects.filter(pk=run.pk).update(machine="a" * 64)
    return f"/benchmarks/machines/{'a' * 64}/"


def badge(cast: Cast) -> str:
    return f"/benchmarks/badge.svg?suite={uploaded(cast['charlie']).suite.slug}&case=x&subject=x"


PAGES = {
    "benchmarks:list": Page(EVERYBODY),
    "benchmarks:compare": Page(EVERYBODY),
    "benchmarks:client": Page(EVERYBODY),
    "benchmarks:methodology": Page(EVERYBODY),
    "benchmarks:upload": Page(EVERYBODY),
    "benchmarks:suite": Page(EVERYBODY, sample=suite),
    "benchmarks:definition": Page(EVERYBODY, sample=lambda cast: f"{suite(cast)}definition.json"),
    "benchmarks:define_new": Page(STAFF),
    "benchmarks:define": Page(
        STAFF, sample=lambda cast: f"/benchmarks/suites/{uploaded(cast['charlie']).suite.slug}/"
    ),
    "benchmarks:badges": Page(EVERYBODY),
    "benchmarks:badge": Page(EVERYBODY, sample=badge),
    "benchmarks:compatibility": Page(EVERYBODY),
    "benchmarks:machines": Page(EVERYBODY),
    "benchmarks:machine": Page(EVERYBODY, sample=machine),
    "benchmarks:run": Page(EVERYBODY, sample=public),
    "benchmarks:original": Page(EVERYBODY, sample=lambda cast: f"{public(cast)}original"),
    "benchmarks:withdraw": Page(
        {"charlie", "frank"}, sample=lambda cast: f"{public(cast)}withdraw/", method="POST"
    ),
    "benchmarks:moderation": Page(STAFF),
    "benchmarks:decide": Page(STAFF, sample=waiting, method="POST", data={"decision": "accept"}),
    "api:benchmark_upload": Page(EVERYBODY, method="POST"),  # without a token into quarantine
    "api:benchmark_run": Page(
        EVERYBODY, sample=lambda cast: f"/api/v1{public(cast).removesuffix('/')}"
    ),
}
