"""Pages of this app."""

from django.urls import URLPattern, URLResolver, path

from benchmarks.views import (
    badge,
    claim,
    comparison,
    compatibility,
    connector,
    define,
    machine,
    moderation,
    run,
    signer,
    suite,
    upload,
)

app_name = "benchmarks"

urlpatterns: list[URLPattern | URLResolver] = [
    path("benchmarks/", suite.suite_list, name="list"),
    path("benchmarks/compare/", comparison.compare, name="compare"),
    path("benchmarks/connectors/<str:slug>/", connector.connector_detail, name="connector"),
    path("benchmarks/connectors/<str:slug>/mark/", connector.mark, name="mark"),
    path("benchmarks/methodology/", suite.methodology, name="methodology"),
    path("benchmarks/moderation/", moderation.queue, name="moderation"),
    path("benchmarks/moderation/<uuid:uid>/", moderation.decide, name="decide"),
    path("benchmarks/signers/", signer.signers, name="signers"),
    path("benchmarks/signers/<int:pk>/revoke/", signer.revoke, name="revoke_signer"),
    path("benchmarks/upload/", upload.upload, name="upload"),
    path("benchmarks/portal_benchmark.py", suite.client, name="client"),
    path("benchmarks/runs/<uuid:uid>/", run.run_detail, name="run"),
    path("benchmarks/runs/<uuid:uid>/original", run.original, name="original"),
    path("benchmarks/runs/<uuid:uid>/withdraw/", run.withdraw, name="withdraw"),
    path("benchmarks/runs/<uuid:uid>/supersede/", run.supersede, name="supersede"),
    path("benchmarks/runs/<uuid:uid>/claim/", claim.claim, name="claim"),
    path("benchmarks/runs/<uuid:uid>/delete/", claim.delete, name="delete"),
    path("benchmarks/badges/", badge.badge_page, name="badges"),
    path("benchmarks/badge.svg", badge.badge, name="badge"),
    path("benchmarks/compatibility/", compatibility.compatibility, name="compatibility"),
    path("benchmarks/machines/", machine.machine_list, name="machines"),
    path("benchmarks/machines/<str:fingerprint>/", machine.machine_detail, name="machine"),
    path("benchmarks/suites/new/", define.define, name="define_new"),
    path("benchmarks/suites/<slug:slug>/", define.define, name="define"),
    path("benchmarks/<slug:slug>/", suite.suite_detail, name="suite"),
    path("benchmarks/<slug:slug>/definition.json", define.definition, name="definition"),
]
