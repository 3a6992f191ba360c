import pytest

from releases import maturity, version


def test_versions_are_ordered_by_number_not_by_text() -> None:
    texts = ["2.0.0-alpha1", "2.0.0-rc1", "2.0.0-rc2", "2.0.0", "2.0.9", "2.0.10", "11.8"]
    assert sorted(texts, key=version.parse) == texts


def test_the_fields_of_a_version_are_six_integers() -> None:
    assert version.parse("12.3.1-rc2").fields == [12, 3, 1, 0, 5, 2]


@pytest.mark.parametrize(
    "text",
    ["", "v1", "1.2.3.4.5", "1..2", "1.2/3", "1.2-final", "1.2 ", "1.02", "12.3-rc01", "١٢.٣"],
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a version is numbers"):
        version.parse(text)


@pytest.mark.parametrize(
    ("package", "release"),
    [
        ("12.3.0", "12.3.0"),
        ("1:12.3.0+maria~deb12-1", "12.3.0"),
        ("12.3-1.el9", "12.3.0"),
        ("1:12.3.0~rc1+ubu2404", "12.3.0-rc1"),
        ("12.3.0-0.rc1.el9", "12.3.0-rc1"),
        ("12.3.0+really~rcs-1", "12.3.0"),
    ],
)
def test_a_package_says_which_release_it_holds(package: str, release: str) -> None:
    assert version.of_package(package) == version.parse(release)


@pytest.mark.parametrize("package", ["", "git20261121", "1.2.3.4.5-1", "12.03.0"])
def test_a_package_with_numbers_of_its_own_holds_none_of_ours(package: str) -> None:
    assert version.of_package(package) is None


def test_each_scale_ends_at_five_notches_and_rises() -> None:
    for words in maturity.NOTCHES.values():
        notches = list(words.values())
        assert notches == sorted(notches)
        assert notches[-1] == maturity.STABLE_NOTCH


def test_a_warning_stands_for_every_word_below_stable() -> None:
    for words in maturity.NOTCHES.values():
        for word, notch in words.items():
            assert (word in maturity.WARNINGS) == (notch < maturity.STABLE_NOTCH)


def test_a_version_belongs_to_the_series_that_it_begins_with() -> None:
    assert version.begins_with("12.3.0-alpha1", "12.3")
    assert version.begins_with("12.3", "12.3")
    assert not version.begins_with("12.30.0", "12.3")
    assert not version.begins_with("12", "12.3")
