"""Where samples of this app's pages stand, once the demonstration is loaded."""

from django.urls import reverse

from benchmarks.models import Run, State, Suite


def run() -> Run:
    return Run.objects.filter(state=State.PUBLISHED)[0]


def page_of_run() -> str:
    return run().get_absolute_url()


def page_of_suite() -> str:
    return Suite.objects.all()[0].get_absolute_url()


def page_of_machine() -> str:
    run = Run.objects.published().exclude(machine="")[0]
    return reverse("benchmarks:machine", args=[run.machine])


def badge() -> str:
    return f"{reverse('benchmarks:badge')}?suite=fast_queries&case=do_1&subject=PyMySQL"


SAMPLES = {
    "benchmarks:suite": page_of_suite,
    "benchmarks:definition": lambda: f"{page_of_suite()}definition.json",
    "benchmarks:define": lambda: reverse("benchmarks:define", args=[Suite.objects.all()[0].slug]),
    "benchmarks:machine": page_of_machine,
    "benchmarks:badge": badge,
    "benchmarks:run": page_of_run,
    "benchmarks:original": lambda: reverse("benchmarks:original", args=[run().uid]),
    "benchmarks:withdraw": lambda: reverse("benchmarks:withdraw", args=[run().uid]),
    "benchmarks:decide": lambda: reverse("benchmarks:decide", args=[run().uid]),
}
