"""Who holds the keys of an election makes, checks and tells them in a browser, with a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect
from pytest_django import Settings

from governance.sealed import ballot, envelope, manifest, sharing
from governance.sealed.wire import to_bytes, to_text
from governance.tests import sealed_election as made
from governance.voting.recovery import jwk
from tests.browser import ceremony_site
from tests.browser.ceremony_site import MANIFEST, PAGE, SENT, SERVED, SHOWN
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


@pytest.fixture
def visitor(visit: Visit, settings: Settings) -> Iterator[Visitor]:
    settings.ROOT_URLCONF = ceremony_site.__name__
    SENT.clear()
    yield visit(width=360)
    SHOWN.clear()


def show(visitor: Visitor, template: str, **given: object) -> None:
    SHOWN.clear()
    SHOWN.update(given, template=f"governance/elections/{template}.html", election=made.NAME)
    visitor.open(PAGE)


def choose(visitor: Visitor, path: Path) -> None:
    visitor.page.get_by_label("Your key file").set_input_files(path)


def told(visitor: Visitor, text: str) -> None:
    expect(visitor.page.get_by_role("status")).to_contain_text(text)


def send(visitor: Visitor, name: str) -> dict[str, list[str]]:
    visitor.page.get_by_role("button", name=name).press("Enter")
    visitor.page.wait_for_load_state()
    expect(visitor.page.get_by_role("button", name=name)).to_be_disabled()
    assert visitor.complaints == []
    return SENT[-1]


def made_file(visitor: Visitor, role: str, path: Path) -> dict[str, list[str]]:
    """Make a key, save the file, choose it again, send the public half."""
    show(visitor, "_make_key", role=role)
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Make my key").press("Enter")
    told(visitor, "Now choose that file")
    expect(visitor.page.get_by_role("button", name="Send the public half")).to_be_disabled()
    path.write_bytes(Path(download.value.path()).read_bytes())
    assert visitor.axe() == []
    assert visitor.overflow() == []
    choose(visitor, path)
    told(visitor, "can be read and is the right one")
    return send(visitor, "Send the public half")


def key_in(path: Path) -> ec.EllipticCurvePrivateKey:
    number = int.from_bytes(to_bytes(json.loads(path.read_text())["key"]["d"]))
    return ec.derive_private_key(number, envelope.CURVE)


def test_from_the_keys_of_three_scrutineers_to_the_opened_election(
    visitor: Visitor, tmp_path: Path
) -> None:
    files = [tmp_path / f"{place}.json" for place in (1, 2, 3)]
    keys = [made_file(visitor, "scrutineer", path)["key"][0] for path in files]
    assert [to_text(ballot.point_of(key_in(path))) for path in files] == keys

    named = [{"name": f"Scrutineer {n}", "key": key} for n, key in enumerate(keys, 1)]
    show(visitor, "_deal", needed=2, scrutineers=named)
    assert visitor.axe() == []
    visitor.page.get_by_role("button", name="Make and split the key").press("Enter")
    told(visitor, "split and forgotten")
    dealt = send(visitor, "Send the sealed shares")
    assert sorted(dealt) == ["commitment", "election_key", "sealed_share"]

    shares = []
    for place, path in enumerate(files, 1):
        scrutineer = {
            "place": place,
            "sealed_share": dealt["sealed_share"][place - 1],
            "commitment": dealt["commitment"][place - 1],
        }
        show(visitor, "_share", kind="check", scrutineer=scrutineer)
        choose(visitor, files[place % 3])  # of another scrutineer
        told(visitor, "This file does not open your share")
        expect(visitor.page.get_by_role("button", name="My share is whole")).to_be_disabled()
        choose(visitor, path)
        told(visitor, "Your share is whole")
        assert send(visitor, "My share is whole") == {"commitment": [scrutineer["commitment"]]}
        show(visitor, "_share", kind="tell-share", scrutineer=scrutineer)
        choose(visitor, path)
        told(visitor, "What you send now is published")
        sent = send(visitor, "Tell my share")
        value, salt = int(sent["share"][0], 16), bytes.fromhex(sent["salt"][0])
        shares.append(sharing.Share(place, value, salt))
    for some in (shares[:2], shares[1:], [shares[0], shares[2]]):
        secret = sharing.combine(some, needed=2, commitments=dealt["commitment"])
        opened = ec.derive_private_key(secret, envelope.CURVE)
        assert to_text(ballot.point_of(opened)) == dealt["election_key"][0]
    with pytest.raises(sharing.ShareError):
        sharing.combine(shares[:1], needed=2, commitments=dealt["commitment"])


def test_a_share_that_was_sealed_for_another_place_or_altered_is_refused(
    visitor: Visitor, tmp_path: Path
) -> None:
    key = ec.generate_private_key(envelope.CURVE)
    file = tmp_path / "key.json"
    words = {"format": "foundation-portal recovery 1", "role": "scrutineer"}
    file.write_text(json.dumps({**words, "election": made.NAME, "key": jwk(key)}))
    share = sharing.split(7, needed=1, shares=1)[0]
    text = bytes([1]) + share.value.to_bytes(32) + share.salt

    def sealed(place: int, text: bytes) -> str:
        bound = f"{made.NAME}/share/{place}".encode()
        return to_text(envelope.seal(text, to=key.public_key(), bound=bound, size=64))

    good = {"place": 1, "sealed_share": sealed(1, text), "commitment": share.commitment}
    other = bytes([1]) + (share.value + 1).to_bytes(32) + share.salt
    for wrong in (
        {**good, "sealed_share": sealed(2, text)},
        {**good, "sealed_share": sealed(1, other)},
        {**good, "sealed_share": sealed(1, text[1:])},
        {**good, "commitment": "0" * 64},
    ):
        show(visitor, "_share", kind="check", scrutineer=wrong)
        choose(visitor, file)
        told(visitor, "This file does not open your share")
    show(visitor, "_share", kind="check", scrutineer=good)
    choose(visitor, file)
    told(visitor, "Your share is whole")


def test_an_officer_signs_and_later_tells_the_number(visitor: Visitor, tmp_path: Path) -> None:
    file, other = tmp_path / "officer.json", tmp_path / "other.json"
    fields = made_file(visitor, "officer", file)
    made_file(visitor, "officer", other)
    key, nonce_sha256 = fields["key"][0], fields["nonce_sha256"][0]
    officer = manifest.Officer("Alice", key, nonce_sha256)
    text = manifest.write(made.made(made.keys()))
    SERVED[:] = [text]
    given = {
        "officer": officer,
        "manifest_url": MANIFEST,
        "manifest_sha256": manifest.digest(text),
    }
    show(visitor, "_officer", kind="sign", **given)
    assert visitor.axe() == []
    assert visitor.overflow() == []
    choose(visitor, other)
    told(visitor, "another key than the one")
    choose(visitor, file)
    told(visitor, "your signature is made")
    signature = send(visitor, "Sign the manifest")["signature"][0]
    assert manifest.is_signed(officer, text, to_bytes(signature))
    SERVED[:] = [text + b" "]
    choose(visitor, file)
    told(visitor, "another manifest than the one whose hash is shown")

    show(visitor, "_officer", kind="tell-nonce", **given)
    choose(visitor, other)
    told(visitor, "another key than the one")
    choose(visitor, file)
    told(visitor, "This is your number")
    nonce = send(visitor, "Tell my number")["nonce"][0]
    assert sha256(bytes.fromhex(nonce)).hexdigest() == nonce_sha256
    assert len(nonce) == 64


def test_a_file_of_another_role_or_election_is_refused(visitor: Visitor, tmp_path: Path) -> None:
    scrutineer = tmp_path / "scrutineer.json"
    made_file(visitor, "scrutineer", scrutineer)
    show(visitor, "_make_key", role="officer")
    choose(visitor, scrutineer)
    told(visitor, "no key file of your role")
    choose(visitor, Path(__file__))
    told(visitor, "no key file of your role")
    show(visitor, "_make_key", role="scrutineer")
    SHOWN["election"] = "2027-board"
    visitor.open(PAGE)
    choose(visitor, scrutineer)
    told(visitor, "of another election")


def test_a_file_that_is_not_the_new_one_is_found_at_once(visitor: Visitor, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    made_file(visitor, "scrutineer", old)
    show(visitor, "_make_key", role="scrutineer")
    with visitor.page.expect_download():
        visitor.page.get_by_role("button", name="Make my key").press("Enter")
    told(visitor, "Now choose that file")
    choose(visitor, old)
    told(visitor, "another key than the one")
    expect(visitor.page.get_by_role("button", name="Send the public half")).to_be_disabled()
