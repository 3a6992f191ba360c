"""Pages of this app."""

from django.urls import path

from portal.donations.views import donate, donation, donors, manage, returned

app_name = "donations"

urlpatterns = [
    path("donate/", donate.donate, name="donate"),
    path("donate/donors/", donors.donors, name="donors"),
    path("donate/manage/", manage.manage, name="manage"),
    path("donate/manage/<str:token>/", manage.open_link, name="open_link"),
    path("donate/own/", manage.own, name="own"),
    path("donate/<uuid:reference>/", donation.donation, name="donation"),
    path("donate/<uuid:reference>/back/", returned.returned, name="returned"),
    path("donate/<uuid:reference>/pay/", donation.pay, name="pay"),
    path("donate/<uuid:reference>/card/", donation.card, name="card"),
    path("donate/<uuid:reference>/amount/", donation.amount, name="amount"),
    path("donate/<uuid:reference>/end/", donation.end, name="end"),
    path("donate/<uuid:reference>/naming/", donation.naming, name="naming"),
    path("donate/<uuid:reference>/receipts/<slug:number>.pdf", donation.receipt, name="receipt"),
    path("staff/dedications/", donors.dedications, name="dedications"),
    path("staff/dedications/<int:pk>/", donors.judge, name="judge"),
]
