from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from portal.accounts.roles import Role, Scope, has_role


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser):
    """A person. What they may do is in `RoleGrant` alone; their letters go to `email`."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=150, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    language = models.CharField(
        _("language of letters"), max_length=10, blank=True, help_text=_("Empty: not known yet.")
    )
    joined_at = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    sign_outs = models.PositiveIntegerField(_("signed out everywhere"), default=0, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_once_in_any_case"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return str(self)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session must match: a new password ends it, and so does signing out everywhere."""
        return salted_hmac(
            "portal.accounts.session",
            f"{self.password}:{self.sign_outs}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()

    @cached_property
    def is_staff(self) -> bool:
        """Whether the staff pages (Django's admin) open: the role, asked once per instance."""
        return has_role(self, Role.STAFF)

    def has_perm(self, perm: str, obj: models.Model | None = None) -> bool:
        """Django's admin asks this. Staff may do there what each ModelAdmin allows."""
        return self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_staff


class RoleGrantQuerySet(models.QuerySet["RoleGrant"]):
    def active_on(self, at: datetime) -> "RoleGrantQuerySet":
        return self.filter(since__lte=at).exclude(until__lte=at)

    def of(self, user: models.Model) -> "RoleGrantQuerySet":
        return self.filter(user_id=user.pk)

    def of_person_like(self, text: str) -> "RoleGrantQuerySet":
        """By part of a person's name or address."""
        return self.filter(
            models.Q(user__name__icontains=text) | models.Q(user__email__icontains=text)
        )

    def not_over(self, at: datetime) -> "RoleGrantQuerySet":
        """Active, or to begin later."""
        return self.exclude(until__lte=at)


class RoleGrant(models.Model):
    """A role that a person holds from one moment to another, for one thing or all of its kind."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="role_grants"
    )
    role = models.CharField(_("role"), max_length=30, choices=Role)
    scope_kind = models.CharField(
        _("scope"), max_length=20, choices=Scope, default=Scope.FOUNDATION
    )
    scope_slug = models.CharField(_("scope name"), max_length=100, blank=True)
    since = models.DateTimeField(_("since"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    objects = RoleGrantQuerySet.as_manager()

    class Meta:
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        ordering = ["user", "role", "since"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(until__isnull=True) | models.Q(until__gte=models.F("since")),
                name="role_grant_ends_after_it_begins",
            ),
            models.UniqueConstraint(
                fields=["user", "role", "scope_kind", "scope_slug"],
                condition=models.Q(until__isnull=True),
                name="role_grant_open_once",
            ),
        ]

    def __str__(self) -> str:
        scope = f" ({self.scope_slug})" if self.scope_slug else ""
        return f"{self.get_role_display()}{scope}"


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def of(self, user: models.Model) -> "ApiTokenQuerySet":
        return self.filter(user_id=user.pk)

    def usable_at(self, at: datetime) -> "ApiTokenQuerySet":
        return self.filter(revoked_at__isnull=True, expires_at__gt=at, user__is_active=True)


class ApiToken(models.Model):
    """A key for programs. Only its hash is kept; it is shown once, when it is made."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_tokens"
    )
    name = models.CharField(_("name"), max_length=100)
    prefix = models.CharField(_("starts with"), max_length=12)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(
        models.CharField(max_length=40), verbose_name=pgettext_lazy("is allowed to", "may")
    )
    limits = models.JSONField(
        _("limited to"), default=dict, blank=True, help_text=_('For example {"product": "x"}.')
    )
    created_at = models.DateTimeField(_("made"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def is_usable_at(self, at: datetime) -> bool:
        return self.revoked_at is None and self.expires_at > at
