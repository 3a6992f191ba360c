"""Measurements, trust and parameters in templates."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from benchmarks import conditions, evidence, words
from benchmarks.models import Result, Run, Trust

register = template.Library()

TRUST_TONES = {
    Trust.PUBLISHED: "open",
    Trust.ANONYMOUS: "warn",
    Trust.SIGNED_IN: "info",
    Trust.SIGNED: "info",
    Trust.OUR_RUNNER: "good",
    Trust.REPRODUCED: "good",
}
STATE_TONES = {
    "published": "good",
    "quarantine": "warn",
    "rejected": "bad",
    "withdrawn": "warn",
    "superseded": "warn",
}


@register.filter
def measure(value: float | None, unit: str) -> str:
    return words.measure(value, unit)


@register.filter
def percent(share: float | None) -> str:
    return words.percent(share)


@register.filter
def params_in_words(params: Mapping[str, Any]) -> str:
    return words.params_in_words(params)


@register.filter
def unranked_in_words(one: Result) -> str:
    """Why a result has no place in an order; a summary says so by itself."""
    reason = conditions.unranked(one)
    return "" if reason in {"", "summary"} else str(words.REASONS[reason])


@register.filter
def noise_in_words(letter: str) -> str:
    return str(words.NOISE.get(letter, ""))


@register.filter
def flag_in_words(flag: str) -> str:
    return str(words.FLAGS.get(flag, flag))


@register.filter
def placement_in_words(placement: str) -> str:
    return str(words.PLACEMENTS.get(placement, placement))


@register.filter
def claimed_prepared(result: Result) -> bool:
    """Preparation on the server was asked for, and the server's own counters saw text."""
    return evidence.claimed_prepared(result.params, result.evidence)


@register.filter
def order_in_words(order: str) -> str:
    return str(words.ORDERS.get(order, order))


@register.simple_tag
def trust(one: Run | Result) -> SafeString:
    """The rung of the ladder on which a number stands: a label on every point."""
    return _rung(one.trust, get_language())


@cache
def _rung(rung: int, _language: str) -> SafeString:
    """Six badges in each language; a ledger shows hundreds."""
    text = f"{rung} {Trust(rung).label}"
    badge = {"text": text, "tone": TRUST_TONES[Trust(rung)]}
    return render_to_string("components/badge.html", badge)


@register.inclusion_tag("components/badge.html")
def state(run: Run) -> dict[str, object]:
    return {"text": run.get_state_display(), "tone": STATE_TONES[run.state]}
