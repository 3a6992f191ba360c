from tests.permissions import EVERYBODY, Cast, Page


def chart(ending: str) -> Page:
    return Page(EVERYBODY, sample=lambda cast: f"/statistics/series.{ending}")


def rest_chart(cast: Cast) -> str:
    return "/rest/v1/charts/server-count/"


PAGES = {
    "feedback:statistics": Page(EVERYBODY),
    "feedback:report_status": Page(EVERYBODY),
    "feedback:preview": Page(EVERYBODY, method="POST"),
    "feedback:keep": Page(EVERYBODY, method="POST"),
    "feedback:chart_json": chart("json"),
    "feedback:chart_csv": chart("csv"),
    "feedback:privacy": Page(EVERYBODY),
    "feedback:rest_chart": Page(EVERYBODY, sample=rest_chart),
    "feedback:post": Page(EVERYBODY),
    "feedback:post_slash": Page(EVERYBODY),
    "feedback:plugin_post": Page(EVERYBODY),
    "feedback:plugin_post_slash": Page(EVERYBODY),
}
