"""Pages of this app."""

from django.urls import path

from portal.members.views import directory, logo, organisation

app_name = "members"

urlpatterns = [
    path("members/", directory.member_list, name="directory"),
    path("supporters/logos/<slug:digest>.<slug:extension>", logo.logo, name="logo"),
    path("organisation/", organisation.organisation_list, name="organisations"),
    path("organisation/contacts/<int:pk>/take/", organisation.contact_take, name="contact_take"),
    path("organisation/<slug:slug>/", organisation.organisation_detail, name="organisation"),
    path("organisation/<slug:slug>/logo/", organisation.organisation_logo, name="change_logo"),
    path("organisation/<slug:slug>/listing/", organisation.organisation_listing, name="listing"),
    path(
        "organisation/<slug:slug>/receipts/<slug:number>.pdf", organisation.receipt, name="receipt"
    ),
]
