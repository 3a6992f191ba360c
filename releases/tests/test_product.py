"""What a product may be called, and which names of series and versions are free."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from portal.accounts.models import User
from releases.actions.product import add_product, add_series, save_product
from releases.actions.release import draft_release
from releases.errors import RefusedError
from releases.models import Product, Release
from releases.tests import factory
from releases.views.forms import ProductForm

WORDS: dict[str, Any] = {"name": "OtherDB", "description": "Another one.", "license": "MIT"}


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["name", "description", "license"])
def test_what_stands_in_signed_indices_has_one_line(dana: User, field: str) -> None:
    words = WORDS | {field: "OtherDB\nValid-Until: never"}
    with pytest.raises(RefusedError, match="in one line"):
        add_product(actor=dana, slug="otherdb", **words)
    product = factory.make_series().product
    form = ProductForm(
        words | {"kind": "server", "scale": "server", "announced": "all", "position": 1},
        instance=product,
    )
    assert list(form.errors) == [field]


@pytest.mark.django_db
@pytest.mark.parametrize("package", ["-y", "a b", "$(reboot)", "a;b", "a\n", "ä"])
def test_the_package_to_install_is_one_plain_word(dana: User, package: str) -> None:
    product = factory.make_series().product
    product.package = package
    with pytest.raises(RefusedError, match="begins with a letter or digit"):
        save_product(actor=dana, product=product)
    with pytest.raises(IntegrityError), transaction.atomic():
        Product.objects.update(package=package)


@pytest.mark.django_db
def test_a_version_begins_with_its_series_and_each_number_is_there_once() -> None:
    series = factory.make_draft("12.3.0-alpha1").series
    for version, words in [
        ("12.4.0", r"begins with 12\.3"),
        ("12.30.0", r"begins with 12\.3"),
        ("12.3-alpha1", "is the same number"),
        ("12.3.0-alpha.1", "is the same number"),
        ("12.3.00", "no leading zeros"),
    ]:
        with pytest.raises(RefusedError, match=words):
            draft_release(actor=None, series=series, version=version, maturity="alpha")
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.create(series=series, version="12.3-alpha1", maturity="alpha")


@pytest.mark.django_db
def test_a_series_is_not_called_as_a_release_that_is_there() -> None:
    product = factory.make_draft("12.3.0").series.product
    with pytest.raises(RefusedError, match="as its version"):
        add_series(actor=None, product=product, name="12.3.0", support="long")
