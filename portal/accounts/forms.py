import datetime as dt
from typing import Any, Final

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from portal.accounts import scopes, tokens
from portal.accounts.models import RoleGrant, RoleGrantQuerySet, User
from portal.accounts.roles import SCOPE_OF, Role, Scope
from portal.accounts.tokens import TokenScope
from portal.lib.days import DayField
from portal.lib.models import AuditEntry, AuditEntryQuerySet

MOST_NAMED: Final = 30
DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def _name_field() -> forms.CharField:
    return forms.CharField(
        label=_("Your name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class SignupForm(forms.Form):
    """What sign-up asks beside address and password (allauth adds those)."""

    name = _name_field()
    field_order = ["name"]

    def signup(self, request: HttpRequest, user: User) -> None:
        user.name = self.cleaned_data["name"]
        user.language = get_language() or ""  # in which they read the page
        user.save(update_fields=["name", "language"])


class ProfileForm(forms.Form):
    name = _name_field()


class CloseAccountForm(forms.Form):
    sure = forms.BooleanField(label=_("I want to close my account"))


class TokenForm(forms.Form):
    """A new API token: no scope is offered that the person's roles do not allow."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("Where it will be used, such as “build machine”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"), widget=forms.CheckboxSelectMultiple, choices=[]
    )
    product = forms.ChoiceField(label=_("Only for the product"), required=False, choices=[])
    series = forms.RegexField(
        r"^[0-9A-Za-z.-]{1,40}$",
        label=_("Only for the series"),
        required=False,
        help_text=_("For uploads. Such as 12.3; empty means every series of the product."),
    )
    days = forms.TypedChoiceField(
        label=_("It expires after"),
        coerce=int,
        initial=90,
        choices=[(7, _("a week")), (30, _("a month")), (90, _("three months")), (365, _("a year"))],
    )

    def __init__(self, *args: Any, user: User, at: dt.datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.at = at
        allowed = tokens.scopes_of(user, at=at)
        grants = RoleGrant.objects.active_on(at).of(user).filter(scope_kind=Scope.PRODUCT)
        products = sorted(set(grants.exclude(scope_slug="").values_list("scope_slug", flat=True)))
        self.fields["scopes"].choices = [(scope.value, scope.label) for scope in allowed]  # type: ignore[attr-defined]
        if products:
            choices = [("", _("all of mine")), *((slug, slug) for slug in products)]
            self.fields["product"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["product"], self.fields["series"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("series") and not cleaned.get("product"):
            self.add_error("product", _("A series belongs to a product: choose it."))
        return cleaned

    def wanted(self) -> dict[str, Any]:
        """What `issue_token` asks for."""
        cleaned = self.cleaned_data
        limits = {name: cleaned.get(name) for name in ("product", "series")}
        return {
            "name": cleaned["name"],
            "scopes": [TokenScope(scope) for scope in cleaned["scopes"]],
            "expires_at": self.at + dt.timedelta(days=cleaned["days"]),
            "limits": {name: value for name, value in limits.items() if value},
        }


class GrantForm(forms.Form):
    """A role for a person."""

    email = forms.EmailField(label=_("Person"), help_text=_("The address of their account."))
    role = forms.ChoiceField(label=_("Role"), choices=[("", _("choose one")), *Role.choices])
    scope_slug = forms.CharField(
        label=_("For"),
        required=False,
        max_length=100,
        help_text=_(
            "The name or short name of the organisation, body or product. Empty for roles of the"
            " whole foundation; for the others empty means every one of them."
        ),
    )
    until = DayField(
        label=_("Last day"), required=False, widget=DAY, help_text=_("Empty: until it is ended.")
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=200, help_text=_("Such as the resolution; it is kept.")
    )

    def clean_email(self) -> User:
        user = User.objects.filter(email__iexact=self.cleaned_data["email"], is_active=True).first()
        if user is None:
            raise forms.ValidationError(_("Nobody has an account with this address."))
        return user

    def clean_until(self) -> dt.datetime | None:
        """The end of that day."""
        day: dt.date | None = self.cleaned_data["until"]
        if day is None:
            return None
        end = timezone.make_aware(dt.datetime.combine(day + dt.timedelta(days=1), dt.time()))
        if end <= timezone.now():
            raise forms.ValidationError(_("This day is over. Choose a later one."))
        return end

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        role, text = cleaned.get("role"), cleaned.get("scope_slug")
        if role and text:
            self._find_scope(SCOPE_OF[Role(role)], text)
        return cleaned

    def _find_scope(self, kind: Scope, text: str) -> None:
        """The slug of what was typed, or an error that names what there is."""
        if kind == Scope.FOUNDATION:
            self.add_error("scope_slug", _("The role is for the whole foundation: leave it empty."))
        elif slug := scopes.find(kind, text):
            self.cleaned_data["scope_slug"] = slug
        else:
            message = _("There is no “%(text)s”. The role is for %(kind)s; there are: %(known)s.")
            names = ", ".join(scopes.known(kind)[:MOST_NAMED]) or _("none yet")
            words = {"text": text, "kind": kind.label, "known": names}
            self.add_error("scope_slug", message % words)

    def wanted(self) -> dict[str, Any]:
        """What `grant_role` asks for."""
        role = Role(self.cleaned_data["role"])
        return {
            "user": self.cleaned_data["email"],
            "role": role,
            "scope_kind": SCOPE_OF[role],
            "scope_slug": self.cleaned_data["scope_slug"],
            "until": self.cleaned_data["until"],
            "reason": self.cleaned_data["reason"],
        }


class GrantFilter(forms.Form):
    person = forms.CharField(label=_("Person"), required=False)
    role = forms.ChoiceField(
        label=_("Role"), required=False, choices=[("", _("any")), *Role.choices]
    )
    past = forms.BooleanField(label=_("Those that are over, too"), required=False)

    def narrowed(self, grants: RoleGrantQuerySet, *, at: dt.datetime) -> RoleGrantQuerySet:
        asked = self.cleaned_data if self.is_valid() else {}
        if not asked.get("past"):
            grants = grants.not_over(at)
        if asked.get("role"):
            grants = grants.filter(role=asked["role"])
        if asked.get("person"):
            grants = grants.of_person_like(asked["person"])
        return grants.order_by("user__name", "role", "since")


class AuditFilter(forms.Form):
    actor = forms.CharField(label=_("Who"), required=False)
    verb = forms.ChoiceField(label=_("Did what"), required=False)
    subject = forms.CharField(label=_("To what"), required=False)
    since = DayField(label=_("From"), required=False, widget=DAY)
    until = DayField(label=pgettext_lazy("a day", "To"), required=False, widget=DAY)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        verbs = AuditEntry.objects.order_by("verb").values_list("verb", flat=True).distinct()
        self.fields["verb"].choices = [("", _("anything")), *((verb, verb) for verb in verbs)]  # type: ignore[attr-defined]

    def narrowed(self, entries: AuditEntryQuerySet) -> AuditEntryQuerySet:
        """The entries that were asked for; a wrong answer in the form narrows nothing."""
        asked = self.cleaned_data if self.is_valid() else getattr(self, "cleaned_data", {})
        given = {name: value for name, value in asked.items() if value}
        return entries.matching(**given)
