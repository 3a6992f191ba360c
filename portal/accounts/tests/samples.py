"""Where a page of each view stands, with the demonstration data loaded."""

import json

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.asymmetric import ec
from django.urls import reverse
from fido2.cose import ES256
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    RegistrationResponse,
)

from portal.accounts import demonstration as people


def confirm_email() -> str:
    address = EmailAddress.objects.get(email=people.address(people.CHARLIE))
    EmailAddress.objects.filter(pk=address.pk).update(verified=False)
    address.refresh_from_db()
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])


def reset_password() -> str:
    charlie = people.person(people.CHARLIE, second_factor=False)
    key = default_token_generator.make_token(charlie)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(charlie), key])


def _passkey() -> Authenticator:
    """A passkey as a browser would have registered it."""
    frank = people.person(people.FRANK)
    known = Authenticator.objects.filter(user=frank, type=Authenticator.Type.WEBAUTHN).first()
    if known is not None:
        return known
    public = ES256.from_cryptography_key(  # type: ignore[no-untyped-call]
        ec.generate_private_key(ec.SECP256R1()).public_key()
    )
    credential = AttestedCredentialData.create(Aaguid(bytes(16)), b"sample", public)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.AT
    made = AuthenticatorData.create(bytes(32), flags, 0, credential)
    response = RegistrationResponse(
        raw_id=b"sample",
        response=AuthenticatorAttestationResponse(
            client_data=CollectedClientData.create(
                CollectedClientData.TYPE.CREATE, b"challenge", "https://portal.example"
            ),
            attestation_object=AttestationObject.create("none", made, {}),
        ),
    )
    data = {"name": "Key ring", "credential": dict(response), "passwordless": True}
    return Authenticator.objects.create(
        user=frank, type=Authenticator.Type.WEBAUTHN, data=json.loads(json.dumps(data))
    )


def edit_passkey() -> str:
    return reverse("mfa_edit_webauthn", args=[_passkey().pk])


def remove_passkey() -> str:
    return reverse("mfa_remove_webauthn", args=[_passkey().pk])


SAMPLES = {
    "account_confirm_email": confirm_email,
    "account_reset_password_from_key": reset_password,
    "mfa_edit_webauthn": edit_passkey,
    "mfa_remove_webauthn": remove_passkey,
}
