"""Pages of this app: the editor's under /staff/news/, the reader's under /news/."""

from django.urls import path

from portal.news.views import desk, feeds, public, publication, version, write

app_name = "news"

urlpatterns = [
    path("news/", public.announcement_list, name="list"),
    path("news/feed.<slug:form>", feeds.feed, name="feed"),
    path("news/feeds/<slug:kind>.<slug:form>", feeds.feed, name="kind_feed"),
    path("news/reports/", public.report_list, name="reports"),
    path("news/<slug:slug>/", public.announcement_detail, name="detail"),
    path("news/<slug:slug>/figures.csv", public.figures_csv, name="figures"),
    path("staff/news/", desk.desk, name="desk"),
    path("staff/news/new/", write.new, name="new"),
    path("staff/news/<int:pk>/", write.edit, name="edit"),
    path("staff/news/<int:pk>/versions/", version.version_list, name="versions"),
    path("staff/news/<int:pk>/versions/<int:number>/take/", version.version_take, name="take"),
    path("staff/news/<int:pk>/publish/", publication.publish, name="publish"),
    path("staff/news/<int:pk>/unschedule/", publication.unschedule, name="unschedule"),
    path("staff/news/<int:pk>/withdraw/", publication.withdraw, name="withdraw"),
    path("staff/news/<int:pk>/restore/", publication.restore, name="restore"),
    path("staff/news/<int:pk>/drop/", publication.drop, name="drop"),
    path("staff/news/<int:pk>/take-back/", publication.take_back, name="take_back"),
]
