"""Pages of accounts beside those of allauth, and the staff's pages of roles, log and mail."""

from django.urls import path
from django.views.generic import RedirectView

from portal.accounts.views import account, audit, mail, role, token

app_name = "accounts"

TO_PASSWORD = RedirectView.as_view(pattern_name="account_change_password")

urlpatterns = [
    path("accounts/", account.overview, name="overview"),
    path("accounts/profile/", account.profile, name="profile"),
    path("accounts/roles/", account.own_roles, name="roles"),
    path("accounts/close/", account.close, name="close"),
    path("accounts/tokens/", token.token_list, name="tokens"),
    path("accounts/tokens/new/", token.token_add, name="token_add"),
    path("accounts/tokens/<int:pk>/revoke/", token.token_revoke, name="token_revoke"),
    # One door for passwords: Django's own page knows no throttling, letter or log.
    path("staff/password_change/", TO_PASSWORD, name="staff_password"),
    path("staff/roles/", role.grant_list, name="grants"),
    path("staff/roles/new/", role.grant_add, name="grant_add"),
    path("staff/roles/<int:pk>/end/", role.grant_end, name="grant_end"),
    path("staff/audit/", audit.audit_list, name="audit"),
    path("staff/audit.csv", audit.audit_csv, name="audit_csv"),
    path("staff/mail/", mail.mail_list, name="mails"),
    path("staff/mail/<int:pk>/retry/", mail.mail_retry, name="mail_retry"),
]
