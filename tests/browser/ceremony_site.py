"""The forms of those who hold keys, each on a page of its own, and what they sent."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path

from portal.urls import urlpatterns as portal_urls

PAGE: Final = "/test-ceremony/"
MANIFEST: Final = "/test-ceremony/manifest.json"
TEMPLATE: Final = """
{% extends "base.html" %}{% load static %}
{% block title %}Ceremony{% endblock %}
{% block head_extra %}
<script type="module" src="{% static "js/election/ceremony_page.js" %}"></script>{% endblock %}
{% block content %}<div class="page pagehead"><h1>Keys</h1></div>
<div class="page body">{% include template %}</div>{% endblock %}
"""
SHOWN: dict[str, Any] = {}  # the template and what it is given
SENT: list[dict[str, list[str]]] = []
SERVED: list[bytes] = []  # as the manifest


def page(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        fields = {name: request.POST.getlist(name) for name in request.POST}
        del fields["csrfmiddlewaretoken"]
        SENT.append(fields)
    template = engines["django"].from_string(TEMPLATE)
    return HttpResponse(template.render({"action": PAGE, **SHOWN}, request))


def served(request: HttpRequest) -> HttpResponse:
    return HttpResponse(SERVED[0], content_type="application/json")


urlpatterns = [
    path("test-ceremony/", page),
    path("test-ceremony/manifest.json", served),
    *portal_urls,
]
