"""Where a page of each view stands, with the demonstration data loaded."""

from django.urls import reverse

from governance.models import Motion


def _of_state(state: str) -> Motion:
    return Motion.objects.filter(state=state, body__slug="board")[0]


def _at(name: str, state: str) -> str:
    return reverse(f"governance:{name}", args=[_of_state(state).reference])


SAMPLES = {
    "governance:body": lambda: reverse("governance:body", args=["council"]),
    "governance:body_json": lambda: reverse("governance:body_json", args=["council"]),
    "governance:motion": lambda: _at("motion", "adopted"),
    "governance:motion_json": lambda: _at("motion_json", "adopted"),
    "governance:motion_edit": lambda: _at("motion_edit", "draft"),
    "governance:motion_second": lambda: _at("motion_second", "draft"),
    "governance:motion_open": lambda: _at("motion_open", "draft"),
    "governance:motion_withdraw": lambda: _at("motion_withdraw", "draft"),
    "governance:motion_vote": lambda: _at("motion_vote", "open"),
}
