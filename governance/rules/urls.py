"""Pages about rules, below `/governance/rules/`."""

from django.urls import path

from governance.views import ready_set, rule_editor, rule_set, what_if

urlpatterns = [
    path("", rule_set.rule_list, name="rules"),
    path("new/", rule_editor.rule_set_new, name="rule_set_new"),
    path("ready-sets/<slug:slug>/", ready_set.ready_set_detail, name="ready_set"),
    path(
        "ready-sets/<slug:slug>/<slug:subject>/what-if/",
        what_if.ready_what_if,
        name="ready_what_if",
    ),
    path(
        "<slug:body>/<slug:subject>/",
        rule_set.rule_set_current,
        name="rule_set_current",
    ),
    path(
        "<slug:body>/<slug:subject>/<int:version>/",
        rule_set.rule_set_detail,
        name="rule_set",
    ),
    path(
        "<slug:body>/<slug:subject>/<int:version>.json",
        rule_set.rule_set_json,
        name="rule_set_json",
    ),
    path(
        "<slug:body>/<slug:subject>/<int:version>/what-if/",
        what_if.rule_what_if,
        name="rule_what_if",
    ),
    path(
        "<slug:body>/<slug:subject>/<int:version>/next/",
        rule_editor.rule_set_next,
        name="rule_set_next",
    ),
    path(
        "<slug:body>/<slug:subject>/<int:version>/correct/",
        rule_editor.rule_set_correct,
        name="rule_set_correct",
    ),
]
