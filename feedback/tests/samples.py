"""Where samples of the views with parameters stand."""

SAMPLES = {
    "feedback:chart_json": lambda: "/statistics/series.json",
    "feedback:chart_csv": lambda: "/statistics/series.csv",
    "feedback:rest_chart": lambda: "/rest/v1/charts/server-count/",
}
