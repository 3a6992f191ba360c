"""Pages of this app, and the addresses that servers post to."""

from django.urls import URLPattern, URLResolver, path

from feedback.views import (
    chart,
    deletion,
    known_key,
    own_server,
    quarantine,
    report,
    statistics,
)

app_name = "feedback"

urlpatterns: list[URLPattern | URLResolver] = [
    path("statistics/", statistics.statistics_page, name="statistics"),
    path("statistics/reports/", report.report_status, name="report_status"),
    path("statistics/report/", report.preview, name="preview"),
    path("statistics/report/keep/", report.keep, name="keep"),
    path("statistics/charts/<slug:chart>/", chart.chart_page_view, name="chart"),
    path("statistics/<slug:chart>.json", chart.chart_json, name="chart_json"),
    path("statistics/<slug:chart>.csv", chart.chart_csv, name="chart_csv"),
    path("statistics/<slug:chart>.svg", chart.chart_svg, name="chart_svg"),
    path("privacy/", report.privacy, name="privacy"),
    path("privacy/server/", deletion.server_delete, name="server_delete"),
    path("privacy/server/<slug:code>/", deletion.server_deletion, name="server_deletion"),
    path("statistics/servers/", own_server.own_server_list, name="own_servers"),
    path("statistics/servers/list.csv", own_server.own_servers_csv, name="own_servers_csv"),
    path("statistics/servers/code/", own_server.own_server_code, name="own_server_code"),
    path("statistics/servers/<int:pk>.json", own_server.own_server_json, name="own_server_json"),
    path("statistics/servers/<int:pk>/name/", own_server.own_server_name, name="own_server_name"),
    path(
        "statistics/servers/<int:pk>/release/",
        own_server.own_server_release,
        name="own_server_release",
    ),
    path("staff/feedback/quarantine/", quarantine.quarantine_list, name="quarantine"),
    path(
        "staff/feedback/quarantine/read/",
        quarantine.quarantine_read_all,
        name="quarantine_read_all",
    ),
    path(
        "staff/feedback/quarantine/<int:number>/",
        quarantine.quarantine_detail,
        name="quarantine_detail",
    ),
    path(
        "staff/feedback/quarantine/<int:number>/read/",
        quarantine.quarantine_read,
        name="quarantine_read",
    ),
    path(
        "staff/feedback/quarantine/<int:number>/delete/",
        quarantine.quarantine_delete,
        name="quarantine_delete",
    ),
    path("staff/feedback/names/", known_key.known_key_list, name="known_keys"),
    path("staff/feedback/names.csv", known_key.known_keys_csv, name="known_keys_csv"),
    path("staff/feedback/names/decide/", known_key.known_keys_decide, name="known_keys_decide"),
    path("rest/v1/charts/<slug:name>/", statistics.rest_chart, name="rest_chart"),
    path("rest/v1/post", report.post_report, name="post"),
    path("rest/v1/post/", report.post_report, name="post_slash"),
    path("feedback_plugin/post", report.post_report, name="plugin_post"),
    path("feedback_plugin/post/", report.post_report, name="plugin_post_slash"),
]
