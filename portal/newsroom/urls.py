"""Pages of this part, beside those of the editor's desk."""

from django.urls import path

from portal.newsroom import views

app_name = "newsroom"

urlpatterns = [
    path("staff/news/reports/", views.report_list, name="reports"),
    path("staff/news/<int:pk>/figures/", views.figures, name="figures"),
    path("staff/news/<int:pk>/figures/renew/", views.renew, name="renew"),
]
