"""Pages of this app."""

from django.urls import path

from portal.sponsors.views import (
    another_tier,
    join,
    payment,
    renewal,
    returned,
    review,
    supporters,
    withdrawal,
)

app_name = "sponsors"

urlpatterns = [
    path("supporters/", supporters.supporter_list, name="supporters"),
    path("supporters.json", supporters.supporters_json, name="supporters_json"),
    path("supporters/wall.svg", supporters.wall_svg, name="wall"),
    path("supporters/badges/<slug:slug>.svg", supporters.badge_svg, name="badge"),
    path("join/", join.tier_list, name="join"),
    path("join/agreement/", join.agreement_text, name="agreement_text"),
    path("join/resume/<str:token>/", join.resume, name="resume"),
    path("join/renew/<str:token>/", renewal.renew_by_link, name="renew_by_link"),
    path("organisation/<slug:slug>/tiers/", another_tier.another_tier, name="another_tier"),
    path("organisation/<slug:slug>/terms/<int:pk>/renew/", renewal.renew, name="renew"),
    path("join/new/<slug:tier_key>/", join.organisation_new, name="organisation_new"),
    path("join/<uuid:reference>/", payment.status, name="status"),
    path("join/<uuid:reference>/back/", returned.returned, name="returned"),
    path("join/<uuid:reference>/tier/", join.tier, name="tier"),
    path("join/<uuid:reference>/organisation/", join.organisation, name="organisation"),
    path("join/<uuid:reference>/logo/", join.logo, name="logo"),
    path("join/<uuid:reference>/logo/file", join.logo_file, name="logo_file"),
    path("join/<uuid:reference>/agreement/", join.agreement, name="agreement"),
    path("join/<uuid:reference>/agreement.pdf", payment.agreement_file, name="agreement_file"),
    path("join/<uuid:reference>/invoice.pdf", payment.invoice_download, name="invoice_file"),
    path("join/<uuid:reference>/payment/", payment.payment, name="payment"),
    path("join/<uuid:reference>/pay/", payment.pay, name="pay"),
    path("join/<uuid:reference>/withdraw/", withdrawal.withdrawal, name="withdraw"),
    path("staff/applications/", review.application_list, name="applications"),
    path(
        "staff/applications/<uuid:reference>/", review.application_review, name="application_review"
    ),
    path(
        "staff/applications/<uuid:reference>/logo", review.application_logo, name="application_logo"
    ),
]
