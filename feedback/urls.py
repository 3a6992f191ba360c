"""Pages of this app, and the addresses that servers post to."""

from django.urls import URLPattern, URLResolver, path

from feedback.views import report, statistics

app_name = "feedback"

urlpatterns: list[URLPattern | URLResolver] = [
    path("statistics/", statistics.statistics_page, name="statistics"),
    path("statistics/reports/", report.report_status, name="report_status"),
    path("statistics/report/", report.preview, name="preview"),
    path("statistics/report/keep/", report.keep, name="keep"),
    path("statistics/<slug:chart>.json", statistics.chart_json, name="chart_json"),
    path("statistics/<slug:chart>.csv", statistics.chart_csv, name="chart_csv"),
    path("privacy/", report.privacy, name="privacy"),
    path("rest/v1/charts/<slug:name>/", statistics.rest_chart, name="rest_chart"),
    path("rest/v1/post", report.post_report, name="post"),
    path("rest/v1/post/", report.post_report, name="post_slash"),
    path("feedback_plugin/post", report.post_report, name="plugin_post"),
    path("feedback_plugin/post/", report.post_report, name="plugin_post_slash"),
]
