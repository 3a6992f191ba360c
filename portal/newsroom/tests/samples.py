"""Where a page of each view stands, with the demonstration data loaded."""

from django.urls import reverse

from portal.news.models import ReportFigures


def of_report(name: str) -> str:
    return reverse(f"newsroom:{name}", args=[ReportFigures.objects.latest("pk").announcement_id])


SAMPLES = {
    "newsroom:figures": lambda: of_report("figures"),
    "newsroom:renew": lambda: of_report("renew"),
}
