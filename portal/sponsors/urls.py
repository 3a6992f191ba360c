"""Pages of this app."""

from django.urls import path

from portal.sponsors.views import join, payment, supporters

app_name = "sponsors"

urlpatterns = [
    path("supporters/", supporters.supporter_list, name="supporters"),
    path("supporters.json", supporters.supporters_json, name="supporters_json"),
    path("supporters/wall.svg", supporters.wall_svg, name="wall"),
    path("join/", join.tier_list, name="join"),
    path("join/agreement/", join.agreement_text, name="agreement_text"),
    path("join/resume/<str:token>/", join.resume, name="resume"),
    path("join/new/<slug:tier_key>/", join.organisation_new, name="organisation_new"),
    path("join/<uuid:reference>/", payment.status, name="status"),
    path("join/<uuid:reference>/tier/", join.tier, name="tier"),
    path("join/<uuid:reference>/organisation/", join.organisation, name="organisation"),
    path("join/<uuid:reference>/logo/", join.logo, name="logo"),
    path("join/<uuid:reference>/logo/file", join.logo_file, name="logo_file"),
    path("join/<uuid:reference>/agreement/", join.agreement, name="agreement"),
    path("join/<uuid:reference>/agreement.pdf", payment.agreement_file, name="agreement_file"),
    path("join/<uuid:reference>/payment/", payment.payment, name="payment"),
    path("join/<uuid:reference>/pay/", payment.pay, name="pay"),
]
