from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from portal.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small_site(settings: Settings, tmp_path: Path) -> Path:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a {}")
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    return source


def test_static_files_are_collected_again_only_when_one_changed(
    small_site: Path, settings: Settings
) -> None:
    collected = settings.STATIC_ROOT / "a.css"
    call_command("prepare")
    assert collected.read_text() == "a {}"

    collected.write_text("untouched")
    call_command("prepare")
    assert collected.read_text() == "untouched"

    (small_site / "b.css").write_text("b {}")
    call_command("prepare")
    assert (settings.STATIC_ROOT / "b.css").exists()


def test_a_site_that_is_no_demonstration_gets_no_people() -> None:
    call_command("prepare")

    assert not User.objects.exists()


def test_demonstration_data_stays_out_of_a_database_with_people_of_its_own(
    settings: Settings, charlie: User, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DEMONSTRATION, settings.DEMONSTRATION_PASSWORD = True, "a long password"

    call_command("prepare")

    assert list(User.objects.all()) == [charlie]
    assert "no demonstration data" in capsys.readouterr().err
