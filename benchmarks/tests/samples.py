"""Where samples of this app's pages stand, once the demonstration is loaded."""

from django.urls import reverse

from benchmarks.models import Run, State, Suite


def run() -> Run:
    return Run.objects.filter(state=State.PUBLISHED)[0]


def page_of_run() -> str:
    return run().get_absolute_url()


def page_of_suite() -> str:
    return Suite.objects.all()[0].get_absolute_url()


SAMPLES = {
    "benchmarks:suite": page_of_suite,
    "benchmarks:run": page_of_run,
    "benchmarks:original": lambda: reverse("benchmarks:original", args=[run().uid]),
    "benchmarks:withdraw": lambda: reverse("benchmarks:withdraw", args=[run().uid]),
    "benchmarks:decide": lambda: reverse("benchmarks:decide", args=[run().uid]),
}
